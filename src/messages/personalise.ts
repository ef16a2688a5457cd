import type { FlashMessage, Message, SmsMessage } from './message.ts';
import { measureSms } from './sms-segments.ts';

/** `{{column}}` in a value that a person typed for many recipients; spaces around the name are ignored. */
const COLUMN = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** The columns that a text uses, in order of appearance, each once. */
export function columnsUsed(text: string): readonly string[] {
  return [...new Set([...text.matchAll(COLUMN)].map((match) => match[1] ?? ''))];
}

/** Every text of a message that may hold `{{column}}`: its values for the recipient, or the SMS text itself. */
export function personalTexts(message: Message): readonly string[] {
  switch (message.kind) {
    case 'chatapp':
      return message.params;
    case 'rcs':
      return message.params ?? [];
    case 'sms':
    case 'flash':
      return [message.text];
  }
}

/** True when every recipient gets the same words, so that one bulk SMS request can carry many. */
export function isSameForAll(message: Message): boolean {
  return personalTexts(message).every((text) => columnsUsed(text).length === 0);
}

/** The text with every `{{column}}` that the row has replaced, once: what a value brings in is not read again. */
export function fillColumns(text: string, columns: readonly string[], values: readonly string[]): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(COLUMN, (typed, name: string) => values[columns.indexOf(name)] ?? typed);
}

/**
 * The message as one recipient gets it. A column that the row does not have stays as it was typed, so that a
 * mistake is seen; `sends` refuses such rows before anything is sent.
 */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  const fill = (text: string) => fillColumns(text, columns, values);
  switch (message.kind) {
    case 'chatapp':
      return { ...message, params: message.params.map(fill) };
    case 'rcs':
      return message.params === undefined ? message : { ...message, params: message.params.map(fill) };
    case 'sms':
    case 'flash':
      return withText(message, fill(message.text));
  }
}

/** A name in another script makes a text need Unicode that did not before. */
function withText<Text extends SmsMessage | FlashMessage>(message: Text, text: string): Text {
  if (text === message.text) return message;
  return { ...message, text, unicode: measureSms(text).encoding === 'UCS-2' };
}
