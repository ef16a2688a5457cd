import type { KnownBlock, ModalView } from '@slack/types';
import { describePlaceholder } from '../../messages/templates/differences.ts';
import { templateKindLabel, templateKindOf } from '../../messages/templates/form.ts';
import { languageLabel } from '../../messages/templates/language.ts';
import { HIDDEN_PASSWORD, renderTemplate } from '../../messages/templates/preview.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import { type StoredTemplate, type TemplateKey, templateDoubt } from '../../sends/templates/store.ts';
import { showInvisible } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { truncate } from '../connection/truncate.ts';
import {
  actions,
  button,
  context,
  factsSection,
  header,
  moment,
  saying,
  sayingView,
} from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import type { ClickArguments, ClickHandler } from '../kit/clicks/arguments.ts';
import { ALL_ACTION } from './list.ts';
import { type LookMetadata, readDoubted, readLook } from './metadata.ts';
import { comparison, GONE } from './sentences.ts';
import { byWhom, type Catalogue, channelOf, noteBlocks, sendsBlock, shell, showAbove } from './windows.ts';

const LOOK_VIEW = 'template_look';
export const EDIT_ACTION = 'template_edit';
export const TRY_ACTION = 'template_try';
export const DUPLICATE_ACTION = 'template_duplicate';
export const ARCHIVE_ACTION = 'template_archive';
export const HISTORY_ACTION = 'template_history';

export interface Look {
  readonly key: TemplateKey;
  readonly channelId?: string | undefined;
  /** The code of the result that led here. */
  readonly code?: string | undefined;
  readonly note?: string | undefined;
}

/** One template in full: what it is, how it reads, what waits with it, and what can be done. */
export async function lookView(look: Look, { templates }: Catalogue): Promise<ModalView> {
  const { key, channelId, code, note } = look;
  const stored = await templates.look(key);
  if (stored === undefined) return sayingView('Templates', GONE);
  const sends = await templates.unsentSends(key);
  const { template } = stored;
  return shell({
    callbackId: LOOK_VIEW,
    title: 'Template',
    metadata: { channelId, key: writeKey(key), code } satisfies LookMetadata,
    blocks: [
      ...noteBlocks(note),
      ...noteOn(code, template),
      header(template.label),
      facts(stored),
      ...readingBlocks(template),
      ...(template.placeholders.length === 0 ? [] : [placeholdersBlock(template)]),
      ...waitingBlocks(sends),
      ...buttons(stored),
      context(changeLine(stored)),
    ],
  });
}

function noteOn(code: string | undefined, template: Template): KnownBlock[] {
  const doubt = templateDoubt(code);
  if (doubt === undefined || code === undefined) return [];
  const { name, placeholders, languages } = template;
  const names = placeholders.map((placeholder, index) => `{{${index + 1}}} ${placeholder.name}`).join(', ');
  const count = placeholders.length === 1 ? '1 placeholder' : `${placeholders.length} placeholders`;
  const sentence = comparison(doubt, code, {
    name,
    placeholders: names === '' ? 'no placeholders' : `${count} (${names})`,
    languages: languages.join(', ') || 'none is listed here',
  });
  return [saying(sentence, 'comparison')];
}

function facts({ template, archived }: StoredTemplate): KnownBlock {
  const { name, languages, cards } = template;
  return factsSection([
    { label: 'Name', value: name },
    { label: 'Kind', value: templateKindLabel(templateKindOf(template)) },
    { label: 'State', value: archived ? 'Archived: not offered in forms' : 'Offered in forms' },
    ...(template.channel === 'chatapp'
      ? [{ label: 'Languages', value: languages.map(languageLabel).join(', ') || 'Not listed' }]
      : []),
    ...(cards > 0 ? [{ label: 'Cards', value: String(cards) }] : []),
  ]);
}

/** What the phone shows, with the examples as values. */
function readingBlocks(template: Template): KnownBlock[] {
  const values =
    template.variant === 'otp' ? [HIDDEN_PASSWORD] : template.placeholders.map(({ example }) => example);
  const text = truncate(showInvisible(renderTemplate(template, values)), LIMITS.sectionText);
  return [context('As the recipient reads it, with the examples'), { ...quote(text), block_id: 'reading' }];
}

function placeholdersBlock({ placeholders }: Template): KnownBlock {
  const lines = placeholders.map((one, index) => `{{${index + 1}}} ${describePlaceholder(one)}`);
  return saying(lines.join('\n'), 'placeholders');
}

function waitingBlocks(sends: readonly Send[]): KnownBlock[] {
  if (sends.length === 0) return [];
  return [context('Sends of it that have not begun:'), sendsBlock(sends)];
}

function buttons({ template, archived }: StoredTemplate): KnownBlock[] {
  const key = writeKey(template);
  const change = archived
    ? [button(ARCHIVE_ACTION, 'Restore', key, { style: 'primary' })]
    : [
        button(EDIT_ACTION, 'Edit', key, { style: 'primary' }),
        button(TRY_ACTION, 'Try it', key),
        button(DUPLICATE_ACTION, 'Duplicate', key),
        button(ARCHIVE_ACTION, 'Archive', key, { style: 'danger' }),
      ];
  const others = [button(HISTORY_ACTION, 'History', key), button(ALL_ACTION, 'All templates', 'all')];
  return actions([...change, ...others], 'template');
}

function changeLine({ changedBy, changedAt, revision }: StoredTemplate): string {
  return `${revision === 1 ? 'Added' : 'Last changed'} ${byWhom(changedBy)}, ${moment(changedAt)}`;
}

/** Look in the list, or “Look at the template” below a result. */
export const handleLook: ClickHandler<Catalogue> = async (args, catalogue) => {
  const { key, code } = readDoubted(args.action.value);
  const view = key
    ? await lookView({ key, code, channelId: channelOf(args) }, catalogue)
    : sayingView('Templates', GONE);
  await showAbove(args, view, catalogue);
};

/** The template of the view that was clicked in. */
export async function lookedAt(
  { body }: Pick<ClickArguments, 'body'>,
  { templates }: Catalogue,
): Promise<{ readonly metadata: LookMetadata; readonly stored: StoredTemplate } | undefined> {
  const metadata = readLook(body.view?.private_metadata ?? '');
  const { key } = readDoubted(metadata.key);
  const stored = key && (await templates.look(key));
  return stored && { metadata, stored };
}
