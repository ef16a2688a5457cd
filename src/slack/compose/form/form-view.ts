import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import type { FormContext } from '../../../messages/form/form.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { LIMITS } from '../../connection/limits.ts';
import { actions, button, context, input, modal, plainText, saying } from '../../kit/blocks/blocks.ts';
import { formBlocks, formContext, initialValues, leavesOf } from '../../kit/forms/form-blocks.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { isWithin, valueAt } from '../../kit/forms/path.ts';
import { previewBlocks } from '../../kit/forms/preview-blocks.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { TEMPLATE_FIELD, templatePicker } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { listBlocks, NOTE_FIELD, requestBlocks, SCHEDULE_FIELD } from '../list/list.ts';
import {
  columnSelect,
  DRAFT_NAME_FIELD,
  draftBlocks,
  pathOf,
  withControls,
  withFocus,
  withIssues,
} from './field-blocks.ts';
import { type Carried, carriedIn, revisionMark, templateMark, writeMetadata } from './form-metadata.ts';
import { answerByBlocks, askedBlocks, RECIPIENTS_FIELD, recipientBlocks, sourceIn } from './recipients.ts';

const COLUMN_HINT = 'Write {{column}} for what stands in that column of the list.';

/** Shows what mostly has a default. */
export const MORE_ACTION = 'show_more';

/** The block where a form without a channel of its own asks for one. */
export const CHANNEL_FIELD = 'channel';

export interface ComposeForm extends Partial<Carried> {
  readonly kind: MessageKind;
  readonly template?: Template | undefined;
  /** The values of its inputs, by form path. Fields that are not in it hold their own initial values. */
  readonly values?: FormValues;
  /**
   * The list it is about, once that was read: the form is then the last look before it is asked for, unless its values say
   * where recipients come from. Then another list is being chosen.
   */
  readonly list?: List | undefined;
  /** The value of the template that is typed, whatever the list has. */
  readonly ownText?: string | undefined;
  /** A sentence that says how a typed number is read, under its field. */
  readonly toHint?: string | undefined;
  /** Sentences on top. */
  readonly notes?: readonly string[];
  /** A sentence that answers a click on a draft. */
  readonly draftNote?: string;
  /** Counts how often its parts were rearranged: inputs of another revision hold nothing that is meant for this one. */
  readonly revision?: number | undefined;
  /** The path whose first empty value has the cursor, without it that of the form; `false` leaves it where it is. */
  readonly focus?: string | false | undefined;
  /** What is wrong: each sentence stands under its field, or on top where that is not shown; the first has the cursor. */
  readonly wrong?: readonly Issue[];
}

/** The form of a kind: exactly the fields that it and the chosen template need, and a preview. */
export function composeView(form: ComposeForm, compose: Compose): ModalView {
  const { kind, channelId, list, answering, notes = [], wrong = [] } = form;
  const { title, parts } = KINDS[kind];
  const mark = fieldsMark(form);
  const more = isAllShown(form, compose) || undefined;
  const about = { audienceId: list?.audience.id, place: list?.place || undefined };
  const metadata = { ...carriedIn({ ...form, more }), channelId: channelId || undefined, shown: mark };
  const { blocks, unplaced } = withIssues(wrong, [
    ...(parts && (more || !answering) ? [context(parts.help)] : []),
    ...(answering ? askedBlocks(kind, answering, compose.clock.now()) : []),
    ...(list ? listBlocks(list, isChoosing(form)) : []),
    // They stand where the button was that asks for another list.
    ...(list && isChoosing(form) ? recipientBlocks(form, compose.groups.names) : []),
    ...fieldBlocks({ ...form, more }, compose),
  ]);
  return modal({
    callbackId: kind,
    title: answering ? 'Answer' : title,
    submit: submitLabel(form, compose),
    metadata: writeMetadata({ ...metadata, ...about }),
    blocks: withFocus(
      [...noteBlocks([...notes, ...unplaced.map(({ message }) => message)]), ...blocks],
      form.focus,
      wrong[0]?.path,
    ),
  });
}

