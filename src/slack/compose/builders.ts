import type { MessageKind } from '../../messages/message.ts';

/** Kinds that are made in a form out of parts, instead of a template or a text. */
export const BUILDERS = ['interactive', 'address'] as const satisfies readonly MessageKind[];
export type BuilderKind = (typeof BUILDERS)[number];

export function isBuilder(kind: MessageKind): kind is BuilderKind {
  return BUILDERS.some((builder) => builder === kind);
}

/** Where a builder's form holds the text of the message. */
export function builderValues(kind: BuilderKind, text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  return kind === 'interactive' ? { interactive: { body: { text } } } : { body: { text } };
}
