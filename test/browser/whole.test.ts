import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { PATIENT } from '../patience.ts';
import { launchBrowser } from './launch.ts';

/* What comes back of a message: reports, an answer to a flash message, the way from Home to a message; and the carrier's failures. */
const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';

let stack: E2eStack;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIGURATION });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(stack.workspace.url);
  await page.getByRole('textbox', { name: 'Message #team' }).waitFor();
});
afterEach(async () => {
  await page.close();
  expect(problems.splice(0)).toEqual([]);
});

const log = () => page.getByRole('log', { name: 'Messages in #team' });
const phone = (number: string) => page.getByRole('region', { name: `Phone ${number}` });
const carrierLog = () => page.getByRole('tab', { name: /Carrier log/ });

async function type(line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #team' }).fill(line);
  await page.keyboard.press('Enter');
}

it('phones report as they are told to, and the message says so', async () => {
  await carrierLog().click();
  const reports = page.getByRole('combobox', { name: 'Phones report' });
  expect(await reports.inputValue()).toBe('never');
  await reports.selectOption({ label: 'delivered and read, at once' });
  await expect.poll(() => stack.carrier.state().reports).toBe('soon');
  await page.getByRole('tab', { name: 'Phones' }).click();
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
  await phone(CUSTOMER).getByRole('img', { name: 'read' }).waitFor(PATIENT);
  await log()
    .getByText(/1 delivered \(1 read\), as the service reports/)
    .waitFor(PATIENT);
  stack.carrier.setReports('failed');
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1002"`);
  await log()
    .getByText(/1 not delivered, as the service reports/)
    .waitFor(PATIENT);
  expect(
    await phone(CUSTOMER)
      .getByText(/A-1002/)
      .count(),
  ).toBe(0);
  stack.carrier.setReports('never');
});

it('a flash message is answered by SMS, and Home leads to the answer', async () => {
  await type(`/flash ${ON_CALL} The server room is at 41 degrees`);
  const overlay = phone(ON_CALL).getByRole('alertdialog');
  await overlay.getByRole('textbox', { name: 'Reply by SMS from' }).fill('I am on my way');
  await page.keyboard.press('Enter');
  await overlay.waitFor({ state: 'detached' });
  await phone(ON_CALL).getByText('I am on my way').waitFor();
  await log()
    .getByRole('button', { name: /1 reply/ })
    .waitFor(PATIENT);

  await page.getByRole('button', { name: 'Herald Home' }).click();
  const home = page.getByRole('region', { name: 'Herald Home' });
  await home.getByRole('link', { name: 'Open' }).first().click(PATIENT);
  const answer = page.getByRole('log', { name: 'Replies' }).locator('.is-marked');
  await answer.getByText('I am on my way').waitFor();
  await expect.poll(() => answer.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('fails by one click, shows what is set, and is well again by another', async () => {
  await carrierLog().click();
  await page.getByRole('button', { name: 'Fail every tenth with 131021' }).click();
  await page.getByRole('button', { name: 'Take 3 s' }).click();
  await page.getByRole('button', { name: 'Go down for 20 s' }).click();
  const set = page.getByRole('list', { name: 'What goes wrong now' });
  await carrierLog()
    .getByText(/3 failures set/)
    .waitFor();
  // What is for a while, or for some, comes before what is for all and would hide it.
  await expect
    .poll(() => set.getByRole('listitem').locator('strong').allTextContents())
    .toEqual(['503 · Unavailable', '131021 · Sender is the recipient', 'Answers after 3 seconds']);
  await page.getByRole('button', { name: 'Take 3 s', pressed: true }).click();
  await page.getByRole('button', { name: 'Take 3 s', pressed: false }).waitFor();
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1003"`);
  await expect.poll(() => stack.carrier.state().requests.at(-1)?.result.status).toBe(503);
  await page.getByRole('button', { name: 'Let all be well again' }).click();
  await set.waitFor({ state: 'detached' });
  expect(stack.carrier.state().faults).toEqual([]);
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1004"`);
  await expect
    .poll(() => JSON.stringify(stack.carrier.state().phones[CUSTOMER]), PATIENT)
    .toContain('A-1004');
});
