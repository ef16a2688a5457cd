import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askByNumbers, clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { type E2eStack, runningStack, startStack } from './stack.ts';
import { CUSTOMER, RAVI, TEAM_CONFIGURATION } from './team.ts';

/*
 * Herald in one workspace of an organisation: Noor is of another workspace of it, Lena of another company with which the
 * channel is shared. What Slack tells of each is as the captures that the sandbox names have it.
 */
const SHARED = 'C0SHARED';
const NOOR = 'U0NOOR';
const LENA = 'U0LENA';
const organisation = { id: 'E0ACME', name: 'Acme Group', isInstalled: false };

describe('an organisation', () => {
  const config = `${TEAM_CONFIGURATION}\napprovals: { channel: ${SHARED}, approvers: [${NOOR}, ${LENA}], over: 2 }\n`;
  const stack = runningStack({ config, others: { organisation, withOthers: true } });

  test('a member of another of its workspaces sends from a channel that both share', async () => {
    await stack.says(NOOR, `/sms ${CUSTOMER} Your table is ready.`, /accepted by the service/i, SHARED);
    expect(stack.wholeRequests()).toHaveLength(1);
    stack.carrier.reset();
  });

  test('and approves; whoever is of another company does not, though both are listed', async () => {
    await askByNumbers(stack, SHARED, 'To everybody.');
    const lena = stack.person(LENA);
    const told = stack.from(lena, SHARED);
    await clickOn(stack, LENA, SHARED, 'approval_approve');
    await told.message(/People of another workspace may not approve/);
    expect(reached(stack)).toEqual([]);
    await clickOn(stack, NOOR, SHARED, 'approval_approve');
    await stack.eventually('everybody', () => reached(stack).length === NUMBERS.length);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});

describe('an app that is installed for the whole organisation', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    const approvals = `approvals: { channel: ${SHARED}, approvers: [${NOOR}, S0MANAGERS], over: 2 }`;
    stack = await startStack({
      config: `${TEAM_CONFIGURATION}\n${approvals}\n`,
      env: { SLACK_TEAM_ID: 'T0ACME' },
      others: { organisation: { ...organisation, isInstalled: true }, withOthers: true },
    });
  });
  afterAll(() => stack?.stop());

  test('lets members of other workspaces do nothing', async () => {
    await stack.says(
      NOOR,
      `/sms ${CUSTOMER} Your table is ready.`,
      /people of other workspaces may not send this kind of message/,
      SHARED,
    );
    expect(stack.wholeRequests()).toHaveLength(0);
  });

  test('is used by those of the one that it works for, whose user groups approve', async () => {
    await askByNumbers(stack, SHARED, 'To everybody.');
    const noor = stack.person(NOOR);
    const told = stack.from(noor, SHARED);
    await clickOn(stack, NOOR, SHARED, 'approval_approve');
    await told.message(/People of another workspace may not approve/);
    expect(reached(stack)).toEqual([]);
    await clickOn(stack, RAVI, SHARED, 'approval_approve');
    await stack.eventually('everybody', () => reached(stack).length === NUMBERS.length);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
