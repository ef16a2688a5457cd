import { z } from 'zod';

/** An object with these keys and no others. */
export function section<Shape extends z.ZodRawShape>(shape: Shape, expected: string) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? expected : undefined) });
}

/** A section that may be left out: its keys then have their defaults. */
export function optionalSection<Shape extends z.ZodRawShape>(shape: Shape, expected: string) {
  return section(shape, expected).prefault({} as never);
}

/*
 * Values that several keys share. Each says what is expected, because that is what a start-up message shows.
 */

/** Times that must be above zero. */
export function positive(expected: string) {
  return z.number({ error: expected }).positive({ error: expected });
}

export function wholeNumber(from: 0 | 1) {
  const expected = { error: `a whole number from ${from}` };
  return z.int(expected).min(from, expected);
}

export function text(expected: string) {
  return z.string({ error: expected }).min(1, { error: expected });
}

/** A Slack id, by the letter it begins with: C and G channels, U and W users, S user groups, A apps. */
export function slackId(kinds: string, what: string) {
  const expected = `the id of ${what}, e.g. ${kinds[0]}0123ABCD (in Slack: the bottom of its "about" page)`;
  return z
    .string({ error: expected })
    .regex(/^[A-Z0-9]{3,}$/, { error: expected })
    .refine((id) => kinds.includes(id.charAt(0)), { error: expected });
}

export const channelId = slackId('CG', 'a channel');

const TIME_EXPECTED = 'a time of day in quotes, from "00:00" to "23:59"';
export const timeOfDay = z
  .string({ error: TIME_EXPECTED })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: TIME_EXPECTED });

const ZONE_EXPECTED = 'an IANA time zone, e.g. Asia/Kolkata';
export const timeZone = z.string({ error: ZONE_EXPECTED }).refine(isTimeZone, { error: ZONE_EXPECTED });

const URL_EXPECTED = 'an address that begins with https:// or http://';
const PLAIN_EXPECTED = 'scheme, host, port and path only, without a user name, a password, ? or #';
/** An absolute address without user name, query or fragment. */
export const webAddress = z
  .string({ error: URL_EXPECTED })
  .refine((address) => /^https?:$/.test(URL.parse(address)?.protocol ?? ''), {
    error: URL_EXPECTED,
    abort: true,
  })
  .refine(isPlainAddress, { error: PLAIN_EXPECTED });

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
