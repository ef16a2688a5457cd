import type { ModalView } from '@slack/types';
import type { StoredTemplate } from '../../sends/templates/store.ts';
import { saying, sayingView } from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import type { ClickHandler, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { lookedAt, lookView } from './look.ts';
import { GONE, voided } from './sentences.ts';
import {
  type ArchiveMetadata,
  type Catalogue,
  noteBlocks,
  readArchive,
  readKey,
  replace,
  shell,
  showToEditors,
  voidsBlocks,
  whyNot,
} from './windows.ts';

export const ARCHIVE_VIEW = 'template_archive';

/** Archive or Restore was pressed: asks once more, and says what it does to sends that have not begun. */
export const handleArchive: ClickHandler<Catalogue> = (args, catalogue) => {
  const question = async () => {
    const looked = await lookedAt(args, catalogue);
    if (looked === undefined) return sayingView('Templates', GONE);
    return questionView(looked.stored, looked.metadata.channelId, catalogue);
  };
  return showToEditors(args, question, catalogue);
};

async function questionView(
  stored: StoredTemplate,
  channelId: string | undefined,
  { templates }: Catalogue,
  note?: string,
): Promise<ModalView> {
  const { template, archived, revision } = stored;
  const sends = await templates.unsentSends(template);
  return shell({
    callbackId: ARCHIVE_VIEW,
    title: archived ? 'Restore template' : 'Archive template',
    submit: archived ? 'Restore' : 'Archive',
    metadata: {
      channelId,
      key: writeKey(template),
      revision,
      archived: !archived,
      sends: sends.map(({ id }) => id),
    } satisfies ArchiveMetadata,
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

/** The question was answered with yes. */
export const handleArchiveAnswer: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack, client } = args;
  const { view, user } = body;
  const metadata = readArchive(view.private_metadata);
  const { channelId, archived, revision, sends } = metadata;
  const show = (next: ModalView) => ack({ response_action: 'update', view: next });
  const refusal = await whyNot(user.id, channelId, catalogue);
  if (refusal !== undefined) return show(sayingView('Templates', refusal));
  const key = readKey(metadata.key);
  const stored = key && (await catalogue.templates.look(key));
  if (key === undefined || stored === undefined) return show(sayingView('Templates', GONE));
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
  const ids = result.state === 'saved' ? result.voided.map(({ id }) => id) : [];
  const note = `${archived ? 'Archived.' : 'Restored.'}${voided(ids)}`;
  await ack();
  const looked = await lookView({ key, channelId, note }, catalogue);
  await replace(client, view.previous_view_id, looked, catalogue);
};

const SINCE_CHANGED =
  'Nothing was changed yet: the template, or what waits with it, is no longer as you saw it. Look again.';