/** True once somebody asked for what mostly has a default, and where something else than that is in it. */
function isAllShown(form: ComposeForm, compose: Compose): boolean {
  const { kind, more = false, values = {} } = form;
  const { senderField, settings } = KINDS[kind];
  const defaults = defaultsOf(form, compose);
  return (
    more ||
    [SCHEDULE_FIELD, NOTE_FIELD, senderField, ...settings].some((path) => {
      const value = valueAt(values, path) ?? undefined;
      return value !== undefined && value !== valueAt(defaults, path);
    })
  );
}

/** `Send` sends; anything that leads to one more look or to a manager is called so. */
export function submitLabel(form: ComposeForm, { approvals }: Compose): string {
  const { list, values = {} } = form;
  if (list === undefined && ['one', 'group'].includes(sourceIn(values))) return 'Send';
  if (list === undefined || isChoosing(form)) return 'Next';
  const { review, audience } = list;
  const isCounted = typeof review === 'object';
  if (isCounted ? review.needed > 0 : audience.counts.valid > approvals.over) return 'Ask for approval';
  return isCounted ? `Send to ${review.recipients.toLocaleString('en')}` : 'Send';
}

/** True while another list is chosen in place of the one that the form is about. */
export function isChoosing({ values = {} }: Pick<ComposeForm, 'values'>): boolean {
  return RECIPIENTS_FIELD in values;
}

/** Says whether a form's schema is that for one person or for a list. */
function recipientsOf(form: ComposeForm): FormContext['recipients'] {
  const { list, values = {} } = form;
  if (list !== undefined && !isChoosing(form)) return 'many';
  const source = sourceIn(values);
  if (source === 'one') return undefined;
  return source === 'file' || source === 'audience' ? 'many-unfilled' : 'many';
}

/** The order of every form: the message, how it reads, to whom, and, once asked for, when and the settings. */
function fieldBlocks(form: ComposeForm, compose: Compose): KnownBlock[] {
  const { kind, template, values = {}, list, more, channelId } = form;
  const { form: schemaOf, parts, senderField, settings, textPath } = KINDS[kind];
  const isTextEnough = textPath !== undefined && compose.defaults.freeText !== 'refused';
  // One field, as in a chat; where a text goes without buttons, there is no more to it.
  const isPlain = parts !== undefined && compose.terms?.plainText === true && form.draft === undefined;
  const isChat = form.answering && (!more || isPlain) && isTextEnough && template === undefined;
  const last = [senderField, ...settings];
  const recipients = recipientsOf(form);
  const schema = schemaOf({
    ...formContext(compose, template),
    entered: values,
    ...given({ recipients }),
  });
  const common = new Set(leavesOf(schemaOf(formContext(compose))).map((leaf) => leaf.path));
  const isCommon = (path: string) =>
    parts ? !parts.roots.some((root) => isWithin(path, root)) : common.has(path);
  const mark = fieldsMark(form);
  const pickerMeta = leavesOf(schema).find((leaf) => leaf.path === TEMPLATE_FIELD)?.meta;
  const fields: InputBlock[] = formBlocks(schema, {
    values,
    omit: form.answering ? [TEMPLATE_FIELD, 'to'] : [TEMPLATE_FIELD],
    suffixOf: (path) => (isCommon(path) ? undefined : mark),
  });
  const places = Map.groupBy(fields, (field) => {
    const path = pathOf(field);
    return path === 'to' || last.includes(path) ? path : 'message';
  });
  const message = (places.get('message') ?? []).filter((field) =>
    isChat ? pathOf(field) === textPath.join('.') : !waitsForColumns(pathOf(field), form),
  );
  const settingBlocks = () => [
    ...(list ? requestBlocks(values) : []),
    ...last.flatMap((path) => places.get(path) ?? []),
    ...(parts ? draftBlocks(values[DRAFT_NAME_FIELD], form.draft, mark, form.draftNote) : []),
  ];
  return [
    ...(pickerMeta && !isChat ? [templatePicker(pickerMeta, template, isTextEnough)] : []),
    ...withControls(
      message.map((block) => columnChoice(block, form) ?? hinted(block, form)),
      (!isChat && parts?.controls(values)) || [],
      mark,
    ),
    ...(isChat && parts ? [] : previewBlocks(kind, template, values, { list, terms: compose.terms })),
    ...(places.get('to') ?? []).flatMap((block) => toWhom(block, form, compose)),
    ...answerByBlocks(kind, form.answering?.kinds),
    ...(channelId ? [] : [channelBlock()]),
    ...(more ? settingBlocks() : actions([button(MORE_ACTION, 'More', kind)], 'more')),
  ];
}

