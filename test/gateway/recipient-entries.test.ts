import { describe, expect, it } from 'vitest';
import { growthOf } from '../growth.ts';
import { table } from '../table.ts';
import { judgedAnswer } from './judged.ts';
import { answersOf } from './published.ts';

const A = '919812345678';
const B = '6591234567';
const C = '14155550123';
const THREE = [A, B, C];

interface Setting {
  readonly status?: number;
  readonly numbers?: readonly string[];
  readonly wire?: object;
}

/** What a request to `numbers` came to: of each, where the answer has entries for them, and as a whole. */
function answered(body: unknown, { numbers = THREE, ...setting }: Setting = {}) {
  const recipients = numbers.map((digits) => ({ number: `+${digits}` }));
  const { each, ...whole } = judgedAnswer(body, { ...setting, recipients, hasTemplate: false });
  return { whole, each };
}

/** Of each recipient its state, with the id of its message. */
function states(body: unknown, setting?: Setting): string | undefined {
  const each = answered(body, setting).each?.map((outcome) =>
    'messageId' in outcome ? `${outcome.state} ${outcome.messageId}` : outcome.state,
  );
  return each?.join(', ');
}

describe('an entry for each recipient', () => {
  it.each(answersOf('An entry for each recipient'))('%s', (_, body, expected) => {
    expect(states(body)).toBe(expected);
  });

  it.each([
    ['+91 98123 45678', '00 65 9123 4567', '+1 (415) 555-0123'],
    ['9812345678', '91234567', '4155550123'],
    ['09812345678', '091234567', '1-415-555-0123'],
    ['tel:+919812345678', 'whatsapp:+6591234567', '+1.415.555.0123'],
  ])('is found by the number as %s, %s, %s', (...spellings) => {
    const data = spellings.map((to, n) => ({ to, id: `m-${n}` })).toReversed();
    expect(states({ data })).toBe('accepted m-0, accepted m-1, accepted m-2');
  });

  it('is found by the number with the digit of mobile phones that the request lacks, and the other way round', () => {
    const numbers = ['525512345678', '5511987654321'];
    const data = [
      { to: '551187654321', id: 'br' },
      { to: '5215512345678', id: 'mx' },
    ];
    expect(states({ data }, { numbers })).toBe('accepted mx, accepted br');
  });

  it('is judged by the codes, and explained by the words, of nobody else', () => {
    const errors = [
      { code: 100, message: 'This one is in a country that is closed' },
      { code: 132000, message: 'Three values, not two' },
      { code: 4711, message: 'Something else' },
    ];
    const { each } = answered({ data: errors.map((error, at) => ({ to: THREE[at], error })) });
    expect(each).toMatchObject([
      { state: 'rejected', failure: { code: '100', scope: 'recipient', explanation: errors[0]?.message } },
      { state: 'rejected', failure: { code: '132000', scope: 'send', explanation: errors[1]?.message } },
      { state: 'unknown', failure: { code: '4711', explanation: errors[2]?.message } },
    ]);
  });

  it('has no secret in what is quoted of it', () => {
    const data = [
      { to: A, error: 'The key key-of-the-team-77 may not' },
      { to: B, id: '2' },
    ];
    const { each } = answered({ data }, { numbers: [A, B] });
    expect(each).toMatchObject([{ failure: { explanation: 'The key ••• may not' } }, { state: 'accepted' }]);
  });
});

