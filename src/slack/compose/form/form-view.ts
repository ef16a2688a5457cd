import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import type { FormContext } from '../../../messages/form/form.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { LIMITS } from '../../connection/limits.ts';
import { input, modal, plainText, saying } from '../../kit/blocks/blocks.ts';
import { formBlocks } from '../../kit/forms/form-blocks.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { leavesOf } from '../../kit/forms/leaves.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { isWithin, parseBlockId, valueAt } from '../../kit/forms/path.ts';
import { previewBlocks } from '../../kit/forms/preview-blocks.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { TEMPLATE_FIELD, templatePicker } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { listBlocks, scheduleBlock } from '../list/list.ts';
import { DRAFT_NAME_FIELD, draftBlocks } from './draft-blocks.ts';
import { columnSelect, withControls, withFocus } from './field-blocks.ts';
import { type FormMetadata, revisionMark, templateMark, writeMetadata } from './form-metadata.ts';
import { answeringBlocks, RECIPIENTS_FIELD, recipientBlocks, sourceIn } from './recipients.ts';

const COLUMN_HINT = 'Write {{column}} for what stands in that column of the list.';
const MAY_STAY_EMPTY = 'Left empty, it is taken from the column of the same name.';

/** The block where a form without a channel of its own asks for one. */
export const CHANNEL_FIELD = 'channel';

export interface ComposeForm {
  readonly kind: MessageKind;
  readonly template?: Template | undefined;
  /** What the inputs hold, by form path. Fields that are not in it hold their own initial values. */
  readonly values?: FormValues;
  /** Where the form was asked for; without it the form asks. */
  readonly channelId?: string | undefined;
  readonly waiting?: FormMetadata['waiting'];
  /**
   * The list it is about, once that was read: the form is then the last look before it is asked for, unless its values say
   * where recipients come from. Then another list is being chosen.
   */
  readonly list?: List | undefined;
  /** The value of the template that is typed, whatever the list has. */
  readonly ownText?: string | undefined;
  readonly sourceFile?: FormMetadata['sourceFile'];
  readonly parked?: FormMetadata['parked'];
  /** How a number that was typed is read, under its field. */
  readonly toHint?: string | undefined;
  /** Sentences on top. */
  readonly notes?: readonly string[];
  /** What became of a click on a draft. */
  readonly draftNote?: string;
  /** How often its parts were rearranged: inputs of another revision hold nothing that is meant for this one. */
  readonly revision?: number | undefined;
  /** The draft that was put into it. */
  readonly draft?: string | undefined;
  /** The id of the send to one person that it sends again. */
  readonly again?: string | undefined;
  /** The customer whose words it answers: then it asks for no number. */
  readonly answering?: FormMetadata['answering'];
  /** The path whose first empty value has the cursor, without it that of the form; `false` leaves it where it is. */
  readonly focus?: string | false | undefined;
}

/** The form of a kind: exactly the fields that it and the chosen template need, and a preview. */
export function composeView(form: ComposeForm, compose: Compose): ModalView {
  const { kind, channelId, waiting, list, sourceFile, parked, draft, again, answering, notes = [] } = form;
  const { title } = KINDS[kind];
  const mark = markOf(form);
  const about = { audienceId: list?.audience.id, place: list?.place || undefined };
  const carried = { sourceFile, parked, draft, again, answering };
  const metadata = { channelId: channelId || undefined, shown: mark, waiting, ...about, ...carried };
  return modal({
    callbackId: kind,
    title,
    submit: submitLabel(form, compose),
    metadata: writeMetadata(metadata),
    blocks: focused(form, [
      ...noteBlocks(notes),
      ...(answering ? answeringBlocks(kind, answering) : []),
      ...(list ? listBlocks(list, isChoosing(form)) : []),
      // Where the button was that asks for another list.
      ...(list && isChoosing(form) ? recipientBlocks(recipientsIn(form)) : []),
      ...fieldBlocks(form, compose),
      ...(channelId ? [] : [channelBlock()]),
      ...(KINDS[kind].parts ? draftBlocks(form.values?.[DRAFT_NAME_FIELD], draft, mark, form.draftNote) : []),
    ]),
  });
}

function focused({ focus }: ComposeForm, blocks: readonly KnownBlock[]): readonly KnownBlock[] {
  return focus === false ? blocks : withFocus(blocks, focus);
}

