import { expect, test } from 'vitest';
import { askByNumbers, clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM_CONFIGURATION } from './team.ts';

/* A team whose SMS come from another sender in India than elsewhere. */

const INDIA = ['+919812345001', '+919812345002', '+919812345003'];
const SINGAPORE = ['+6591234501', '+6591234502'];
const OWN = '{ id: ACMEIN, label: Acme, type: TRANS';
const stack = runningStack({
  config: `${TEAM_CONFIGURATION.replace(OWN, `{ id: ACME, label: Acme, type: TRANS }\n    - ${OWN}, countries: [IN]`)}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS, ${ASHA}], over: 1 }
sms: { freeText: asks }
`,
});

const senders = () =>
  stack.carrier.state().requests.map(({ body }) => [Object(body).sender, Object(body).to]);

test('a list of two countries goes out in requests of either sender, as the card said', async () => {
  const [first = '', second = '', third = ''] = INDIA;
  await askByNumbers(stack, APPROVALS, 'We are open', [first, ...SINGAPORE, second, third]);
  const card = JSON.stringify(stack.shown(APPROVALS, /please decide/)?.blocks ?? []);
  expect(card).toContain('Senders: ACMEIN for India 3 · ACME for others 2');
  expect(card).toContain('⚠️ Operators in India drop an SMS whose text is not registered with them');
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  await stack.eventually('everybody', () => reached(stack).length >= 5);
  expect(reached(stack).toSorted()).toEqual([...SINGAPORE, ...INDIA]);
  const digits = (numbers: readonly string[]) => numbers.map((number) => number.slice(1));
  expect(senders().toSorted()).toEqual([
    ['ACME', digits(SINGAPORE)],
    ['ACMEIN', digits(INDIA)],
  ]);
});

test('a typed line goes by the number’s country', async () => {
  await stack.says(
    ASHA,
    `/sms ${SINGAPORE[0]} Your table is ready`,
    /accepted by the service[\s\S]*Your table is ready/,
  );
  expect(senders().at(-1)).toEqual(['ACME', [SINGAPORE[0]?.slice(1)]]);
});
