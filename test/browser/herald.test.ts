import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { launchBrowser } from './launch.ts';

/*
 * Herald as a person meets it: the sandbox's page in a browser, the real process behind it, phones beside it. With
 * HERALD_PICTURE set the last test also saves the README's picture.
 */
const PICTURE = fileURLToPath(new URL('../../docs/herald.png', import.meta.url));
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';

let stack: E2eStack;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  stack = await startStack({ mode: 'socket' });
  browser = await launchBrowser();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

beforeEach(async () => {
  problems.length = 0;
  stack.carrier.reset();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(stack.workspace.url);
  await composer().waitFor();
});

afterEach(async () => {
  await page.close();
  expect(problems).toEqual([]);
});

const composer = () => page.getByRole('textbox', { name: 'Message #team' });
const form = () => page.getByRole('dialog', { name: 'Chat-app message' });
const channel = () => page.getByRole('log', { name: 'Messages in #team' });
const phone = (number: string) => page.getByRole('region', { name: `Phone ${number}` });

async function type(line: string): Promise<void> {
  await composer().fill(line);
  await page.keyboard.press('Enter');
}

/** Opens `/chatapp` and picks a template by typing part of its label. */
async function pickTemplate(words: string, label: RegExp): Promise<void> {
  await type('/chatapp');
  await form().waitFor();
  await form().getByRole('combobox', { name: 'Template' }).fill(words);
  await page.getByRole('option', { name: label }).click();
}

describe('a message to one customer', () => {
  it('goes from the form to the phone, and its result comes back into the channel', async () => {
    await pickTemplate('order', /Order update/);
    await form().getByLabel('customer').fill('Asha');
    await form().getByLabel('order', { exact: true }).fill('A-1001');
    await form().getByText('Hello Asha, your order A-1001 is on its way.').waitFor();

    await form().getByLabel('To', { exact: true }).fill('98123');
    await form().getByRole('button', { name: 'Send' }).click();
    await form()
      .getByText(/too short for a phone number/)
      .waitFor();
    expect(stack.wholeRequests()).toEqual([]);

    await form().getByLabel('To', { exact: true }).fill(CUSTOMER);
    await form().getByRole('button', { name: 'Send' }).click();
    await form().waitFor({ state: 'detached' });
    await phone(CUSTOMER)
      .getByText(/A-1001/)
      .waitFor();
    await channel().getByText('Chat-app message “Order update”: accepted by the service').last().waitFor();
    expect(await channel().textContent()).not.toContain(CUSTOMER);
    expect(stack.wholeRequests()).toHaveLength(1);
  });

  it('that fails says what happened, whether it may have been sent, and what to do', async () => {
    await type('/chatapp order_update +919999132000 "Kiran" "A-1002"');
    const card = channel()
      .getByText(/the number of variable values in the request differs/)
      .last();
    await card.waitFor();
    await channel().getByText('Nothing was sent.').last().waitFor();
    await channel()
      .getByText(/Compare the template’s placeholders with Herald’s catalogue/)
      .last()
      .waitFor();
    await expect(
      phone('+919999132000')
        .getByText(/A-1002/)
        .count(),
    ).resolves.toBe(0);
  });
});

describe('a flash message', () => {
  it('is typed, lies over the phone’s screen, and is gone once dismissed: by keyboard alone', async () => {
    await composer().focus();
    await page.keyboard.type(`/flash ${ON_CALL} The server room is at 41 degrees.`);
    await page.keyboard.press('Enter');
    const overlay = phone(ON_CALL).getByRole('alertdialog');
    await overlay.getByText('The server room is at 41 degrees.').waitFor();
    await channel().getByText('Flash SMS: accepted by the service').last().waitFor();
    await overlay.getByRole('button', { name: 'Dismiss' }).focus();
    await page.keyboard.press('Enter');
    await overlay.waitFor({ state: 'detached' });
    await expect(phone(ON_CALL).getByText('The server room is at 41 degrees.').count()).resolves.toBe(0);
  });
});

describe('the README’s picture', () => {
  it('shows a question, its answer in the channel, and a flash message', async () => {
    await type('Can somebody tell Kavya that order A-1001 is on its way?');
    await type('/chatapp order_update +919876500001 "Kavya" "A-1001"');
    await channel().getByText('Hello Kavya, your order A-1001 is on its way.').last().waitFor();
    await type(`/flash ${ON_CALL} The server room is at 41 degrees.`);
    await phone(ON_CALL).getByRole('alertdialog').waitFor();
    await channel().getByText('Flash SMS: accepted by the service').last().waitFor();
    await page.getByText(/is connected/).waitFor();
    const picture = await page.screenshot({
      animations: 'disabled',
      ...(process.env.HERALD_PICTURE ? { path: PICTURE } : {}),
    });
    expect(picture.byteLength).toBeGreaterThan(50_000);
  });
});
