import type { ModalView } from '@slack/types';
import { keyOf, type StoredTemplate } from '../../sends/templates/store.ts';
import { saying, sayingView } from '../kit/blocks/blocks.ts';
import type { SubmissionHandler } from '../kit/clicks/arguments.ts';
import { showing } from '../kit/views/answer-late.ts';
import { lookView } from './look.ts';
import { GONE, voided } from './sentences.ts';
import {
  aboveForEditors,
  type Catalogue,
  carriedIn,
  carry,
  noteBlocks,
  ofLooked,
  replace,
  shell,
  voidsBlocks,
  whyNot,
} from './windows.ts';

export const ARCHIVE_VIEW = 'template_archive';

/** Archive or Restore was pressed: asks once more, and says what it does to sends that have not begun. */
export const handleArchive = aboveForEditors(
  ofLooked(({ stored, channelId }, catalogue) => questionView(stored, channelId, catalogue)),
);

async function questionView(
  stored: StoredTemplate,
  channelId: string | undefined,
  { templates }: Catalogue,
  note?: string,
): Promise<ModalView> {
  const { template, archived, revision } = stored;
  const sends = await templates.unsentSends(template);
  const asked = { key: keyOf(template), revision, archived: !archived, sends: sends.map(({ id }) => id) };
  return shell({
    callbackId: ARCHIVE_VIEW,
    title: archived ? 'Restore template' : 'Archive template',
    submit: archived ? 'Restore' : 'Archive',
    metadata: carry('archive', { channelId, ...asked }),
    blocks: [
      ...noteBlocks(note),
      saying(
        archived
          ? `“${template.label}” is offered in forms again.`
          : `“${template.label}” is no longer offered in forms. It stays in the catalogue, with its history, and can be restored.`,
        'question',
      ),
      ...voidsBlocks(sends),
    ],
  });
}

export const handleArchiveAnswer: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack, client } = args;
  const { view, user } = body;
  const { channelId, key, archived, revision, sends } = carriedIn(view, 'archive');
  const show = (next: ModalView) => ack(showing(next));
  const refusal = await whyNot(user.id, channelId, catalogue);
  if (refusal !== undefined) return show(sayingView('Templates', refusal));
  const stored = await catalogue.templates.look(key);
  if (stored === undefined) return show(sayingView('Templates', GONE));
  const result = await catalogue.templates.change({
    template: stored.template,
    archived,
    expected: revision,
    userId: user.id,
    agreed: sends,
  });
  if (result.state === 'stale' || result.state === 'in_use') {
    const current = (await catalogue.templates.look(key)) ?? stored;
    return show(await questionView(current, channelId, catalogue, SINCE_CHANGED));
  }
  const note = `${archived ? 'Archived.' : 'Restored.'}${voided(result.voided)}`;
  await ack();
  const looked = await lookView({ key, channelId, note }, catalogue);
  await replace(client, view.previous_view_id, looked, catalogue);
};

const SINCE_CHANGED =
  'Nothing was changed yet: the template, or what waits with it, is no longer as you saw it. Look again.';
