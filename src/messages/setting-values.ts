import { z } from 'zod';

/** What the documents and a start-up message say of a key. */
export interface KeyMeta {
  /** One line. */
  readonly doc: string;
  /** Its value is shown nowhere. */
  readonly secret?: boolean;
  /** Said instead of the schema's default, e.g. "where the send was asked for". */
  readonly absent?: string;
}

/** Documents a key: every key of the environment and of `herald.yml` carries this. */
export function documented<Schema extends z.ZodType>(schema: Schema, meta: KeyMeta): Schema {
  return schema.meta({ ...meta });
}

export const AND = new Intl.ListFormat('en-GB');

/** An object with these keys and no others. */
export function section<Shape extends z.ZodRawShape>(shape: Shape, expected = namesOf(Object.keys(shape))) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? expected : undefined) });
}

/** A section that may be left out: its keys then have their defaults. */
export function optionalSection<Shape extends z.ZodRawShape>(shape: Shape, expected?: string) {
  return section(shape, expected).prefault({} as never);
}

function namesOf(keys: readonly string[]): string {
  return `the ${keys.length === 1 ? 'key' : 'keys'} ${AND.format(keys)}`;
}

/*
 * Values that several keys share. Each says what is expected, because that is what a start-up message shows.
 */

/** Times that must be above zero. */
export function positive(expected: string) {
  return z.number(expected).positive(expected);
}

export function wholeNumber(from: 0 | 1) {
  const expected = `a whole number from ${from}`;
  return z.int(expected).min(from, expected);
}

export function text(expected: string) {
  return z.string(expected).min(1, expected);
}

/** A Slack id, by the letter it begins with: C and G channels, U and W users, S user groups, A apps. */
export function slackId(kinds: string, what: string) {
  const expected = `the id of ${what}, e.g. ${kinds[0]}0123ABCD (in Slack: the bottom of its "about" page)`;
  return z
    .string(expected)
    .regex(/^[A-Z0-9]{3,}$/, expected)
    .refine((id) => kinds.includes(id.charAt(0)), expected);
}

export const channelId = slackId('CG', 'a channel');

const TIME_EXPECTED = 'a time of day in quotes, from "00:00" to "23:59"';
export const timeOfDay = z.string(TIME_EXPECTED).regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME_EXPECTED);

const ZONE_EXPECTED = 'an IANA time zone, e.g. Asia/Kolkata';
export const timeZone = z.string(ZONE_EXPECTED).refine(isTimeZone, ZONE_EXPECTED);

const URL_EXPECTED = 'an address that begins with https:// or http://';
const PLAIN_EXPECTED = 'scheme, host, port and path only, without a user name, a password, ? or #';
/** An absolute address without user name, query or fragment. */
export const webAddress = z
  .string(URL_EXPECTED)
  .refine((address) => /^https?:$/.test(URL.parse(address)?.protocol ?? ''), {
    error: URL_EXPECTED,
    abort: true,
  })
  .refine(isPlainAddress, PLAIN_EXPECTED);

function isTimeZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

function isPlainAddress(address: string): boolean {
  const { username, password, search, hash } = new URL(address);
  return [username, password, search, hash].every((part) => part === '');
}
