import { describe, expect, test } from 'vitest';
import { clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

/** The service refuses the second and the fourth. */
const LIST = `phone,name,state
+919812345001,Asha,Kerala
+919999131009,Kiran,-5 % in Goa
+6591234567,Mei,Central
+919999131021,Ravi,@home
`;
const TEXT = 'Hello {{name}} of {{state}}.';

describe('a report that is corrected and uploaded again', () => {
  const stack = runningStack({ config: WITH_APPROVALS });

  const reports = () =>
    stack.messages().flatMap(({ channel, files }) => (channel === 'D0ASHA' ? (files ?? []) : []));

  /** Sends a list to whom it may be sent, and returns its report. */
  async function sendList(name: string, content: string, recipients: number): Promise<string> {
    const asha = stack.person(ASHA);
    const before = reports().length;
    const file = await asha.upload(name, content);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', TEXT);
    await form.submit();
    await stack.review();
    expect(stack.words()).toContain(`*${recipients} of `);
    await form.submit();
    const waiting = new RegExp(`to ${recipients} people.*please decide`);
    await stack.untilShown(APPROVALS, waiting);
    await form.close();
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    const report = await stack.eventually('the report', () => reports()[before], 30_000);
    expect(report.name).toMatch(/^SMS-\d{4}-\d\d-\d\d-S-[0-9A-Z]{10}\.csv$/);
    return stack.download(report);
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