/** `Send` sends; anything that leads to one more look or to a manager is called so. */
export function submitLabel(form: ComposeForm, { approvals }: Compose): string {
  const { list, values = {} } = form;
  if (list === undefined && sourceIn(values) === 'one') return 'Send';
  if (list === undefined || isChoosing(form)) return 'Next';
  const { review, audience } = list;
  const isCounted = typeof review === 'object';
  const recipients = isCounted ? review.recipients : audience.counts.valid;
  if (recipients > approvals.over) return 'Ask for approval';
  return isCounted ? `Send to ${recipients.toLocaleString('en')}` : 'Send';
}

/** True while another list is chosen in place of the one that the form is about. */
export function isChoosing({ values = {} }: Pick<ComposeForm, 'values'>): boolean {
  return RECIPIENTS_FIELD in values;
}

/** What of a form's schema depends on to whom it sends. */
function recipientsOf(form: ComposeForm): FormContext['recipients'] {
  const { list, values = {} } = form;
  if (list !== undefined && !isChoosing(form)) return 'many';
  const source = sourceIn(values);
  if (source === 'one') return undefined;
  return source === 'numbers' ? 'many' : 'many-unfilled';
}

/** The order of every form: the message, how it reads, to whom and when, and the settings. */
function fieldBlocks(form: ComposeForm, compose: Compose): KnownBlock[] {
  const { kind, template, values = {}, list } = form;
  const { form: schemaOf, parts, senderField, settings } = KINDS[kind];
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
  const mark = markOf(form);
  const pickerMeta = leavesOf(schema).find((leaf) => leaf.path === TEMPLATE_FIELD)?.meta;
  const fields: InputBlock[] = formBlocks(schema, {
    values,
    omit: form.answering ? [TEMPLATE_FIELD, 'to'] : [TEMPLATE_FIELD],
    suffixOf: (path) => (isCommon(path) ? undefined : mark),
  });
  const places = Map.groupBy(fields, ({ block_id: id = '' }) => {
    const { path } = parseBlockId(id);
    return path === 'to' || last.includes(path) ? path : 'message';
  });
  const message = places.get('message') ?? [];
  return [
    ...(pickerMeta ? [templatePicker(pickerMeta, template)] : []),
    ...withControls(
      message.map((block) => columnChoice(block, form) ?? hinted(block, form)),
      parts?.controls(values) ?? [],
      mark,
    ),
    ...previewBlocks(kind, template, values, { list, terms: compose.terms }),
    ...(places.get('to') ?? []).flatMap((block) => toWhom(block, form)),
    ...(list ? [scheduleBlock(values)] : []),
    // What mostly has a default.
    ...last.flatMap((path) => places.get(path) ?? []),
  ];
}

function toWhom(field: InputBlock, form: ComposeForm): KnownBlock[] {
  const { toHint: hint } = form;
  const block = hint === undefined ? field : { ...field, hint: plainText(hint, LIMITS.inputHint) };
  if (form.again !== undefined) return [block];
  return form.list ? [] : recipientBlocks(recipientsIn(form), block);
}

function recipientsIn({ values = {}, sourceFile, list }: ComposeForm) {
  return { values, sourceFile, audience: list?.audience };
}

/** Names what the fields of a form are for: the template as it is now, or the order of its parts. */
function markOf({ kind, template, revision }: ComposeForm): string | undefined {
  if (template) return templateMark(template);
  return KINDS[kind].parts ? revisionMark(revision ?? 1) : undefined;
}

/** Of a list with columns: the choice of one for a value of the template. */
function columnChoice(block: InputBlock, { list, ownText, values }: ComposeForm): InputBlock | undefined {
  const { path } = parseBlockId(block.block_id ?? '');
  if (list === undefined || path === ownText || !isWithin(path, 'params')) return undefined;
  return columnSelect(block, valueAt(values, path), list.audience.columns);
}

/** Says where a value may differ from recipient to recipient. */
function hinted(block: InputBlock, { kind, list, values = {} }: ComposeForm): InputBlock {
  const source = sourceIn(values);
  const hasColumns = list ? list.audience.columns.length > 0 : source === 'file' || source === 'audience';
  const { path } = parseBlockId(block.block_id ?? '');
  const isParam = isWithin(path, 'params');
  if (!hasColumns || !KINDS[kind].personalPaths.some((personal) => isWithin(path, personal))) return block;
  const hint = list || !isParam ? COLUMN_HINT : `${COLUMN_HINT} ${MAY_STAY_EMPTY}`;
  const rule = path === 'text' ? undefined : block.hint?.text;
  return { ...block, hint: plainText(rule === undefined ? hint : `${rule} ${hint}`, LIMITS.inputHint) };
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
