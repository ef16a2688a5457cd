import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { CUSTOMER } from './team.ts';

const SENDS = 30;

let stack: E2eStack;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket' });
});
afterAll(() => stack?.stop());

test('thirty sends at once: Slack refuses no result, and each stands in one message', async () => {
  const asha = stack.person(ASHA);
  for (let count = 0; count < SENDS; count += 1)
    expect(await asha.command(TEAM, `/flash ${CUSTOMER} Flood ${count}`)).toMatchObject({ ok: true });
  const sent = performance.now();
  const references = () =>
    asha
      .messages(TEAM)
      .flatMap((message) => [...new Set(messageText(message).match(/Reference S-[0-9A-Z]{10}/g) ?? [])]);
  await stack.eventually('every result', () => new Set(references()).size === SENDS);
  const told = performance.now();
  expect(references()).toHaveLength(SENDS);
  const refused = stack.workspace
    .apiCalls()
    .filter(({ answer }) => !answer.ok && answer.error === 'ratelimited');
  expect(refused).toEqual([]);
  expect(told - sent).toBeLessThan(20_000);
});
