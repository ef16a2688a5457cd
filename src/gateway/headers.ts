import { z } from 'zod';

const NAME = /^[a-z0-9-]{1,100}$/i;
/** Headers that undici or the protocol writes. */
const WRITTEN: ReadonlySet<string> = new Set(
  'accept connection expect host keep-alive te trailer transfer-encoding upgrade user-agent'.split(' '),
);
const KEYS = /\{\{(apiKey|basic)\}\}/g;
const EXAMPLE = '{ Authorization: "Bearer {{apiKey}}" }';

/**
 * `wire.headers`: how each request shows the key, `{ apikey: "{{apiKey}}" }` by default. `{{basic}}` is the key in base64, for a
 * key that is `user:password`. Other headers may stand beside it.
 */
export const headersSchema = z
  .record(
    z
      .string()
      .regex(NAME)
      .refine((name) => !WRITTEN.has(name.toLowerCase()) && !/^content-/i.test(name)),
    z.string().regex(/^[\x20-\x7e]{1,500}$/, 'Write plain ASCII on one line, in quotes.'),
    { error: `Write headers that Herald does not write itself, and what they hold, e.g. ${EXAMPLE}.` },
  )
  .refine((headers) => Object.values(headers).some((form) => form.search(KEYS) >= 0), {
    error: `No header holds the key: write it as {{apiKey}} or {{basic}}, e.g. ${EXAMPLE}.`,
  })
  .default({ apikey: '{{apiKey}}' });

export function inBase64(apiKey: string): string {
  return Buffer.from(apiKey).toString('base64');
}

export function filledHeaders(headers: Readonly<Record<string, string>>, apiKey: string): readonly string[] {
  const written = (_form: string, name: string) => (name === 'basic' ? inBase64(apiKey) : apiKey);
  return Object.entries(headers).flatMap(([name, form]) => [name, form.replaceAll(KEYS, written)]);
}
