import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';

/* What comes back of a message: reports, an answer to a flash message, the way from Home to a message; and the carrier's failures. */
const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';

const on = onHerald({ config: CONFIGURATION, each: true });
const { log, phone, type } = on;

const carrierLog = () => on.page.getByRole('tab', { name: /Carrier log/ });

it('phones report as they are told to, and the message says so', async () => {
  await carrierLog().click();
  const reports = on.page.getByRole('combobox', { name: 'Phones report' });
  expect(await reports.inputValue()).toBe('never');
  await reports.selectOption({ label: 'delivered and read, at once' });
  await expect.poll(() => on.stack.carrier.state().reports).toBe('soon');
  await on.page.getByRole('tab', { name: 'Phones' }).click();
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
  await phone(CUSTOMER).getByRole('img', { name: 'read' }).waitFor(PATIENT);
  await log()
    .getByText(/delivered and read/)
    .waitFor(PATIENT);
  on.stack.carrier.setReports('failed');
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1002"`);
  await log()
    .getByText(/not delivered/)
    .first()
    .waitFor(PATIENT);
  expect(
    await phone(CUSTOMER)
      .getByText(/A-1002/)
      .count(),
  ).toBe(0);
  on.stack.carrier.setReports('never');
});

it('a flash message is answered by SMS, and Home leads to the answer', async () => {
  await type(`/flash ${ON_CALL} The server room is at 41 degrees`);
  const overlay = phone(ON_CALL).getByRole('alertdialog');
  await overlay.getByRole('textbox', { name: 'Reply by SMS from' }).fill('I am on my way');
  await on.page.keyboard.press('Enter');
  await overlay.waitFor({ state: 'detached' });
  await phone(ON_CALL).getByText('I am on my way').waitFor();
  await log()
    .getByRole('button', { name: /1 reply/ })
    .waitFor(PATIENT);

  await on.page.getByRole('button', { name: 'Herald Home' }).click();
  const home = on.page.getByRole('region', { name: 'Herald Home' });
  await home.getByRole('link', { name: 'Open' }).first().click(PATIENT);
  const answer = on.page.getByRole('log', { name: 'Replies' }).locator('.is-marked');
  await answer.getByText('I am on my way').waitFor();
  await expect.poll(() => answer.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('fails by one click, shows what is set, and is well again by another', async () => {
  const headers = { apikey: SANDBOX_CREDENTIALS.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({
    sender: 'ACMEIN',
    to: ['919700010000'],
    text: 'We are open.',
    type: 'TRANS',
    unicode: 0,
  });
  const one = () => fetch(`${on.stack.carrier.url}/v1/sms`, { method: 'POST', headers, body });
  await Promise.all(Array.from({ length: 1_000 }, one));
  await carrierLog().click();
  await on.page.getByRole('button', { name: 'Fail every tenth with 131021' }).click();
  await on.page.getByRole('button', { name: 'Take 3 s' }).click();
  await on.page.getByRole('button', { name: 'Go down for 20 s' }).click();
  const set = on.page.getByRole('list', { name: 'What goes wrong now' });
  const failures = carrierLog().getByText(/3 failures set/);
  await failures.waitFor();
  // In one line, however many requests there were.
  expect((await failures.boundingBox())?.height).toBeLessThan(24);
  // What is for a while, or for some, comes before what is for all and would hide it.
  await expect
    .poll(() => set.getByRole('listitem').locator('strong').allTextContents())
    .toEqual(['503 · Unavailable', '131021 · Sender is the recipient', 'Answers after 3 seconds']);
  await on.page.getByRole('button', { name: 'Take 3 s', pressed: true }).click();
  await on.page.getByRole('button', { name: 'Take 3 s', pressed: false }).waitFor();
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1003"`);
  await expect.poll(() => on.stack.carrier.state().requests.at(-1)?.result.status).toBe(503);
  await on.page.getByRole('button', { name: 'Let all be well again' }).click();
  await set.waitFor({ state: 'detached' });
  expect(on.stack.carrier.state().faults).toEqual([]);
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1004"`);
  await expect
    .poll(() => JSON.stringify(on.stack.carrier.state().phones[CUSTOMER]), PATIENT)
    .toContain('A-1004');
});
