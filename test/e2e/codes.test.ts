import { expect, test } from 'vitest';
import { FAILURE_CODES } from '../../sandbox/carrier/failure-codes.ts';
import { SENTINELS } from '../../sandbox/carrier/sentinels.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, TEAM } from './team.ts';

/* What the channel says of an answer of the service; test/gateway/outcome.test.ts has each code, status and answer. */

/** The sentences are Herald's, the distinction is the promise. */
const SAYS = {
  accepted: /accepted by the service/i,
  'not sent': /nothing was sent/i,
  unknown: /may have been sent/i,
} as const;

const stack = runningStack();

/** What the channel says of a message to `number`, and which of the three that is. */
async function sendTo(number: string, of = stack) {
  const asha = of.person(ASHA);
  const conversation = of.from(asha);
  expect(await asha.command(TEAM, `/chatapp order_update ${number} "Asha" "A-1"`)).toEqual({ ok: true });
  const any = Object.values(SAYS).map(({ source }) => source);
  const text = messageText(await conversation.message(new RegExp(any.join('|'), 'i')));
  expect(conversation.texts()).toHaveLength(1);
  expect(text).not.toContain(number.slice(1));
  return { text, says: Object.entries(SAYS).flatMap(([state, words]) => (words.test(text) ? state : [])) };
}

const requestsTo = (number: string) =>
  stack.carrier.state().requests.filter(({ body }) => JSON.stringify(body).includes(`"${number}"`)).length;

test('a code that refuses: nothing was sent, what it means, and what the service says itself', async () => {
  const number = '+919999131009';
  const { text, says } = await sendTo(number);
  expect(says).toEqual(['not sent']);
  expect(text).toMatch(/131009.*parameter value/);
  expect(text).toContain((FAILURE_CODES[131009]?.details ?? '?').slice(0, -1));
  expect(requestsTo(number)).toBe(1);
});

test('429 is waited for and sent once more, and reaches the phone once', async () => {
  const number = '+919999800010';
  expect(await sendTo(number)).toMatchObject({ says: ['accepted'] });
  expect(requestsTo(number)).toBe(2);
  expect(stack.phone(number)).toHaveLength(1);
});

test('a 200 with an error in it that no list has may have been sent, with the service’s words', async () => {
  const number = '+919999800012';
  const { text, says } = await sendTo(number);
  expect(says).toEqual(['unknown']);
  expect(text).toContain('code 131026, not in Herald’s list');
  expect(text).toContain('The service says: `Message undeliverable');
  expect(requestsTo(number)).toBe(1);
  expect(stack.phone(number)).toEqual([]);
});

test('an answer that breaks off may have been sent, and is asked for once', async () => {
  const number = SENTINELS.find(({ does }) => does.type === 'reset_mid_answer')?.number ?? '';
  expect(await sendTo(number)).toMatchObject({ says: ['unknown'] });
  expect(requestsTo(number)).toBe(1);
});
