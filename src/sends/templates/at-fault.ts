import type { Message } from '../../messages/kinds.ts';
import type { Failure } from '../outcome.ts';
import type { TemplateKey } from './store.ts';

/** What of a template a code calls into question. */
export type TemplateDoubt = 'placeholders' | 'registration' | 'parameters';

/** The interface document's codes that say that catalogue and service do not agree on a template. */
const DOUBTS: Readonly<Record<string, TemplateDoubt>> = {
  '132000': 'placeholders',
  '132001': 'registration',
  '132015': 'parameters',
};

export function templateDoubt(code: string | undefined): TemplateDoubt | undefined {
  return code === undefined ? undefined : DOUBTS[code];
}

/** The template that a failure sends people to, with the code to compare it by; undefined for other failures. */
export function templateAtFault(
  message: Message,
  failure: Pick<Failure, 'code'> | undefined,
): { readonly key: TemplateKey; readonly code: string } | undefined {
  const code = failure?.code;
  if (code === undefined || templateDoubt(code) === undefined || !('templateName' in message))
    return undefined;
  return { key: { channel: message.kind, name: message.templateName }, code };
}