/** True for a value that a column of the list may fill, before the list was read. */
function waitsForColumns(path: string, { values = {}, list }: ComposeForm): boolean {
  const isCsv = list === undefined && ['file', 'audience'].includes(sourceIn(values));
  return isCsv && isWithin(path, 'params') && !valueAt(values, path);
}

function toWhom(field: InputBlock, form: ComposeForm, compose: Compose): KnownBlock[] {
  const { toHint: hint } = form;
  const block = hint === undefined ? field : { ...field, hint: plainText(hint, LIMITS.inputHint) };
  if (form.again !== undefined) return [block];
  return form.list ? [] : recipientBlocks(form, compose.groups.names, block);
}

/** Names what the fields of a form are for: the template as it is now, or the order of its parts. */
export function fieldsMark({ kind, template, revision }: ComposeForm): string | undefined {
  if (template) return templateMark(template);
  return KINDS[kind].parts ? revisionMark(revision ?? 1) : undefined;
}

function columnChoice(block: InputBlock, { list, ownText, values }: ComposeForm): InputBlock | undefined {
  const path = pathOf(block);
  if (list === undefined || path === ownText || !isWithin(path, 'params')) return undefined;
  return columnSelect(block, valueAt(values, path), list.audience.columns);
}

/** Says where a value may differ from recipient to recipient. */
function hinted(block: InputBlock, { kind, list, values = {} }: ComposeForm): InputBlock {
  const source = sourceIn(values);
  const hasColumns = list ? list.audience.columns.length > 0 : source === 'file' || source === 'audience';
  const path = pathOf(block);
  if (!hasColumns || !KINDS[kind].personalPaths.some((personal) => isWithin(path, personal))) return block;
  const rule = path === 'text' ? undefined : block.hint?.text;
  const hint = rule === undefined ? COLUMN_HINT : `${rule} ${COLUMN_HINT}`;
  return { ...block, hint: plainText(hint, LIMITS.inputHint) };
}

/** Three thousand characters of notes are more than anybody reads; the most important ones come first. */
export function noteBlocks(notes: readonly string[]): KnownBlock[] {
  if (notes.length === 0) return [];
  return [saying([...new Set(notes)].join(' '), 'notes')];
}

function channelBlock(): KnownBlock {
  const element = {
    type: 'conversations_select' as const,
    action_id: CHANNEL_FIELD,
    default_to_current_conversation: true,
    filter: { include: ['public' as const, 'private' as const], exclude_bot_users: true },
  };
  return input(CHANNEL_FIELD, 'Channel', element, { hint: 'Where the result is posted.' });
}

/** Says what the fields of a form hold before anybody types: in an answer, the sender that wrote before and its one button. */
function defaultsOf({ kind, template, answering }: ComposeForm, compose: Compose): FormValues {
  const { form, senderField, textValues } = KINDS[kind];
  const values = initialValues(form(formContext(compose, template)));
  if (answering === undefined) return values;
  const { terms, defaults } = compose;
  const ready = textValues?.(terms?.plainText ? undefined : defaults.answerButton) ?? {};
  return { ...values, ...ready, ...given({ [senderField]: answering.sender[senderField] }) };
}

/** Returns the values of a form, with the defaults of the fields that it does not show. */
export function withHidden(form: ComposeForm, compose: Compose): FormValues {
  return over(defaultsOf(form, compose), form.values ?? {});
}

/** Puts values that are shown over those that are not; a list that is shown is whole. */
export function over(hidden: FormValues, shown: FormValues): FormValues {
  const merged: Record<string, unknown> = { ...hidden };
  for (const [key, value] of Object.entries(given(shown))) {
    const below = hidden[key];
    merged[key] = isGroup(value) && isGroup(below) ? over(below, value) : value;
  }
  return merged;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
