import type { WebhookBody } from '../../sends/replies/event.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { type AnswerSecrets, NO_SECRETS } from '../secrets.ts';

/** A body as far as it could be understood. */
export type ReadBody =
  | { readonly kind: 'structure'; readonly value: object; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

const decoder = new TextDecoder('utf-8', { fatal: false });
const LONGEST_FIELD_NAME = 100;

/**
 * JSON or a form, whatever the content type says of it: JSON is tried first. Bytes that are not UTF-8 become
 * replacement characters.
 */
export function readWebhookBody(
  { contentType = '', bytes }: WebhookBody,
  { cover }: AnswerSecrets = NO_SECRETS,
): ReadBody {
  const text = cover(decoder.decode(bytes).trim());
  const json = parseJson(text);
  // A text in quotes or a bare number says nothing that could be read further.
  if (typeof json === 'object' && json !== null) return { kind: 'structure', value: json, text };
  const isForm = /x-www-form-urlencoded/i.test(contentType) || looksLikeForm(text);
  return isForm && text !== '' ? { kind: 'structure', value: formOf(text), text } : { kind: 'text', text };
}

/** Field names are short; what is long before its first `=` is something else. */
function looksLikeForm(text: string): boolean {
  return /^[\w.[\]%+-]+=[^{}<>\s]*$/.test(text) && text.indexOf('=') <= LONGEST_FIELD_NAME;
}

/** Fields by name, with `reply[id]` and `reply.id` as members of `reply`. */
function formOf(text: string): object {
  const form: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(form, name, value);
  return form;
}

function put(form: Record<string, unknown>, name: string, value: unknown): void {
  const path = name.split(/[.[\]]+/).filter((part) => part !== '');
  const last = path.pop();
  if (last === undefined || path.length > 8) {
    form[name] = value;
    return;
  }
  let at = form;
  for (const step of path) {
    const next = at[step];
    const object = isJsonObject(next) ? (next as Record<string, unknown>) : Object.create(null);
    at[step] = object;
    at = object;
  }
  at[last] = value;
}
