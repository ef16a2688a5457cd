import { z } from 'zod';
import { refuse, type Verdict } from './verdict.ts';

/** `+<country_code><number>`: chat-app `from`, RCS `number`. E.164 allows at most 15 digits. */
export const internationalNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must have the form +<country_code><number>');

/** A recipient MSISDN. The document does not say whether the plus belongs to it, so both forms are good. */
export const msisdn = z.string().regex(/^\+?[1-9]\d{6,14}$/, 'must be an MSISDN');

/** Digits without plus, as in the provider's own SMS example (`91XXXXXXXXXX`). */
export const digitsNumber = z.string().regex(/^[1-9]\d{6,14}$/, 'must be digits without a plus');

export const templateName = z
  .string()
  .regex(/^[a-z0-9_]+$/, 'only lowercase alphanumeric characters and underscores');

export const nonEmpty = z.string().min(1, 'must not be empty');

/** A host that the service could never reach from outside. */
const inside = /^(localhost|[^.]+|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*)$|^\[/;

export const httpUrl = z
  .string()
  .refine((value) => {
    if (!/^https?:\/\//.test(value)) return false;
    return URL.canParse(value);
  }, 'must be a URL that begins with https:// or http://')
  .refine((value) => {
    if (!URL.canParse(value)) return true;
    const { hostname, username, password } = new URL(value);
    return username + password === '' && !inside.test(hostname);
  }, 'the media could not be fetched from there');

export const imageUrl = httpUrl.refine(
  (value) => URL.canParse(value) && /(\.(jpg|jpeg|png)|\/[^.]*)$/i.test(new URL(value).pathname),
  'must be a JPG, JPEG or PNG',
);

/** "Values must not be null": the same sentence covers every value that is not a string. */
export const params = z.array(z.string('every value must be a string, not null'));

/** `+` and digits, whatever form the request used. */
export function toInternational(number: string): string {
  return number.startsWith('+') ? number : `+${number}`;
}

/**
 * Turns the first thing wrong with a body into a refusal: a field that is missing or unknown is code 100, a
 * value that breaks its rule 131009, a bad entry among the template's values 132015.
 *
 * @param value what was parsed
 * @param at where `value` stands in the body
 */
export function refuseShape(error: z.ZodError, value: unknown, at: readonly PropertyKey[] = []): Verdict {
  const issue = error.issues[0];
  if (!issue) return refuse(100, '', 'The request was not understood.');
  const field = fieldName([...at, ...issue.path]) || 'body';
  if (issue.code === 'unrecognized_keys') {
    const unknown = fieldName([...at, ...issue.path, issue.keys[0] ?? '']);
    return refuse(100, unknown, `${unknown} is not a field of this request.`);
  }
  if (valueAt(value, issue.path) === undefined) return refuse(100, field, `${field} is required.`);
  if (/(^|\.)params\[\d+\]$/.test(field)) return refuse(132015, field, `${field}: ${issue.message}.`);
  return refuse(131009, field, `${field}: ${issue.message}.`);
}

function fieldName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`;
    else name += name === '' ? String(part) : `.${String(part)}`;
  }
  return name;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
