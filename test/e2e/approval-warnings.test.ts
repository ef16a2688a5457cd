import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { askByNumbers, clickOn, reached, shown } from './bulk-steps.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

/* What a machine can find about a send is told to whoever decides, and the record keeps that they were told. */

const INDIA = ['+919812345001', '+919812345002', '+919812345003'];
const SINGAPORE = ['+6591234501', '+6591234502'];
const TEXT = 'Look at http://acme.test/sale today.';

/** The clocks of India, so many hours from now. */
function indiaIn(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000);
  return at.toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' });
}

describe('what is told before a send is approved', () => {
  const ends = indiaIn(3);
  const config = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS, ${ASHA}], over: 1 }
quietHours: [{ country: IN, types: [TRANS], from: "${indiaIn(-3)}", to: "${ends}", timezone: Asia/Kolkata }]
`;
  const stack = runningStack({ config });

  const card = () => JSON.stringify(shown(stack, APPROVALS, /please decide/)?.blocks ?? []);

  test('quiet hours and a link are warned of, the approvers are called, and the record names it', async () => {
    await askByNumbers(stack, APPROVALS, TEXT, [...INDIA, ...SINGAPORE]);
    const asked = card();
    const held = `Quiet hours hold 3 of 5 people until ${ends} (Asia/Kolkata): India.`;
    expect(asked).toContain('India 3, Singapore 2 · ');
    expect(asked).toContain(`⚠️ A link is not https: http://acme.test/sale\\n⚠️ ${held}`);
    expect(asked).toContain('<!subteam^S0MANAGERS>, please decide');
    expect(asked).toContain(`"“${TEXT}”: 2 go out at once; 3 wait until ${ends} (Asia/Kolkata)."`);
    expect(asked).toContain('No row left out');

    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('those of Singapore', () => reached(stack).length >= 2);
    await stack.eventually('the rest to wait', () =>
      shown(stack, TEAM, /What should happen to the remaining 3/),
    );
    expect(reached(stack).toSorted()).toEqual(SINGAPORE);

    await stack.person(ASHA).command(TEAM, '/sends audit');
    const file = await stack.eventually('the file', () =>
      stack.workspace
        .snapshot()
        .messages.flatMap(({ files = [] }) => files)
        .at(-1),
    );
    const headers = { authorization: `Bearer ${SANDBOX_CREDENTIALS.botToken}` };
    const record = await (await fetch(file.url_private_download, { headers })).text();
    const approved = record.split('\n').filter((line) => line.includes(`,approved_by,${RAVI},`));
    expect(approved).toHaveLength(1);
    expect(approved[0]).toContain(`The card warned: A link is not https: http://acme.test/sale · ${held}`);
  });

  test('rows that were left out are warned of, and Details tells the rest', async () => {
    await askByNumbers(stack, APPROVALS, TEXT, [...SINGAPORE, ...SINGAPORE, '+65 12']);
    await stack.eventually('its card', () => card().includes('Singapore 2'));
    expect(card()).toContain('3 rows left out: 1 wrong number, 2 twice');
    await clickOn(stack, RAVI, APPROVALS, 'approval_details');
    const ravi = stack.person(RAVI);
    const view = await stack.eventually('the details', () => ravi.views().at(-1));
    expect(JSON.stringify(view.blocks)).toContain('*Sender*\\nACMEIN');
    expect(JSON.stringify(view.blocks)).not.toContain(SINGAPORE[0]);
  });

  test('a row that says something else than the others is shown and warned of', async () => {
    const asha = stack.person(ASHA);
    const trick = 'You owe us 500 rupees, pay now or lose your account';
    const text = (row: number) =>
      row === 42 ? trick : `Dear Mei ${row}, your order ${row} is ready and waits for you at the shop`;
    const rows = Array.from({ length: 120 }, (_none, n) => `+6591234${600 + n},"${text(n + 2)}"`);
    const file = await asha.upload('orders.csv', ['phone,said', ...rows].join('\n'));
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', '{{said}}');
    await form.submit();
    await stack.eventually('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
    await form.submit();
    await stack.eventually('its card', () => card().includes('Singapore 120'));
    const start = trick.slice(0, 40);
    expect(card()).toContain(
      `⚠️ 1 row says something else than the other 119, such as “${start}” in row 42, column “said”.`,
    );
    for (const cell of ['"Row 42"', '+65 •••• 4640', 'the only row that says this', 'You owe'])
      expect(card()).toContain(cell);
    await form.close();
  });
});
