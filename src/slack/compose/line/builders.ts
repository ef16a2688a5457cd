import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';

/** Whether a kind is made in a form out of parts, instead of a template or a text. */
export function isBuilder(kind: MessageKind): boolean {
  return 'builds' in KINDS[kind].command;
}

/** Kinds that are built, by the word of their name after this kind's command. */
export function buildersOf(kind: MessageKind): readonly MessageKind[] {
  return MESSAGE_KINDS.filter((one) => isBuilder(one) && KINDS[one].channel === kind);
}

/** A form of a kind without templates that begins with a text. */
export function valuesWithText(kind: MessageKind, text: string): FormValues {
  const { textPath = [] } = KINDS[kind];
  if (text === '') return {};
  const [root = '', ...rest] = textPath;
  return { [root]: rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), text) };
}
