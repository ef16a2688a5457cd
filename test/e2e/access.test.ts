import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

describe('who may send what (access.send)', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    const config = `${TEAM_CONFIGURATION}\naccess: { send: { sms: [S0SUPPORT], flash: [U0RAVI] } }\n`;
    stack = await startStack({ mode: 'socket', config });
  });
  afterAll(() => stack?.stop());
  beforeEach(() => stack.carrier.reset());

  test('a member of a listed user group may', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Your table is ready.`);
    await conversation.message(/accepted by the service/i);
    expect(stack.wholeRequests()).toHaveLength(1);
  });

  test('a listed person may', async () => {
    const ravi = stack.person(RAVI);
    const conversation = stack.from(ravi);
    await ravi.command(TEAM, `/flash ${CUSTOMER} Now.`);
    await conversation.message(/accepted by the service/i);
  });

  test.each([
    [RAVI, '/sms', /Only @support may send this kind of message; ask one of them\. Nothing was sent\./],
    [ASHA, '/flash', /Only @ravi may send this kind of message; ask one of them\. Nothing was sent\./],
  ])('%s may not use %s, is told who may, and nothing is sent', async (userId, command, refusal) => {
    const person = stack.person(userId);
    const conversation = stack.from(person);
    await person.command(TEAM, `${command} ${CUSTOMER} Hello`);
    await conversation.message(refusal);
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('what is not listed is open to everyone', async () => {
    const ravi = stack.person(RAVI);
    const conversation = stack.from(ravi);
    await ravi.command(TEAM, `/rcs store_open ${CUSTOMER}`);
    await conversation.message(/accepted by the service/i);
  });
});

describe.each([{ mode: 'socket' as const }, { mode: 'http' as const }])(
  'who may have the record of everybody’s sends ($mode)',
  ({ mode }) => {
    let stack: E2eStack;
    beforeAll(async () => {
      const config = `${TEAM_CONFIGURATION}\napprovals: { approvers: [${RAVI}] }\naccess: { audit: [S0SUPPORT] }\n`;
      stack = await startStack({ mode, config });
    });
    afterAll(() => stack?.stop());

    test.each([
      ['an approver', RAVI, /The file was sent to you directly/],
      ['a member of a listed group', ASHA, /The file was sent to you directly/],
      [
        'nobody else',
        'U0MEI',
        /Only @ravi, @support may have the record of everybody’s sends; ask one of them\./,
      ],
    ])('%s', async (_who, userId, answer) => {
      const person = stack.person(userId);
      const conversation = stack.from(person);
      await person.command(TEAM, '/sends audit');
      await conversation.message(answer);
    });
  },
);
