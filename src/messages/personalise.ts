import { hash } from 'node:crypto';
import { columnsUsed, compileText } from './columns.ts';
import type { PersonalField } from './kinds/kind.ts';
import { kindOf, type Message } from './kinds.ts';
import type { Template } from './templates/template.ts';

export function personalFields(message: Message): readonly PersonalField[] {
  return kindOf(message).personalFields(message);
}

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

/** For many recipients, see `createPersonaliser`. */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  return createPersonaliser(message, columns)(values);
}

/** What one recipient is to read. */
export interface Reading {
  /** A hash of kind, template and language, the text with their own values, and media; of neither sender nor reply ids. */
  readonly seen: string;
  /** When, as planned. */
  readonly at: number;
}

/** The reading of a message that is filled in; none for a one-time password, which could be found by trying all. */
export function readingOf(message: Message, template: Template | undefined, at: number): Reading | undefined {
  const kind = kindOf(message);
  const text = kind.needsSecret(message) ? undefined : kind.text(message, template);
  if (text === undefined) return undefined;
  const language = 'language' in message ? message.language?.code : undefined;
  const media = kind.attachments(message).map(({ value }) => value);
  // An SMS is its text, wherever that is registered; what else a template shows, Herald does not know.
  const name = 'text' in message ? undefined : kind.templateName(message);
  const seen = [message.kind, name, language, text, media];
  return { seen: hash('sha256', JSON.stringify(seen), 'base64url'), at };
}
