import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ALERTS } from '../../sandbox/ui/chat/alert-samples.ts';
import { type E2eStack, startStack, TEAM } from '../e2e/stack.ts';
import { PATIENT } from '../patience.ts';
import { launchBrowser } from './launch.ts';

/* Where people start without a command, on the sandbox's page. */
const ON_CALL = '+6591234567';
let stack: E2eStack;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  stack = await startStack({ mode: 'socket' });
  browser = await launchBrowser();
});
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
  await page.getByRole('textbox', { name: 'Message #team' }).waitFor();
});
afterEach(async () => {
  await page.close();
  expect(problems).toEqual([]);
});

const phone = () => page.getByRole('region', { name: `Phone ${ON_CALL}` });

it('an alert goes on as a flash SMS, from the menu of its message', async () => {
  const { attachments } = ALERTS.grafana ?? {};
  const act = { type: 'app_post', appId: 'A0GRAFANA', channel: TEAM, text: '' } as const;
  await stack.workspace.act({ ...act, attachments: [attachments].flat() });
  const message = page
    .getByRole('log', { name: 'Messages in #team' })
    .getByText('High CPU Production')
    .first();
  await message.hover();
  await page.getByRole('button', { name: 'More actions' }).last().click();
  await page.getByRole('menuitem', { name: /Flash SMS this/ }).click();
  const form = page.getByRole('dialog', { name: 'Flash SMS' });
  await form.getByRole('textbox', { name: 'To' }).fill(ON_CALL);
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await phone()
    .getByText(/\[FIRING:1\] High CPU Production/)
    .first()
    .waitFor(PATIENT);
});

it('a file that is posted becomes an audience, from the menu of its message', async () => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach a file' }).click();
  const buffer = gzipSync(`phone,name\n${ON_CALL},Mei\n`);
  await (await chooser).setFiles({ name: 'guests.csv.gz', mimeType: 'application/gzip', buffer });
  await page.getByRole('button', { name: 'Remove guests.csv.gz' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const log = page.getByRole('log', { name: 'Messages in #team' });
  await log.getByText('guests.csv.gz').hover();
  expect(await page.getByRole('button', { name: 'Remove guests.csv.gz' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).last().click();
  await page.getByRole('menuitem', { name: /Use file as an audience/ }).click();
  const form = page.getByRole('dialog', { name: 'Audience' });
  await form.getByText('File: guests.csv.gz').waitFor(PATIENT);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByText('The audience “guests” is saved.').waitFor(PATIENT);
  await form.getByRole('button', { name: 'Close' }).last().click();
  await form.waitFor({ state: 'detached' });
});

it('a workflow’s step is run by hand, and shows what it gives on', async () => {
  await page.getByRole('button', { name: 'Workflows' }).click();
  const step = page.getByRole('form', { name: 'Send flash SMS' });
  await step.getByRole('textbox', { name: /^To/ }).fill(ON_CALL);
  await step.getByRole('button', { name: 'Run' }).click();
  await step.getByText('Channel is required.').waitFor(PATIENT);
  await step.getByRole('combobox', { name: /^Channel/ }).selectOption({ label: '#team' });
  await step.getByRole('textbox', { name: /^Text/ }).fill('The pump has stopped.');
  await step.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('article').getByText('accepted', { exact: true }).waitFor(PATIENT);
  await phone().getByText('The pump has stopped.').first().waitFor(PATIENT);
});