describe('an entry of which nothing is certain', () => {
  const [one, three] = [`{"to":"${A}","id":"1"}`, `{"to":"${C}","id":"3"}`];
  it.each(table`
says nothing | [${one}, {"to":"${B}","price":3}, ${three}]
is there twice | [${one}, {"to":"${B}","id":"2"}, ${three}, {"to":"${B}","id":"2"}]
contradicts another | [${one}, {"to":"${B}","status":"sent"}, {"to":"${B}","status":"failed"}, ${three}]`)(
    'that %s makes its recipient unknown, and nobody else',
    (_, data = '') => {
      expect(states({ status: 'OK', data: JSON.parse(data) })).toBe('accepted 1, unknown, accepted 3');
    },
  );

  it('says no success where the status of the whole answer says no', () => {
    const data = [
      { to: A, id: '1', status: 'queued' },
      { to: B, error: 'Invalid' },
      { to: C, error: 'Invalid' },
    ];
    for (const status of [400, 401, 403, 404, 422])
      expect(states({ data }, { status })).toBe('unknown 1, rejected, rejected');
    expect(states({ data }, { status: 500 })).toBe('unknown 1, unknown, unknown');
  });

  it('makes a 429 no leave to try again', () => {
    const data = [
      { to: A, id: '1', status: 'queued' },
      { to: B, error: 'Too many' },
    ];
    const { whole, each } = answered({ data }, { status: 429, numbers: [A, B] });
    expect([whole.state, each]).toEqual(['unknown', undefined]);
  });
});

describe('entries for some only', () => {
  const refused = { to: B, error: { code: 131009 } };
  const ELSE = '4915112345678';

  it.each<[object, string]>([
    [{ status: 'OK', id: 'all', data: [refused] }, 'accepted all, rejected, accepted all'],
    [{ success: true, errors: [refused] }, 'accepted, rejected, accepted'],
    [{ accepted: 2, rejected: 1, errors: [refused] }, 'unknown, rejected, unknown'],
    [{ status: 'failed', data: [{ to: B, id: 'm-2' }] }, 'unknown, unknown m-2, unknown'],
    // It says nothing of the others, or refuses.
    [{ data: [refused] }, 'unknown, rejected, unknown'],
    [{ code: 132000, data: [{ to: B, id: 'm-2' }] }, 'unknown, unknown m-2, unknown'],
    // An entry for somebody who was not written to, or for nobody.
    [
      {
        status: 'OK',
        data: [
          { to: A, id: '1' },
          { to: ELSE, error: 'Invalid' },
        ],
      },
      'accepted 1, unknown, unknown',
    ],
    [{ status: 'OK', data: [{ to: A, id: '1' }, { error: 'Invalid' }] }, 'accepted 1, unknown, unknown'],
  ])('leave the others what the rest of the answer says: %j', (body, expected) => {
    expect(states(body)).toBe(expected);
  });

  it('leave them unknown where the status refuses', () => {
    for (const status of [400, 401, 422])
      expect(states({ message: 'No', data: [refused] }, { status })).toBe('unknown, rejected, unknown');
  });

  it('leave everybody unknown where the answer is cut off', () => {
    const data = THREE.map((to, n) => ({ to, id: `m-${n}`, status: 'queued' }));
    const whole = JSON.stringify({ status: 'OK', data });
    for (const lost of [8, 20]) expect(states(whole.slice(0, -lost))).toBe('unknown, unknown, unknown');
  });
});

describe('a list that is not of the recipients', () => {
  it.each(table`
repeats the numbers | {"status":"queued","id":"b-1","to":["+${A}","+${B}","+${C}"]}
is of another length | {"status":"queued","id":"b-1","parts":[{"id":"p-1"},{"id":"p-2"}]}
says nothing | {"status":"queued","id":"b-1","warnings":["one","two","three"]}
stands in another | {"status":"queued","id":"b-1","all":[{"parts":[{"id":1},{"id":2},{"id":3}]}]}`)(
    'and %s leaves the answer as it was',
    (_, body) => {
      const whole = { state: 'accepted', status: 200, messageId: 'b-1' };
      expect(answered(body)).toEqual({ whole, each: undefined });
    },
  );

  it('is not read in the order of the request where it has a number that was not written to', () => {
    const data = [{ id: '1' }, { id: '2', to: '4915112345678' }, { id: '3' }];
    expect(states({ data })).toBeUndefined();
  });

  it('names nobody of two whose numbers end alike', () => {
    const numbers = ['919812345678', '659812345678'];
    const data = [
      { to: '12345678', id: '1' },
      { to: numbers[1], id: '2' },
    ];
    expect(states({ data }, { numbers })).toBe('unknown, accepted 2');
  });
});

