import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURE_CODES } from '../../sandbox/carrier/failure-codes.ts';
import { SENTINELS } from '../../sandbox/carrier/sentinels.ts';
import { messageText } from '../../sandbox/message-text.ts';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

type State = 'accepted' | 'rejected' | 'not_sent' | 'unknown';

/** What the channel says for each state; the sentences are Herald's, the distinction is the promise. */
const SAYS: Readonly<Record<State, RegExp>> = {
  accepted: /accepted by the service/i,
  rejected: /nothing was sent/i,
  not_sent: /nothing was sent/i,
  unknown: /may have been sent/i,
};

/** The document's twelve codes: their outcome, and a word of their meaning that must reach the reader. */
const CODES: readonly (readonly [code: number, state: State, meaning: RegExp])[] = [
  [200, 'accepted', /accepted/i],
  [100, 'rejected', /invalid parameter/i],
  [131009, 'rejected', /parameter value/i],
  [132000, 'rejected', /number of/i],
  [132001, 'rejected', /language|approved/i],
  [132015, 'rejected', /template parameters/i],
  [131051, 'rejected', /unsupported message type/i],
  [131021, 'rejected', /same/i],
  [133010, 'rejected', /not registered/i],
  [133004, 'unknown', /temporarily unavailable/i],
  [131016, 'unknown', /temporarily unavailable/i],
  [131000, 'unknown', /unknown error/i],
];

const STATUSES: readonly (readonly [status: number, state: State])[] = [
  [200, 'accepted'],
  [201, 'accepted'],
  [204, 'accepted'],
  [400, 'rejected'],
  [401, 'rejected'],
  [403, 'rejected'],
  [404, 'rejected'],
  [405, 'rejected'],
  [408, 'unknown'],
  [413, 'rejected'],
  [422, 'rejected'],
  [500, 'unknown'],
  [502, 'unknown'],
  [503, 'unknown'],
];

const BEHAVIOURS: readonly (readonly [does: string, state: State])[] = [
  ['reset_before_answer', 'unknown'],
  ['reset_mid_answer', 'unknown'],
  ['html', 'accepted'],
  ['empty', 'accepted'],
  ['huge', 'accepted'],
  ['garbage', 'unknown'],
  ['redirect', 'unknown'],
];

let stack: E2eStack;
let asha: Person;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket' });
  asha = stack.person(ASHA);
});
afterAll(() => stack?.stop());

async function sendTo(number: string): Promise<string> {
  const conversation = stack.from(asha);
  expect(await asha.command(TEAM, `/chatapp order_update ${number} "Asha" "A-1"`)).toEqual({ ok: true });
  const settled = Object.values(SAYS)
    .map((pattern) => pattern.source)
    .join('|');
  const message = await conversation.message(new RegExp(settled, 'i'));
  expect(conversation.texts()).toHaveLength(1);
  return messageText(message);
}

function requestsTo(number: string): number {
  return stack.carrier.state().requests.filter(({ body }) => JSON.stringify(body).includes(`"${number}"`))
    .length;
}

const sentinel = (suffix: string): string => `+919999${suffix.padStart(6, '0')}`;

function expectOnly(text: string, state: State): void {
  const said = (Object.keys(SAYS) as State[]).filter((one) => SAYS[one].test(text));
  const same: State[] = state === 'rejected' || state === 'not_sent' ? ['rejected', 'not_sent'] : [state];
  expect(said, text).toEqual(same);
}

describe('the twelve codes, decoded in the channel', () => {
  test.each(CODES)('%i is %s', async (code, state, meaning) => {
    const number = sentinel(String(code));
    const text = await sendTo(number);
    expectOnly(text, state);
    expect(text).toMatch(meaning);
    if (state !== 'accepted') expect(text).toContain(String(code));
    expect(text).not.toContain(number.slice(1));
    expect(requestsTo(number)).toBe(1);
  });
});

describe('statuses without a code', () => {
  test.each(STATUSES)('HTTP %i is %s', async (status, state) => {
    const number = sentinel(`900${status}`);
    const text = await sendTo(number);
    expectOnly(text, state);
    if (state !== 'accepted') expect(text).toContain(String(status));
    expect(requestsTo(number)).toBe(1);
  });

  test('429 is waited for and sent once more, and reaches the phone once', async () => {
    const number = '+919999800010';
    expectOnly(await sendTo(number), 'accepted');
    expect(requestsTo(number)).toBe(2);
    expect(stack.carrier.state().phones[number]).toHaveLength(1);
  });
});

describe('what the service says itself', () => {
  test.each([100, 131009, 132000, 132015])('%i: its details stand in the channel', async (code) => {
    const details = (FAILURE_CODES[code]?.details ?? '').slice(0, -1);
    expect(details).not.toBe('');
    expect(await sendTo(sentinel(String(code)))).toContain(details);
  });

  test('under a 200 as well, with a listed code', async () => {
    const text = await sendTo(sentinel('800013'));
    expectOnly(text, 'rejected');
    expect(text).toContain('code 132015: template parameters invalid or missing');
    expect(text).toContain('The template is paused');
  });
});

describe('a 200 with an error in it that no list has', () => {
  test.each([
    ['800011', '401', 'Unauthorized'],
    ['800012', '131026', 'Message undeliverable'],
  ])('%s may have been sent, with code %s and the service’s words', async (suffix, code, said) => {
    const number = sentinel(suffix);
    const text = await sendTo(number);
    expectOnly(text, 'unknown');
    expect(text).toContain(`code ${code}, not in Herald’s list`);
    expect(text).toContain(`The service says: \`${said}`);
    expect(requestsTo(number)).toBe(1);
    expect(stack.carrier.state().phones[number] ?? []).toEqual([]);
  });
});

describe('what the connection does', () => {
  test.each(BEHAVIOURS)('%s is %s, and is asked once', async (does, state) => {
    const number = SENTINELS.find((one) => one.does.type === does)?.number ?? '';
    expectOnly(await sendTo(number), state);
    expect(requestsTo(number)).toBe(1);
    expect(stack.carrier.state().requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });
});

describe('a catalogue that disagrees with the service', () => {
  test('the real 132000: the service’s template has three placeholders, the team’s two', async () => {
    const other = await startStack({
      mode: 'socket',
      config: TEAM_CONFIGURATION,
      registered: {
        templates: [{ channel: 'chatapp', name: 'order_update', variant: 'text', placeholders: 3 }],
        senders: {},
      },
    });
    try {
      const person = other.person(ASHA);
      const conversation = other.from(person);
      await person.command(TEAM, '/chatapp order_update +6591234567 "Asha" "A-1"');
      const text = messageText(await conversation.message(/132000/));
      expectOnly(text, 'rejected');
      expect(text).toContain('“Order update”');
      expect(text).toContain('[Look at the template]');
      expect(other.carrier.state().phones).toEqual({});
    } finally {
      await other.stop();
    }
  });
});
