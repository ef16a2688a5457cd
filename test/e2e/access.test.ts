import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { askByNumbers, clickOn, shown } from './bulk-steps.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

describe('who may send what (access.send)', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    const config = `${TEAM_CONFIGURATION}\naccess: { send: { sms: [S0SUPPORT], flash: [U0RAVI] } }\n`;
    stack = await startStack({ config });
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

describe('who may see the record of everybody’s sends', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    const config = `${TEAM_CONFIGURATION}\napprovals: { approvers: [${RAVI}] }\naccess: { audit: [S0SUPPORT] }\n`;
    stack = await startStack({ config });
  });
  afterAll(() => stack?.stop());

  test.each([
    ['an approver', RAVI, /The file was sent to you directly/],
    ['a member of a listed group', ASHA, /The file was sent to you directly/],
    [
      'nobody else',
      'U0MEI',
      /Only @ravi, @support may see the record of everybody’s sends; ask one of them\./,
    ],
  ])('%s', async (_who, userId, answer) => {
    const person = stack.person(userId);
    const conversation = stack.from(person);
    await person.command(TEAM, '/sends audit');
    await conversation.message(answer);
  });

  test('it holds what was asked for, who was refused an approval, and who was taken off the opt-out list', async () => {
    const asha = stack.person(ASHA);
    await askByNumbers(stack, TEAM, 'Open until nine: call +91 98123 45670.');
    await clickOn(stack, ASHA, TEAM, 'approval_approve');
    await stack.eventually('the refusal', () => shown(stack, TEAM, /Nobody approves their own send/));
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await stack.eventually('the opt-out', () => shown(stack, TEAM, /is on the opt-out list now/));
    await asha.command(TEAM, `/optout remove ${CUSTOMER}`);
    await stack.eventually('it to be off', () => shown(stack, TEAM, /is no longer on the opt-out list/));

    const filesOf = () => stack.workspace.snapshot().messages.flatMap(({ files = [] }) => files);
    const before = filesOf().length;
    await asha.command(TEAM, '/sends audit');
    const file = await stack.eventually('the file', () => filesOf()[before]);
    const headers = { authorization: `Bearer ${SANDBOX_CREDENTIALS.botToken}` };
    const record = await (await fetch(file.url_private_download, { headers })).text();
    expect(record).toMatch(/,requested,U0ASHA,,sms,Open until nine: call \[number …5670\]\.,,,/);
    expect(record).toMatch(/,awaiting_approval,U0ASHA,,,,12,[0-9a-f]{64},/);
    expect(record).toMatch(/,approval_refused,U0ASHA,It was their own send\.,,,12,[0-9a-f]{64},/);
    expect(record).toMatch(/,opt_out_removed,U0ASHA,The number \+65 •••• 4567 was taken off/);
    expect(record).not.toContain('91234567');
  });
});