describe('what the account describes', () => {
  const data = [
    { mobile: A, id: 'a1', status: 'AWAITED-DLR' },
    { mobile: B, id: 'a2', status: 'INVALID-NUM' },
    { mobile: C, id: 'a3', status: 'BLACKLISTED' },
  ];
  const success = { path: 'data.status', values: ['AWAITED-DLR'] };

  it('is asked of each entry', () => {
    const failure = { path: 'data.status', values: ['INVALID-NUM'] };
    const wire = { success, failure };
    const keyed = Object.fromEntries(data.map(({ mobile, ...entry }) => [mobile, entry]));
    for (const entries of [data, keyed])
      expect(states({ status: 'OK', data: entries }, { wire })).toBe('accepted a1, rejected, unknown a3');
  });

  it('is asked of the answer where it stands there, and then of no entry', () => {
    const wire = { success: { path: 'status', values: ['OK'] } };
    const clear = data.map((one) => ({ ...one, status: one.mobile === A ? 'queued' : 'failed' }));
    expect(states({ status: 'OK', data: clear }, { wire })).toBe('accepted a1, unknown a2, unknown a3');
    expect(states({ status: 'NO', data: clear }, { wire })).toBe('unknown a1, unknown a2, unknown a3');
  });
});

it('is read to the last of a thousand', () => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => `91981234${5_000 + n}`);
  const data = numbers.map((mobile, n) => ({
    mobile,
    id: `6c5e9eb8-0000-4000-8000-${n}`,
    status: n === 999 ? 'failed' : 'queued',
    charges: 1,
    note: { group: 'a', name: 'b', parts: 1, price: '0.1', currency: 'INR', sender: 'ACME', country: 'IN' },
  }));
  expect(states({ status: 'OK', data }, { numbers })).toMatch(
    /accepted 6c5e9eb8-0000-4000-8000-998, unknown 6c5e9eb8-0000-4000-8000-999$/,
  );
});

describe('what it costs to read', () => {
  const range = <T>(count: number, make: (n: number) => T) =>
    Array.from({ length: count }, (_, n) => make(n));
  const nested = (depth: number): unknown => (depth === 0 ? [{ to: A, id: '1' }] : { a: nested(depth - 1) });
  const bodies: readonly (readonly [string, (n: number, numbers: readonly string[]) => unknown])[] = [
    [
      'an entry for each',
      (_, numbers) => ({ data: numbers.map((to, at) => ({ to, id: at, status: 'sent' })) }),
    ],
    ['many entries for one', (n) => ({ data: range(n, (at) => ({ to: A, id: `${at}` })) })],
    ['many lists', (n) => Object.fromEntries(range(n, (at) => [`l${at}`, [{ to: A, id: `${at}` }]]))],
    ['many keys', (n) => ({ data: [{ to: A, ...Object.fromEntries(range(n, (at) => [`k${at}`, at])) }] })],
    ['keys that are numbers', (n) => Object.fromEntries(range(n, (at) => [`${at}`, { to: A, id: at }]))],
    ['many numbers in one entry', (n, numbers) => ({ data: [{ to: [...numbers], code: 7 }], n })],
    ['many numbers in its words', (_, numbers) => ({ error: { code: 131009, message: numbers.join(' ') } })],
    ['deep lists', (n) => ({ data: range(n / 100, () => nested(60)) })],
  ];

  it.each(bodies)('%s is read in proportion to its size', async (_, make) => {
    const made = (n: number) => {
      const numbers = range(n, (at) => `9198${10_000_000 + at}`);
      return { numbers, text: JSON.stringify(make(n, numbers)) };
    };
    const read = ({ text, numbers }: ReturnType<typeof made>) => answered(text, { numbers });
    expect(await growthOf(2_000, made, read)).toBe('in proportion');
  });
});
