import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { type Recent, recentOf } from '../../../src/sends/bulk/recent.ts';
import { heldAt, type Judged, leftOut, startText, warningsOf } from '../../../src/sends/bulk/warnings.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { Send } from '../../../src/sends/send.ts';

const DAY = 24 * 3_600_000;
/** Half past ten in the evening in India, one in the morning in Singapore. */
const NIGHT = Date.UTC(2026, 0, 5, 17, 0);
const NO_ONE = { pending: 0, attempting: 0, accepted: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 0 };
const PROMO: Message = { kind: 'sms', sender: 'ACME', text: 'Sale today', type: 'PROMO', unicode: false };
const QUIET = createQuietHours([
  { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' },
  { country: 'SG', types: ['PROMO'], from: '22:00', to: '08:00', timezone: 'Asia/Singapore' },
]);
const NOTHING: Recent = { went: [], waiting: [], looked: 3, reached: 0 };

function sendOf(over: Partial<Send> = {}): Send {
  return {
    id: 'S-1',
    kind: 'sms',
    message: PROMO,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    state: 'awaiting_approval',
    recipientCount: 3_004,
    createdAt: NIGHT,
    counts: { ...NO_ONE, pending: 3_004 },
    audience: { id: 'A', columns: ['name', 'link'] },
    ...over,
  };
}

function warnings({ send = sendOf(), ...over }: Partial<Judged> = {}): readonly string[] {
  const judged = { template: undefined, audience: undefined, failures: [], held: [], exact: true };
  return warningsOf({ ...judged, recent: NOTHING, send, ...over });
}

const survey = (more: Partial<NonNullable<Send['survey']>>) => ({ recipients: 3_004, rows: [], ...more });

it('finds nothing in what is as it should be', () => {
  expect(warnings()).toEqual([]);
});

describe('quiet hours', () => {
  const held = (countries: Record<string, number>, send = sendOf(), at = NIGHT) =>
    heldAt(at, send, countries, QUIET);

  it('are told by when they end, with how many of which countries they hold', () => {
    const some = held({ IN: 2_000, SG: 180, GB: 824 });
    expect(warnings({ held: some })).toEqual([
      'Quiet hours hold 2,000 of 3,004 recipients until 10:00 (Asia/Kolkata): India.',
      'Quiet hours hold 180 of 3,004 recipients until 08:00 (Asia/Singapore): Singapore.',
    ]);
    expect(warnings({ held: held({ IN: 3_004 }) })).toEqual([
      'Quiet hours hold all 3,004 recipients until 10:00 (Asia/Kolkata): India.',
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
      startText(send, { missing, held: held(countries), exact: true });
    expect(start({ GB: 3_004 })).toBe('It starts at once.');
    expect(start({ IN: 2_180, GB: 824 })).toBe('824 go out at once; 2,180 wait until 10:00 (Asia/Kolkata).');
    expect(start({ IN: 3_004 })).toBe('All 3,004 wait until 10:00 (Asia/Kolkata).');
    expect(start({ IN: 2_180, GB: 824 }, sendOf({ startAt: NIGHT + DAY }))).toBe(
      'It starts at the time shown; approved later, it waits until somebody resumes it. 824 go out then; 2,180 wait until 10:00 (Asia/Kolkata).',
    );
    expect(start({ GB: 3_004 }, sendOf({ startAt: NIGHT + DAY }), 3)).toBe(
      'It starts at the time shown, once 2 more people have approved; approved later, it waits until somebody resumes it.',
    );
    expect(start({ IN: 3_004 }, sendOf(), 2)).toBe(
      'It starts once 1 more person has approved, unless quiet hours hold it then.',
    );
    const rcs: Message = { kind: 'rcs', variant: 'plain', templateName: 'a', botId: 'b', type: 'PRETRANS' };
    expect(start({ GB: 1 }, sendOf({ message: rcs }), 3)).toBe('It starts once 2 more people have approved.');
    const some = { missing: 1, held: held({ IN: 2_180, GB: 824 }), exact: false };
    expect(startText(sendOf(), some)).toBe(
      'About 824 go out at once; about 2,180 wait until 10:00 (Asia/Kolkata).',
    );
    const but = sendOf({ counts: { ...NO_ONE, pending: 3_000, skipped: 4 } });
    expect(start({ IN: 3_000 }, but)).toBe('All 3,000 wait until 10:00 (Asia/Kolkata).');
  });
});

describe('values', () => {
  it('that read oddly are counted, with the first of them', () => {
    const odd = { count: 12, row: 14, column: 'name', value: '#N/A' };
    expect(warnings({ send: sendOf({ survey: survey({ odd }) }) })).toEqual([
      '12 rows have a value that reads oddly, such as “#N/A” in row 14, column “name”.',
    ]);
    expect(warnings({ send: sendOf({ survey: survey({ odd: { ...odd, count: 1, value: ' ' } }) }) })).toEqual(
      ['1 row has a value that reads oddly, such as nothing in row 14, column “name”.'],
    );
  });

  it('that say something else than most are counted, with the most different of them', () => {
    const different = [
      { count: 480, row: 17, column: 'name', value: 'You owe us 500' },
      { count: 1, row: 2_001, column: 'link', value: '' },
    ];
    expect(warnings({ send: sendOf({ survey: survey({ different }) }) })).toEqual([
      '480 rows say something else than the other 2,524, such as “You owe us 500” in row 17, column “name”.',
      '1 row says something else than the other 3,003, such as nothing in row 2,001, column “link”.',
    ]);
  });

  it('typed with braces that nothing fills stand out, those of columns do not', () => {
    const text = (typed: string) => warnings({ send: sendOf({ message: { ...PROMO, text: typed } }) });
    expect(text('Hello {{name}}')).toEqual([]);
    expect(text('Hello {name}, {{name}}')).toEqual(['“{name}” stands in the message as it was typed.']);
    expect(text('Hello {{name')).toEqual(['“{{” stands in the message as it was typed.']);
  });

  it('with links that are not https are told, in the list and in the message', () => {
    const insecure = { count: 2, row: 3, column: 'link', value: 'http://a.test' };
    expect(warnings({ send: sendOf({ survey: survey({ insecure }) }) })).toEqual([
      '2 rows have a link that is not https, such as “http://a.test” in row 3, column “link”.',
    ]);
    const text = 'See http://a.test/x and https://b.test';
    expect(warnings({ send: sendOf({ message: { ...PROMO, text } }) })).toEqual([
      'A link is not https: http://a.test/x',
    ]);
    const header = { type: 'image', link: 'http://a.test/b.png' } as const;
    const message: Message = {
      kind: 'chatapp',
      variant: 'image',
      from: '+919876543210' as Msisdn,
      templateName: 'photo',
      params: [],
      header,
    };
    expect(warnings({ send: sendOf({ message }) })).toEqual(['A link is not https: http://a.test/b.png']);
  });
});

it('tells the rows that were left out, by cause', () => {
  const failure = {
    what: 'The column “name” is empty in this row.',
    next: 'Correct it.',
    scope: 'recipient',
  } as const;
  const audience = { counts: { read: 9, valid: 4, duplicate: 1, opted_out: 2, invalid: 0 } };
  expect(warnings({ audience, failures: [{ state: 'skipped', failure, count: 3 }] })).toEqual([
    '6 rows are left out: 1 duplicate, 2 opted out, 3 (The column “name” is empty in this row).',
  ]);
});

it('names five causes at most, without their full stop, and says that one row is left out', () => {
  const failure = (what: string) => ({ what, next: 'Correct it.', scope: 'recipient' }) as const;
  const counts = { read: 9, valid: 0, duplicate: 2, opted_out: 0, invalid: 1_000 };
  const skipped = ['No name.', 'No link.', 'No code'].map((what, n) => ({
    state: 'skipped' as const,
    failure: failure(what),
    count: n + 1,
  }));
  const rejected = { state: 'rejected', failure: failure('No.'), count: 7 } as const;
  const told = '2 duplicates, 1,000 invalid, 1 (No name), 2 (No link), 3 (No code)';
  expect(leftOut({ audience: { counts }, failures: [...skipped, rejected] })).toEqual([
    `1,008 rows are left out: ${told}.`,
  ]);
  const more = [...skipped, { state: 'skipped' as const, failure: failure('No sender.'), count: 1 }];
  expect(leftOut({ audience: { counts }, failures: more })).toEqual([`1,009 rows are left out: ${told}, ….`]);
  expect(leftOut({ audience: undefined, failures: more.slice(3) })).toEqual([
    '1 row is left out: 1 (No sender).',
  ]);
  expect(leftOut({ audience: { counts: { ...counts, duplicate: 0, invalid: 0 } }, failures: [] })).toEqual(
    [],
  );
});

describe('what went out lately', () => {
  const sent = { activeAt: NIGHT - 1, state: 'done', counts: { ...NO_ONE, accepted: 9 } } as const;
  const recent = (others: readonly Send[], { send = sendOf(), reached = 0, numbers = 3 } = {}) => {
    const asked: (readonly Msisdn[])[] = [];
    const store = {
      bulkSince: async () => others,
      reachedSince: async (some: readonly Msisdn[]) => {
        asked.push(some);
        return reached;
      },
    };
    const list = Array.from({ length: numbers }, (_none, index) => `+9198${10_000_000 + index}` as Msisdn);
    return recentOf(send, undefined, list, { store, now: NIGHT }).then((found) => ({ found, asked }));
  };

  it('is told when it has the same text, or asks for it', async () => {
    const { found } = await recent([
      sendOf({ id: 'S-2', ...sent }),
      sendOf({ id: 'S-3' }),
      sendOf({ id: 'S-4', ...sent, activeAt: NIGHT - DAY - 1 }),
      sendOf({ id: 'S-5', ...sent, message: { ...PROMO, text: 'Another' } }),
      sendOf({ id: 'S-6', state: 'rejected' }),
      sendOf({ id: 'S-7', ...sent, counts: { ...NO_ONE, rejected: 9 } }),
      sendOf(),
    ]);
    expect(warnings({ recent: found })).toEqual([
      'The same text went out in the last 24 hours: S-2.',
      'The same text is asked for by S-3, not begun yet.',
    ]);
  });

  it('names three of many', () => {
    const went = ['S-2', 'S-3', 'S-4', 'S-5', 'S-6'];
    expect(warnings({ recent: { ...NOTHING, went } })).toEqual([
      'The same text went out in the last 24 hours: S-2, S-3, S-4, 2 more.',
    ]);
  });

  it('is no news of a retry, which has the text of its original', async () => {
    const retry = sendOf({ id: 'S-9', retryOf: 'S-2', retryGroup: 'failed' });
    const others = [sendOf({ id: 'S-2', ...sent }), sendOf({ id: 'S-8', ...sent, retryOf: 'S-2' })];
    expect((await recent(others, { send: retry })).found).toMatchObject({ went: [], waiting: [] });
  });

  it('is told when most of the recipients had it, of whom at most 500 are looked up', async () => {
    const { found, asked } = await recent([], { reached: 300, numbers: 2_000 });
    expect(asked[0]).toHaveLength(500);
    expect(warnings({ recent: found })).toEqual([
      'Most recipients had a message in the last 24 hours: 300 of 500 that were looked at.',
    ]);
    expect(warnings({ recent: { ...found, reached: 250 } })).toEqual([]);
    expect((await recent([], { numbers: 0 })).asked).toEqual([]);
  });
});
