import { columnsUsed, compileText } from './columns.ts';
import type { PersonalField } from './kinds/kind.ts';
import { kindOf, type Message } from './kinds.ts';

/** Every text of a message that may contain `{{column}}`. */
export function personalFields(message: Message): readonly PersonalField[] {
  return kindOf(message).personalFields(message);
}

/** The texts alone. */
export function personalTexts(message: Message): readonly string[] {
  return personalFields(message).map(({ text }) => text);
}

/** True when all recipients get the same text, so that one bulk SMS request may serve several. */
export function isSameForAll(message: Message): boolean {
  return personalTexts(message).every((text) => columnsUsed(text).length === 0);
}

/** Parses a message once and fills it in for any number of rows. */
export function createPersonaliser(
  message: Message,
  columns: readonly string[],
): (values: readonly string[]) => Message {
  return kindOf(message).personaliser(message, (text) => compileText(text, columns));
}

/** The message for one recipient; for many, see `createPersonaliser`. */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  return createPersonaliser(message, columns)(values);
}
