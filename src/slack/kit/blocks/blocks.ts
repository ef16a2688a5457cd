import type { types } from '@slack/bolt';
import { given } from '../../../core/given.ts';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../../connection/escape.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { newBlock } from '../../connection/new-blocks.ts';

/*
 * The pieces that Herald's messages are made of. `text` is mrkdwn made by the caller, with everything that came from
 * outside already through `escapeMrkdwn`; `verbatim` keeps Slack from finding links and mentions in it.
 */

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** A section that Slack does not fold: it is to be read to its end. */
export function wholeSection(text: string): types.SectionBlock {
  return { ...section(text), expand: true };
}

/** Shows what nobody should overlook, a line of mrkdwn each: alerts in a window, and elsewhere one section. */
export function warnings(lines: readonly string[]): types.KnownBlock[] {
  const older = [wholeSection(lines.map((line) => `⚠️ ${line}`).join('\n'))];
  if (lines.some(({ length }) => length > LIMITS.alertText)) return older;
  return lines.map((line, index) =>
    newBlock({ type: 'alert', level: 'warning', text: mrkdwn(line) }, index === 0 ? older : []),
  );
}

export function context(text: string): types.ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Shows words of people as they are: `:smile:` as letters, and nothing invisible that turns the rest around. */
export function plainText(text: string, maxLength: number): types.PlainTextElement {
  return { type: 'plain_text', text: truncate(showInvisible(text), maxLength), emoji: false };
}

/** Slack refuses a view over what its input holds, and over half a character. */
export function isShowable(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= LIMITS.inputValue && value.isWellFormed()
  );
}

const SHOWN_VALUE = 300;

/** Facts side by side, with their values as they were typed; as many as Slack takes. */
export function factsSection(
  facts: readonly { readonly label: string; readonly value: string }[],
): types.SectionBlock {
  const fields = facts
    .slice(0, LIMITS.sectionFields)
    .map(({ label, value }) => mrkdwn(`*${label}*\n${literalMrkdwn(value, SHOWN_VALUE)}`));
  return { type: 'section', fields };
}

/** Mentions a person, or a user group by its id, `S…`. */
export function mention(id: string): string {
  return id.startsWith('S') ? `<!subteam^${escapeMrkdwn(id)}>` : `<@${escapeMrkdwn(id)}>`;
}

/** A moment in the reader's own time zone; UTC where Slack cannot show that. */
export function moment(atMs: number): string {
  const utc = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time}|${utc}>`;
}

/** A person is asked this before a button does what it says. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no?: string;
}

export function button(
  actionId: string,
  text: string,
  value: string,
  { style, question }: { readonly style?: 'primary' | 'danger'; readonly question?: Question } = {},
): types.Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, LIMITS.buttonText),
    value,
    ...given({ style, confirm: question && dialog(question, style) }),
  };
}

function dialog(
  { title, text, yes, no = 'Cancel' }: Question,
  style: 'primary' | 'danger' | undefined,
): types.ConfirmationDialog {
  return {
    title: plainText(title, LIMITS.confirmTitle),
    text: plainText(text, LIMITS.confirmText),
    confirm: plainText(yes, LIMITS.confirmButton),
    deny: plainText(no, LIMITS.confirmButton),
    ...given({ style }),
  };
}

interface Modal {
  readonly title: string;
  readonly blocks: readonly types.KnownBlock[];
  /** A form has these: the name its submission comes under, its button, and what it carries. */
  readonly callbackId?: string;
  readonly submit?: string;
  readonly metadata?: string;
}

/** A window. One that has a form is closed by Cancel, any other by Close, unless `close` says otherwise. */
export function modal(
  { title, blocks, callbackId, submit, metadata }: Modal,
  close?: string,
): types.ModalView {
  const closed = close ?? (submit === undefined ? 'Close' : 'Cancel');
  const known = given({
    type: 'modal',
    title: plainText(title, LIMITS.modalTitle),
    close: plainText(closed, LIMITS.modalClose),
    callback_id: callbackId,
    submit: submit === undefined ? undefined : plainText(submit, LIMITS.modalSubmit),
    private_metadata: metadata,
  });
  return { ...known, blocks: [...blocks] };
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plainText(text, LIMITS.headerText) };
}

/** A section of plain text; nothing in it can mention anybody. */
export function saying(text: string, blockId?: string): types.KnownBlock {
  return given({ type: 'section', block_id: blockId, text: plainText(text, LIMITS.sectionText) });
}

export function sayingView(title: string, sentence: string): types.ModalView {
  return modal({ title, blocks: [saying(sentence)] });
}

/** An input outside of a kind's form; its block is named like its field. */
export function input(
  field: string,
  label: string,
  element: types.InputBlockElement,
  more: { readonly hint?: string; readonly optional?: true; readonly dispatch_action?: true } = {},
): types.InputBlock {
  const hint = more.hint === undefined ? undefined : plainText(more.hint, LIMITS.inputHint);
  const named = { block_id: field, label: plainText(label, LIMITS.inputLabel) };
  return given({ type: 'input', ...named, ...more, hint, element });
}

export function option(text: string, value: string, description?: string): types.PlainTextOption {
  const more = description && { description: plainText(description, LIMITS.optionText) };
  return { text: plainText(text, LIMITS.optionText), value, ...more };
}

/** A row of buttons and menus; no block where there are none. */
export function actions(
  elements: readonly types.ActionsBlockElement[],
  blockId?: string,
): types.ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', ...(blockId && { block_id: blockId }), elements: [...elements] }];
}

export type Choice = readonly [actionId: string, text: string, value: string];

/** Puts choices that are wanted seldom behind three dots; each is handled like a button with this action and value. */
export function menu(...choices: readonly Choice[]): types.Overflow {
  const options = choices.map(([actionId, text, value]) => option(text, `${actionId} ${value}`));
  return { type: 'overflow', action_id: 'more', options };
}

interface TextLook {
  readonly multiline?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string | undefined;
  /** Its first value; left out where Slack would refuse it. */
  readonly initial?: unknown;
}

export function textInput(actionId: string, look: TextLook = {}): types.PlainTextInput {
  const { multiline, maxLength, placeholder, initial } = look;
  return {
    type: 'plain_text_input',
    action_id: actionId,
    ...(multiline && { multiline }),
    ...(maxLength && { max_length: maxLength }),
    ...hinting(placeholder),
    ...(isShowable(initial) && { initial_value: initial }),
  };
}

/** The words in an empty input or menu. */
export function hinting(placeholder?: string) {
  return given({ placeholder: placeholder ? plainText(placeholder, LIMITS.placeholder) : undefined });
}

/** A menu of choices, of which the one with the value `chosen` is chosen at first. */
export function select(
  actionId: string,
  options: types.PlainTextOption[],
  chosen?: unknown,
  placeholder?: string,
): types.StaticSelect {
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...given({ initial_option: initial }),
    ...hinting(placeholder),
  };
}

/** A menu whose choices are looked up while somebody types. */
export function searchedSelect(
  actionId: string,
  initial?: types.PlainTextOption,
  placeholder?: string,
): types.ExternalSelect {
  return {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    ...given({ initial_option: initial }),
    ...hinting(placeholder),
  };
}

/** Room for text in one message or window. What does not fit whole is left out and counted, never cut. */
export type Room = ReturnType<typeof createRoom>;

export function createRoom(characters: number) {
  let free = characters;
  let left = 0;
  return {
    /** True where there was room for so many characters; it is taken then. */
    take: (wanted: number): boolean => {
      if (wanted > free) {
        left += 1;
        return false;
      }
      free -= wanted;
      return true;
    },
    left: () => left,
  };
}
