import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* A campaign cut into single messages waits for approval like any other. */

const numbers = Array.from({ length: 8 }, (_none, n) => `+91981234560${n}`);
const config = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1, singlesPerHour: 3 }
alerts: { groups: { night: [{ name: A, number: "${numbers[6]}" }, { name: B, number: "${numbers[7]}" }] }, rules: [] }
`;
const WHY = 'More than 3 messages of one person within an hour need an approval.';

describe('many messages of one person', () => {
  const stack = runningStack({ config });

  const idIn = (text: string) => /S-[0-9A-Z]{10}/.exec(text)?.[0] ?? '';

  test('quick lines beyond the limit wait, those at once too, and go out once approved', async () => {
    const asha = stack.person(ASHA);
    const first = numbers.slice(0, 4);
    await Promise.all(first.map((number) => asha.command(TEAM, `/sms ${number} Sale today`)));
    const said = await stack.told(ASHA, /waits for approval/);
    expect(said).toBe(`It waits for approval as ${idIn(said)}. ${WHY} Nothing was sent yet.`);
    await stack.eventually('three of them', () => reached(stack).length >= 3);
    const card = await stack.untilShown(APPROVALS, /Sale today/);
    expect(messageText(card)).toContain(`⚠️ ${WHY}`);
    expect(messageText(card)).toContain('SMS to 1 person · ');
    expect(reached(stack)).toHaveLength(3);

    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('the fourth', () => reached(stack).length >= 4);
    expect(reached(stack).toSorted()).toEqual(first);
  });

  test('the form and a group wait for it as well, and others may still send', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/sms');
    form.fill('to', numbers[4] as string).fill('text', 'From a form');
    await form.submit();
    await stack.eventually('the form says so', () => JSON.stringify(asha.views()).includes(WHY));
    await stack.untilShown(APPROVALS, /From a form/);
    await form.close();

    await asha.command(TEAM, '/flash @night Who is awake?');
    const said = await stack.told(ASHA, /Your flash SMS to 2 people waits for approval/);
    expect(said).toContain(`${WHY} Nothing was sent yet.`);
    await stack.untilShown(APPROVALS, /Who is awake/);

    await stack.person(MEI).command(TEAM, `/sms ${numbers[5]} Hello from Mei`);
    await stack.eventually('that of Mei', () => reached(stack).includes(numbers[5] as string));
    expect(reached(stack)).toHaveLength(5);
  });

  test('a one-time password beyond the limit is refused', async () => {
    const before = reached(stack).length;
    await stack.person(ASHA).command(TEAM, `/chatapp login_code ${numbers[5]} otp=481516`);
    await stack.told(ASHA, /a one-time password cannot wait for one\. It was not sent\./);
    expect(reached(stack)).toHaveLength(before);
  });
});
