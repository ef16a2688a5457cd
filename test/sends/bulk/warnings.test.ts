import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { DROPPED_IN_INDIA } from '../../../src/messages/sms/free-text.ts';
import { heldAt, type Judged, leftOut, startText, warningsOf } from '../../../src/sends/bulk/warnings.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { Send } from '../../../src/sends/send.ts';
import { NO_RECIPIENTS } from '../../fakes/sends.ts';

const DAY = 24 * 3_600_000;
/** Half past ten in the evening in India, one in the morning in Singapore. */
const NIGHT = Date.UTC(2026, 0, 5, 17, 0);
const PROMO: Message = { kind: 'sms', sender: 'ACME', text: 'Sale today', type: 'PROMO', unicode: false };
const QUIET = createQuietHours([
  { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' },
  { country: 'SG', types: ['PROMO'], from: '22:00', to: '08:00', timezone: 'Asia/Singapore' },
]);

function sendOf(over: Partial<Send> = {}): Send {
  return {
    id: 'S-1',
    kind: 'sms',
    message: PROMO,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    state: 'awaiting_approval',
    recipientCount: 3_004,
    createdAt: NIGHT,
    counts: { ...NO_RECIPIENTS, pending: 3_004 },
    audience: { id: 'A', columns: ['name', 'link'] },
    ...over,
  };
}

function warnings({ send = sendOf(), ...over }: Partial<Judged> = {}): readonly string[] {
  const judged = {
    template: undefined,
    audience: undefined,
    failures: [],
    held: [],
    exact: true,
    countries: {},
  };
  return warningsOf({ ...judged, mark: undefined, send, ...over });
}

/** Of a send whose survey found this. */
const found = (more: Partial<NonNullable<Send['survey']>>) =>
  warnings({ send: sendOf({ survey: { recipients: 3_004, rows: [], ...more } }) });
/** Of a send with this text. */
const typed = (text: string) => warnings({ send: sendOf({ message: { ...PROMO, text } }) });

it('finds nothing in what is as it should be', () => {
  expect(warnings()).toEqual([]);
});

it.each([
  ['asks', { IN: 2 }, {}, 1],
  ['refused', { IN: 2, SG: 1 }, { kind: 'flash' }, 1],
  ['asks', { SG: 2 }, {}, 0],
  ['asks', { IN: 2 }, { templateName: 'sale', params: [] }, 0],
  ['allowed', { IN: 2 }, {}, 0],
  [undefined, { IN: 2 }, {}, 0],
] as const)(
  'of a free text, %s, to %o it says what becomes of it in India',
  (freeText, countries, more, found) => {
    const send = sendOf({ message: { ...PROMO, ...more } as Message });
    expect(warnings({ send, freeText, countries })).toEqual([DROPPED_IN_INDIA].slice(0, found));
  },
);

describe('quiet hours', () => {
  const held = (countries: Record<string, number>, send = sendOf(), at = NIGHT) =>
    heldAt(at, send, countries, QUIET);

  it('are told by when they end, with how many of which countries they hold', () => {
    const some = held({ IN: 2_000, SG: 180, GB: 824 });
    expect(warnings({ held: some })).toEqual([
      'Quiet hours hold 2,000 of 3,004 people until 10:00 (Asia/Kolkata): India.',
      'Quiet hours hold 180 of 3,004 people until 08:00 (Asia/Singapore): Singapore.',
    ]);
    expect(warnings({ held: held({ IN: 3_004 }) })).toEqual([
      'Quiet hours hold all 3,004 people until 10:00 (Asia/Kolkata): India.',
    ]);
    expect(warnings({ held: some, exact: false })[0]).toContain('hold about 2,000 of 3,004');
  });

  it('that end at the same moment are told together, and only of countries with recipients', () => {
    const lanka = { country: 'LK', types: ['PROMO'], from: '20:00', to: '10:00', timezone: 'Asia/Kolkata' };
    const india = { ...lanka, country: 'IN' };
    const countries = { LK: 5, IN: 7, SG: 0 };
    const quiet = createQuietHours([lanka, india, { ...lanka, country: 'SG', to: '08:00' }]);
    expect(heldAt(NIGHT, sendOf(), countries, quiet)).toEqual([
      { count: 12, countries: ['Sri Lanka', 'India'], ends: '10:00 (Asia/Kolkata)' },
    ]);
  });

  it('hold numbers of no country as long as any', () => {
    expect(held({ '?': 4, SG: 1 })).toEqual([
      { count: 4, countries: ['no country'], ends: '10:00 (Asia/Kolkata)' },
      { count: 1, countries: ['Singapore'], ends: '08:00 (Asia/Singapore)' },
    ]);
  });

  it('hold nobody by day, of another type, and for an urgent alert', () => {
    expect(held({ IN: 9 }, sendOf(), Date.UTC(2026, 0, 5, 8, 0))).toEqual([]);
    expect(held({ IN: 9 }, sendOf({ message: { ...PROMO, type: 'TRANS' } }))).toEqual([]);
    const alert = { id: 'L', threadTs: '1', urgent: true };
    expect(held({ IN: 9 }, sendOf({ origin: { ...sendOf().origin, alert } }))).toEqual([]);
  });

  it('decide what the confirmation says of the start', () => {
    const start = (countries: Record<string, number>, send = sendOf(), missing = 1) =>
      startText(send, { what: '“Sale”', missing, held: held(countries), exact: true });
    expect(start({ GB: 3_004 })).toBe('“Sale” goes out at once.');
    expect(start({ IN: 2_180, GB: 824 })).toBe(
      '“Sale”: 824 go out at once; 2,180 wait until 10:00 (Asia/Kolkata).',
    );
    expect(start({ IN: 3_004 })).toBe('“Sale”: all 3,004 wait until 10:00 (Asia/Kolkata).');
    expect(start({ IN: 2_180, GB: 824 }, sendOf({ startAt: NIGHT + DAY }))).toBe(
      '“Sale” goes out at the time shown; approved later, it waits until somebody resumes it. 824 go out then; 2,180 wait until 10:00 (Asia/Kolkata).',
    );
    expect(start({ GB: 3_004 }, sendOf({ startAt: NIGHT + DAY }), 3)).toBe(
      '“Sale” goes out at the time shown, once 2 more people have approved; approved later, it waits until somebody resumes it.',
    );
    expect(start({ IN: 3_004 }, sendOf(), 2)).toBe(
      '“Sale” goes out once 1 more person has approved, unless quiet hours hold it then.',
    );
    const rcs: Message = { kind: 'rcs', variant: 'plain', templateName: 'a', botId: 'b', type: 'PRETRANS' };
    expect(start({ GB: 1 }, sendOf({ message: rcs }), 3)).toBe(
      '“Sale” goes out once 2 more people have approved.',
    );
    const some = { what: '“Sale”', missing: 1, held: held({ IN: 2_180, GB: 824 }), exact: false };
    expect(startText(sendOf(), some)).toBe(
      '“Sale”: about 824 go out at once; about 2,180 wait until 10:00 (Asia/Kolkata).',
    );
    const but = sendOf({ counts: { ...NO_RECIPIENTS, pending: 3_000, skipped: 4 } });
    expect(start({ IN: 3_000 }, but)).toBe('“Sale”: all 3,000 wait until 10:00 (Asia/Kolkata).');
  });
});

describe('values', () => {
  it('that read oddly are counted, with the first of them', () => {
    const odd = { count: 12, row: 14, column: 'name', value: '#N/A' };
    expect(found({ odd })).toEqual([
      '12 rows have a value that reads oddly, such as “#N/A” in row 14, column “name”.',
    ]);
    expect(found({ odd: { ...odd, count: 1, value: ' ' } })).toEqual([
      '1 row has a value that reads oddly, such as nothing in row 14, column “name”.',
    ]);
  });

  it('that say something else than most are counted, with the most different of them', () => {
    const different = [
      { count: 480, row: 17, column: 'name', value: 'You owe us 500' },
      { count: 1, row: 2_001, column: 'link', value: '' },
    ];
    expect(found({ different })).toEqual([
      '480 rows say something else than the other 2,524, such as “You owe us 500” in row 17, column “name”.',
      '1 row says something else than the other 3,003, such as nothing in row 2,001, column “link”.',
    ]);
  });

  it('typed with braces that nothing fills stand out, those of columns do not', () => {
    expect(typed('Hello {{name}}')).toEqual([]);
    expect(typed('Hello {name}, {{name}}')).toEqual(['“{name}” stands in the message as it was typed.']);
    expect(typed('Hello {{name')).toEqual(['“{{” stands in the message as it was typed.']);
  });

  it('with links that are not https are told, in the list and in the message', () => {
    const insecure = { count: 2, row: 3, column: 'link', value: 'http://a.test' };
    expect(found({ insecure })).toEqual([
      '2 rows have a link that is not https, such as “http://a.test” in row 3, column “link”.',
    ]);
    expect(typed('See http://a.test/x and https://b.test')).toEqual(['A link is not https: http://a.test/x']);
    const header = { type: 'image', link: 'http://a.test/b.png' } as const;
    const named = { from: '+919876543210' as Msisdn, templateName: 'photo', params: [] };
    const message = { kind: 'chatapp', variant: 'image', ...named, header } as const;
    expect(warnings({ send: sendOf({ message }) })).toEqual(['A link is not https: http://a.test/b.png']);
  });
});

const skipped = (what: string, count: number, short?: string) => {
  const failure = { what, next: 'Correct it.', scope: 'recipient', ...(short && { short }) } as const;
  return { state: 'skipped', failure, count } as const;
};

it('tells the rows that were left out, by cause', () => {
  const audience = { counts: { read: 9, valid: 4, duplicate: 1, opted_out: 2, invalid: 0 } };
  const failures = [skipped('Empty.', 3, 'without “name”'), skipped('Out.', 1, 'opted out')];
  expect(leftOut({ audience, failures })).toBe('7 rows left out: 1 twice, 3 opted out, 3 without “name”');
});

it('names five causes at most, without their full stop, and says that one row is left out', () => {
  const counts = { read: 9, valid: 0, duplicate: 2, opted_out: 0, invalid: 1_000 };
  const three = [skipped('No name.', 1), skipped('No link.', 2), skipped('No code', 3)];
  const rejected = { ...skipped('No.', 7), state: 'rejected' } as const;
  const told = '1,000 wrong numbers, 2 twice, 1 (No name), 2 (No link), 3 (No code)';
  const left = (failures: Judged['failures'], audience?: Judged['audience']) =>
    leftOut({ audience, failures });
  expect(left([...three, rejected], { counts })).toBe(`1,008 rows left out: ${told}`);
  const last = skipped('No sender.', 1);
  expect(left([...three, last], { counts })).toBe(`1,009 rows left out: ${told}, …`);
  expect(left([last])).toBe('1 row left out: 1 (No sender)');
  expect(left([], { counts: { ...counts, duplicate: 0, invalid: 0 } })).toBe(undefined);
});
