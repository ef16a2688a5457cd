import { describe, expect, test } from 'vitest';
import { askByNumbers, clickOn } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

describe('who may see the record of everybody’s sends', () => {
  const config = `${TEAM_CONFIGURATION}\napprovals: { approvers: [${RAVI}] }\naccess: { audit: [S0SUPPORT] }\n`;
  const stack = runningStack({ config });

  test.each([
    ['an approver', RAVI, /The file was sent to you directly/],
    ['a member of a listed group', ASHA, /The file was sent to you directly/],
    [
      'nobody else',
      'U0MEI',
      /Only @ravi, @support may see the record of everybody’s sends; ask one of them\./,
    ],
  ])('%s', async (_who, userId, answer) => {
    await stack.says(userId, '/sends audit', answer);
  });

  test('it holds what was asked for, who was refused an approval, and who was taken off the opt-out list', async () => {
    const asha = stack.person(ASHA);
    await askByNumbers(stack, TEAM, 'Open until nine: call +91 98123 45670.');
    await clickOn(stack, ASHA, TEAM, 'approval_approve');
    await stack.untilShown(TEAM, /Nobody approves their own send/);
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await stack.untilShown(TEAM, /is on the opt-out list now/);
    await asha.command(TEAM, `/optout remove ${CUSTOMER}`);
    await stack.untilShown(TEAM, /is no longer on the opt-out list/);

    const filesOf = () => stack.messages().flatMap(({ files = [] }) => files);
    const before = filesOf().length;
    await asha.command(TEAM, '/sends audit');
    const file = await stack.eventually('the file', () => filesOf()[before]);
    const record = await stack.download(file);
    expect(record).toMatch(/,requested,U0ASHA,,sms,Open until nine: call \[number …5670\]\.,,,/);
    expect(record).toMatch(/,awaiting_approval,U0ASHA,,,,12,[0-9a-f]{64},/);
    expect(record).toMatch(/,approval_refused,U0ASHA,It was their own send\.,,,12,[0-9a-f]{64},/);
    expect(record).toMatch(/,opt_out_removed,U0ASHA,The number \+65 •••• 4567 was taken off/);
    expect(record).not.toContain('91234567');
  });
});
