import type { Message } from './message.ts';

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

/**
 * The message as one recipient gets it. A column that the row does not have stays as it was typed, so that a
 * mistake is seen; `sends` refuses such rows before anything is sent.
 */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  const fill = (text: string) =>
    text.replaceAll(COLUMN, (typed, name: string) => values[columns.indexOf(name)] ?? typed);
  switch (message.kind) {
    case 'chatapp':
      return { ...message, params: message.params.map(fill) };
    case 'rcs':
      return message.params === undefined ? message : { ...message, params: message.params.map(fill) };
    case 'sms':
    case 'flash':
      return { ...message, text: fill(message.text) };
  }
}
