import type { KnownBlock, ModalView } from '@slack/types';
import { describePlaceholder, templateDifferences } from '../../messages/templates/differences.ts';
import { templateKindLabel, templateKindOf } from '../../messages/templates/form.ts';
import { HIDDEN_PASSWORD, renderTemplate } from '../../messages/templates/preview.ts';
import { languageLabel, type Template } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import {
  HERALD_YML,
  type StoredTemplate,
  type TemplateAction,
  type TemplateChange,
  type TemplateKey,
  type TemplateSource,
  templateDoubt,
} from '../../sends/templates/store.ts';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../connection/escape.ts';
import { LIMITS, truncate } from '../connection/limits.ts';
import {
  actions,
  button,
  context,
  factsSection,
  header,
  moment,
  saying,
  sayingView,
  section,
} from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import type { ClickArguments, ClickHandler } from '../kit/clicks/arguments.ts';
import { ALL_ACTION } from './list.ts';
import { comparison, GONE } from './sentences.ts';
import {
  byWhom,
  type Catalogue,
  channelOf,
  type LookMetadata,
  noteBlocks,
  readDoubted,
  readKey,
  readLook,
  replace,
  sendsBlock,
  shell,
  showAbove,
} from './windows.ts';

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

const HISTORY_VIEW = 'template_history';
export const OLDER_ACTION = 'template_older';

const PAGE = 15;
const SHOWN_VALUE = 200;

const WORDS: Readonly<Record<TemplateAction, string>> = {
  added: 'Added',
  edited: 'Edited',
  archived: 'Archived',
  restored: 'Restored',
};
const WAYS: Readonly<Record<TemplateSource, string>> = {
  form: '',
  import: ', from an imported file',
  [HERALD_YML]: '',
};

/** Who changed what and when, newest first. */
async function historyView(
  key: TemplateKey,
  channelId: string | undefined,
  { templates }: Catalogue,
  before?: number,
): Promise<ModalView> {
  // One more than is shown: each change is told by what it differs in from the one before.
  const changes = await templates.history(key, PAGE + 1, before);
  const oldest = changes.length > PAGE ? changes[PAGE - 1] : undefined;
  return shell({
    callbackId: HISTORY_VIEW,
    title: 'History',
    metadata: { channelId, key: writeKey(key) } satisfies LookMetadata,
    blocks: [
      saying(`What was done to “${key.name}”, newest first.`, 'opening'),
      ...changes.slice(0, PAGE).map((change, index) => line(change, changes[index + 1])),
      ...actions(
        oldest === undefined ? [] : [button(OLDER_ACTION, 'Show older', String(oldest.revision))],
        'older',
      ),
    ],
  });
}

function line(change: TemplateChange, before: TemplateChange | undefined): KnownBlock {
  const { action, source, actor, at, template } = change;
  const differences = before === undefined ? [] : templateDifferences(before.template, template);
  const lines = differences.map(
    ({ what, before: was, after: is }) =>
      `• ${escapeMrkdwn(what)}: ${literalMrkdwn(was, SHOWN_VALUE)} → ${literalMrkdwn(is, SHOWN_VALUE)}`,
  );
  const text = [`*${WORDS[action]}* ${byWhom(actor)}, ${moment(at)}${WAYS[source]}`, ...lines].join('\n');
  return section(
    text.length > LIMITS.sectionText ? `${lines.length} things differ. ${text.split('\n')[0]}` : text,
  );
}

export const handleHistory: ClickHandler<Catalogue> = async (args, catalogue) => {
  const key = readKey(args.action.value);
  const view = key ? await historyView(key, channelOf(args), catalogue) : sayingView('Templates', GONE);
  await showAbove(args, view, catalogue);
};

export const handleOlder: ClickHandler<Catalogue> = async ({ body, action, client }, catalogue) => {
  const { key: written, channelId } = readLook(body.view?.private_metadata ?? '');
  const key = readKey(written);
  if (key === undefined) return;
  const view = await historyView(key, channelId, catalogue, Number(action.value));
  await replace(client, body.view?.id, view, catalogue);
};
