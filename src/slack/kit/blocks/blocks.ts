import type { types } from '@slack/bolt';
import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  ExternalSelect,
  HeaderBlock,
  InputBlock,
  InputBlockElement,
  KnownBlock,
  ModalView,
  PlainTextElement,
  PlainTextInput,
  PlainTextOption,
  StaticSelect,
} from '@slack/types';
import { given } from '../../../core/given.ts';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../../connection/escape.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';

/*
 * The pieces that Herald's messages are made of. `text` is mrkdwn made by the caller, with everything that came from
 * outside already through `escapeMrkdwn`; `verbatim` keeps Slack from finding links and mentions in it.
 */

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

export function context(text: string): types.ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

export function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** What people named or typed as it is: `:smile:` as letters, and nothing invisible that turns the rest around. */
export function plainText(text: string, maxLength: number): PlainTextElement {
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

/** Of a person, or of a user group by its id, `S…`. */
export function mention(id: string): string {
  return id.startsWith('S') ? `<!subteam^${escapeMrkdwn(id)}>` : `<@${escapeMrkdwn(id)}>`;
}

/** A moment in the reader's own time zone; UTC where Slack cannot show that. */
export function moment(atMs: number): string {
  const utc = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time}|${utc}>`;
}

/** What a person is asked once more before a button does what it says. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no?: string;
}

interface ButtonLook {
  readonly style?: 'primary' | 'danger';
  readonly question?: Question;
}

/** A button of a message or a view; its words are plain text. */
export function button(
  actionId: string,
  text: string,
  value: string,
  { style, question }: ButtonLook = {},
): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, LIMITS.buttonText),
    value,
    ...(style ? { style } : {}),
    ...(question ? { confirm: dialog(question, style) } : {}),
  };
}

function dialog(
  { title, text, yes, no = 'Cancel' }: Question,
  style: ButtonLook['style'],
): ConfirmationDialog {
  return {
    title: plainText(title, LIMITS.confirmTitle),
    text: plainText(text, LIMITS.confirmText),
    confirm: plainText(yes, LIMITS.confirmButton),
    deny: plainText(no, LIMITS.confirmButton),
    ...(style ? { style } : {}),
  };
}

interface Modal {
  readonly title: string;
  readonly blocks: readonly KnownBlock[];
  /** Of a form: the name its submission comes under, its button, and what it carries. */
  readonly callbackId?: string;
  readonly submit?: string;
  readonly metadata?: string;
}

/** A window. One that has a form is closed by Cancel, any other by Close, unless `close` says otherwise. */
export function modal({ title, blocks, callbackId, submit, metadata }: Modal, close?: string): ModalView {
  const texts = given({
    callback_id: callbackId,
    submit: submit === undefined ? undefined : plainText(submit, LIMITS.modalSubmit),
    private_metadata: metadata,
  });
  const closed = plainText(close ?? (submit === undefined ? 'Close' : 'Cancel'), LIMITS.modalClose);
  return {
    type: 'modal',
    title: plainText(title, LIMITS.modalTitle),
    close: closed,
    ...texts,
    blocks: [...blocks],
  };
}

export function header(text: string, blockId?: string): HeaderBlock {
  return given({ type: 'header', block_id: blockId, text: plainText(text, LIMITS.headerText) });
}

/** A section of plain text; nothing in it can mention anybody. */
export function saying(text: string, blockId?: string): KnownBlock {
  return given({ type: 'section', block_id: blockId, text: plainText(text, LIMITS.sectionText) });
}

/** A window that only says something. */
export function sayingView(title: string, sentence: string): ModalView {
  return modal({ title, blocks: [saying(sentence)] });
}

/** An input outside of a kind's form; its block is named like its field. */
export function input(
  field: string,
  label: string,
  element: InputBlockElement,
  more: { readonly hint?: string; readonly optional?: true; readonly dispatch_action?: true } = {},
): InputBlock {
  const { hint, ...rest } = more;
  return {
    type: 'input',
    block_id: field,
    label: plainText(label, LIMITS.inputLabel),
    ...(hint === undefined ? {} : { hint: plainText(hint, LIMITS.inputHint) }),
    ...rest,
    element,
  };
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plainText(text, LIMITS.optionText), value };
}

/** A row of buttons and menus; no block where there are none. */
export function actions(elements: readonly ActionsBlockElement[], blockId?: string): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', ...(blockId && { block_id: blockId }), elements: [...elements] }];
}

interface TextLook {
  readonly multiline?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string | undefined;
  /** What it holds at first; left out where Slack would refuse it. */
  readonly initial?: unknown;
}

export function textInput(actionId: string, look: TextLook = {}): PlainTextInput {
  const { multiline, maxLength, placeholder, initial } = look;
  return {
    type: 'plain_text_input',
    action_id: actionId,
    ...(multiline && { multiline }),
    ...(maxLength && { max_length: maxLength }),
    ...(placeholder && hinting(placeholder)),
    ...(isShowable(initial) && { initial_value: initial }),
  };
}

/** What stands in an empty input or menu. */
export function hinting(placeholder: string) {
  return { placeholder: plainText(placeholder, LIMITS.placeholder) };
}

/** A menu of choices, of which the one with the value `chosen` is chosen at first. */
export function select(
  actionId: string,
  options: PlainTextOption[],
  chosen?: unknown,
  placeholder?: string,
): StaticSelect {
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...(initial && { initial_option: initial }),
    ...(placeholder && hinting(placeholder)),
  };
}

/** A menu whose choices are looked up while somebody types. */
export function searchedSelect(
  actionId: string,
  initial?: PlainTextOption,
  placeholder?: string,
): ExternalSelect {
  return {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    ...(initial && { initial_option: initial }),
    ...(placeholder && hinting(placeholder)),
  };
}

/** Room for text in one message or window. What does not fit whole is left out and counted, never cut. */
export interface Room {
  /** True where there was room for so many characters; it is taken then. */
  take(characters: number): boolean;
  /** How often there was none. */
  left(): number;
}

export function createRoom(characters: number): Room {
  let free = characters;
  let left = 0;
  return {
    take: (wanted) => {
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

/**
 * A text in pieces of at most so many characters, which together are the text. A piece ends after a blank or a line where
 * it can, and never within a character.
 */
export function piecesOf(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + most, text.length);
    const next = text.charCodeAt(to);
    // The second half of a pair belongs to the first.
    if (next >= 0xdc00 && next <= 0xdfff) to -= 1;
    const blank = Math.max(text.lastIndexOf(' ', to - 1), text.lastIndexOf('\n', to - 1));
    if (to < text.length && blank > from + most / 2) to = blank + 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
