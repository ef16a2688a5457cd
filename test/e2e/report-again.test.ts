import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { clickOn, reached, shown } from './bulk-steps.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
`;
/** The service refuses the second and the fourth. */
const LIST = `phone,name,state
+919812345001,Asha,Kerala
+919999131009,Kiran,-5 % in Goa
+6591234567,Mei,Central
+919999131021,Ravi,@home
`;
const TEXT = 'Hello {{name}} of {{state}}.';

describe('a report that is corrected and uploaded again', () => {
  const stack = runningStack({ config: CONFIG });

  const reports = () =>
    stack.workspace
      .snapshot()
      .messages.flatMap(({ channel, files }) => (channel === 'D0ASHA' ? (files ?? []) : []));
  const words = () => JSON.stringify(stack.person(ASHA).views());

  /** Sends a list to whom it may be sent, and returns its report. */
  async function sendList(name: string, content: string, recipients: number): Promise<string> {
    const asha = stack.person(ASHA);
    const before = reports().length;
    const file = await asha.upload(name, content);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', TEXT);
    await form.submit();
    await stack.eventually('the review', () => /Ask for approval/.test(words()));
    expect(words()).toContain(`*${recipients} of `);
    await form.submit();
    const waiting = new RegExp(`to ${recipients} people.*please decide`);
    await stack.eventually('the card', () => shown(stack, APPROVALS, waiting));
    await form.close();
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    const report = await stack.eventually('the report', () => reports()[before], 30_000);
    expect(report.name).toMatch(/^SMS-\d{4}-\d\d-\d\d-S-[0-9A-Z]{10}\.csv$/);
    const headers = { authorization: `Bearer ${SANDBOX_CREDENTIALS.botToken}` };
    return (await fetch(report.url_private_download, { headers })).text();
  }

  test('reaches those who got nothing, by their corrected numbers, and nobody twice', async () => {
    const report = await sendList('customers.csv', LIST, 4);
    expect(reached(stack).toSorted()).toEqual(['+6591234567', '+919812345001']);
    const corrected = report
      .replace('+91 9999131009', '+91 9812345002')
      .replace('+91 9999131021', '98123 45004');
    expect(corrected).not.toBe(report);

    await sendList('corrected.csv', corrected, 2);
    expect(reached(stack).toSorted()).toEqual([
      '+6591234567',
      '+919812345001',
      '+919812345002',
      '+919812345004',
    ]);
    const texts = stack.wholeRequests().map(({ body }) => (body as { text: string }).text);
    expect(texts.toSorted()).toEqual(
      [
        ...['Hello Asha of Kerala.', 'Hello Mei of Central.'],
        // Both were refused the first time.
        ...['Hello Kiran of -5 % in Goa.', 'Hello Kiran of -5 % in Goa.'],
        ...['Hello Ravi of @home.', 'Hello Ravi of @home.'],
      ].toSorted(),
    );
  });
});
