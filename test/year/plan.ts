import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';

/** Shared by the test of a year and the processes that live it. */

export const DAY_MS = 24 * 3_600_000;
export const FIRST_DAY = Date.UTC(2026, 0, 1);
export const PSEUDONYM_KEY = 'a-key-that-nobody-guesses';
/** Numbers go after 90 days and texts after 60, so that both happen while this version runs. */
export const RETENTION = { recipients: 90, texts: 60, webhooks: 30, answers: 90, lists: 90 };
/** A backup copies and checks the whole file: there is one every seventh night. */
export const BACKUPS = { everyDays: 7, keep: 14 };

/** Some days of the year. */
export interface Span {
  readonly folder: string;
  readonly from: number;
  /** The day after the last one. */
  readonly to: number;
}

/** What was done, and must still be known at the end of the year. */
export type Done =
  | { readonly what: 'send'; readonly id: string; readonly day: number; readonly rows: number }
  | { readonly what: 'opt-out'; readonly number: string }
  | { readonly what: 'backup'; readonly ms: number; readonly bytes: number }
  | { readonly what: 'removed'; readonly counts: Readonly<Record<string, number>> };

/** A thousand in 365 days: every tenth to many. */
export const sendsOn = (day: number) =>
  Array.from({ length: Math.floor(((day + 1) * 1_000) / 365) - Math.floor((day * 1_000) / 365) }, (_, n) => {
    const count = Math.floor((day * 1_000) / 365) + n;
    return { id: `S-${count}`, rows: count % 10 === 0 ? 100 : 1 };
  });

export const optsOutOn = (day: number) => day % 5 === 0;

export const numberOf = (day: number, row: number) =>
  `+9198${String(day * 10_000 + row).padStart(8, '0')}` as Msisdn;
