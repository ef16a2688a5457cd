import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { CUSTOMER } from './team.ts';

describe('opting out', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ mode: 'socket' });
  });
  afterAll(() => stack?.stop());
  beforeEach(() => stack.carrier.reset());

  test('stops every message to a number until it is taken off the list, also after a restart', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await conversation.message(/opt-out list/i);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello`);
    await conversation.message(/This number has opted out of messages\. Nothing was sent\./);
    await stack.restart({});
    await asha.command(TEAM, `/flash ${CUSTOMER} Hello`);
    await stack.eventually(
      'told again',
      () => conversation.texts().filter((text) => /has opted out of messages/.test(text)).length === 2,
    );
    expect(stack.wholeRequests()).toEqual([]);
    await asha.command(TEAM, `/optout remove ${CUSTOMER}`);
    await conversation.message(/no longer on the opt-out list/);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello again`);
    await conversation.message(/accepted by the service/i);
    expect(stack.wholeRequests()).toHaveLength(1);
    expect(conversation.texts().join()).not.toContain(CUSTOMER);
  });
});
