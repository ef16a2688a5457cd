import type { Message } from '../../messages/kinds.ts';
import type { Failure } from '../outcome.ts';
import type { TemplateKey } from './store.ts';

/** What is probably wrong with a template, by the service's code. */
export type TemplateDoubt = 'placeholders' | 'registration' | 'parameters';

/** Codes of the interface document for templates that differ between catalogue and service. */
const DOUBTS: ReadonlyMap<string, TemplateDoubt> = new Map([
  ['132000', 'placeholders'],
  ['132001', 'registration'],
  ['132015', 'parameters'],
]);

export function templateDoubt(code: string | undefined): TemplateDoubt | undefined {
  return DOUBTS.get(code ?? '');
}

/** The template to check after a failure, with the code; undefined for other failures. */
export function templateAtFault(
  message: Message,
  failure: Pick<Failure, 'code'> | undefined,
): { readonly key: TemplateKey; readonly code: string } | undefined {
  const code = failure?.code;
  if (code === undefined || templateDoubt(code) === undefined || !('templateName' in message))
    return undefined;
  return { key: { channel: message.kind, name: message.templateName }, code };
}
