import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { launchBrowser } from './launch.ts';
import { takePicture } from './take-picture.ts';

/* The catalogue as a person meets it: searched, tried and changed on the sandbox's page. */

let stack: E2eStack;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  stack = await startStack({ mode: 'socket' });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(stack.workspace.url);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

it('is searched, a template is tried, changed, and shown as it then is', async () => {
  const composer = page.getByRole('textbox', { name: 'Message #team' });
  await composer.fill('/templates');
  await page.keyboard.press('Enter');
  const list = dialog('Templates');
  await list.getByLabel('Search').fill('ordr');
  await page.keyboard.press('Enter');
  await list.getByText('We are closed today.').waitFor({ state: 'detached' });
  await list.getByRole('button', { name: 'Look' }).first().click();

  const look = dialog('Template');
  await look.getByText('Hello Asha, your order A-1001 is on its way.').waitFor();
  await look.getByRole('button', { name: 'Try it' }).click();
  const trying = dialog('Try a template');
  await trying.getByLabel('customer').fill('Mei');
  await trying.getByText('Hello Mei, your order A-1001 is on its way.').waitFor();
  await takePicture(trying, 'template');
  await trying.getByRole('button', { name: 'Close' }).last().click();

  await look.getByRole('button', { name: 'Edit' }).click();
  const form = dialog('Edit template');
  await form.getByLabel('{{2}} rule in detail').fill('8');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('With any text there is nothing to detail').waitFor();
  await form.getByLabel('{{2}} rule in detail').fill('');
  await form.getByLabel('Label').fill('Order news');
  await form.getByRole('button', { name: 'Save' }).click();
  await look.getByText('Saved.').waitFor();
  await look.getByText('Order news').waitFor();
  expect(problems).toEqual([]);
});
