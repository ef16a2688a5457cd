import { columnsUsed, compileText } from './columns.ts';
import type { PersonalField } from './kinds/kind.ts';
import { kindOf, type Message } from './kinds.ts';

/** Every text of a message that may hold `{{column}}`: its values for the recipient, or its words themselves. */
export function personalFields(message: Message): readonly PersonalField[] {
  return kindOf(message).personalFields(message);
}

/** The texts alone. */
export function personalTexts(message: Message): readonly string[] {
  return personalFields(message).map(({ text }) => text);
}

/** True when every recipient gets the same words, so that one bulk SMS request can carry many. */
export function isSameForAll(message: Message): boolean {
  return personalTexts(message).every((text) => columnsUsed(text).length === 0);
}

/**
 * Reads a message once and makes it for any number of rows, each as its recipient gets it. A column that a row does
 * not have stays as it was typed, so that a mistake is seen; `sends` refuses such rows before anything is sent.
 */
export function createPersonaliser(
  message: Message,
  columns: readonly string[],
): (values: readonly string[]) => Message {
  return kindOf(message).personaliser(message, (text) => compileText(text, columns));
}

/** The message as one recipient gets it; for many, see `createPersonaliser`. */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  return createPersonaliser(message, columns)(values);
}
