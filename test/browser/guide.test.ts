import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { launchBrowser } from './launch.ts';

const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');

let stack: E2eStack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIGURATION });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(stack.workspace.url);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const guide = () => page.getByRole('region', { name: 'First steps' });
const step = (title: string) => guide().getByRole('button', { name: title });
const isDone = (title: string) =>
  guide()
    .getByRole('button', { name: `${title} (done)` })
    .waitFor();
const form = () => page.getByRole('dialog').last();
const shot = async (name: string) => {
  const folder = process.env.HERALD_SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
};

it('leads a stranger by clicks through a message, a campaign, an alert and an answer', async () => {
  await page.getByRole('button', { name: /^\/flash \+6591234567 The server room/ }).waitFor();
  await shot('first-sight');
  await page.getByRole('button', { name: /^\/flash \+6591234567 The server room/ }).click();
  await isDone('Send your first message');

  await step('Ask for a bulk send with this sample list').click();
  await form().getByRole('combobox', { name: 'Recipients' }).click();
  await page.getByRole('option', { name: /CSV file/ }).click();
  await form().getByRole('button', { name: 'Use the sample list' }).click();
  await form().getByText('sample-list.csv').waitFor();
  await form().getByRole('button', { name: 'Next' }).click();
  await form().getByText('Rows read: 13').waitFor();
  await form()
    .getByText(/Recipients: 10/)
    .waitFor();
  await shot('sample');
  await form().getByRole('button', { name: 'Ask for approval' }).click();
  await isDone('Ask for a bulk send with this sample list');
  await form().getByRole('button', { name: 'Close' }).last().click();

  await step('Be the manager and approve it').click();
  await page.getByRole('button', { name: /You are Ravi/ }).waitFor();
  const card = page.getByRole('log', { name: 'Messages in #approvals' }).getByRole('article').last();
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Approve 10' }).click();
  await isDone('Be the manager and approve it');

  await step('Let a machine raise the alarm').click();
  await page.getByRole('button', { name: 'Grafana' }).click();
  await isDone('Let a machine raise the alarm');

  await step('Answer as a customer').click();
  const field = page.getByRole('textbox', { name: /^Reply from/ }).first();
  await field.fill('Thank you');
  await field.press('Enter');
  await isDone('Answer as a customer');
  await guide().getByText('That was all of it.').waitFor();
  await shot('done');

  await guide().getByRole('button', { name: 'Hide the first steps' }).click();
  await page.reload();
  await page.getByRole('textbox', { name: 'Message #team' }).waitFor();
  expect(await guide().count()).toBe(0);
});
