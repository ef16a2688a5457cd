import { describe, expect, test } from 'vitest';
import { askByNumbers, clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

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

  const card = () => JSON.stringify(stack.shown(APPROVALS, /please decide/)?.blocks ?? []);

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
    await stack.untilShown(TEAM, /What should happen to the remaining 3/);
    expect(reached(stack).toSorted()).toEqual(SINGAPORE);

    await stack.person(ASHA).command(TEAM, '/sends audit');
    const file = await stack.eventually('the file', () =>
      stack
        .messages()
        .flatMap(({ files = [] }) => files)
        .at(-1),
    );
    const record = await stack.download(file);
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
});
