import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onHerald } from './on-page.ts';

const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');

const on = onHerald({ config: CONFIGURATION });

const guide = () => on.page.getByRole('region', { name: 'First steps' });
const step = (title: string) => guide().getByRole('button', { name: title });
const isDone = (title: string) =>
  guide()
    .getByRole('button', { name: `${title} (done)` })
    .waitFor();
const { dialog: form } = on;
it('leads a stranger by clicks through a message, a campaign, an alert and an answer', async () => {
  await on.page.getByRole('button', { name: /^\/flash \+6591234567 The server room/ }).waitFor();
  await on.page.getByRole('button', { name: /^\/flash \+6591234567 The server room/ }).click();
  await isDone('Send your first message');

  await step('Ask for a bulk send with this sample list').click();
  await form().getByRole('combobox', { name: 'Recipients' }).click();
  await on.page.getByRole('option', { name: /CSV file/ }).click();
  await form().getByRole('button', { name: 'Use the sample list' }).click();
  await form().getByText('sample-list.csv').waitFor();
  await form().getByRole('button', { name: 'Next' }).click();
  await form()
    .getByText(/10 of 13 people get it/)
    .waitFor();
  await form().getByRole('button', { name: 'Ask for approval' }).click();
  await isDone('Ask for a bulk send with this sample list');
  await form().getByRole('button', { name: 'Close' }).last().click();

  await step('Be the manager and approve it').click();
  await on.page.getByRole('button', { name: /You are Ravi/ }).waitFor();
  const card = on.log('approvals').getByRole('article').last();
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  await on.page.getByRole('button', { name: 'Approve 10' }).click();
  await isDone('Be the manager and approve it');

  await step('Let a machine raise the alarm').click();
  await on.page.getByRole('button', { name: 'Grafana' }).click();
  await isDone('Let a machine raise the alarm');

  await step('Answer as a customer').click();
  // The last that rang stands first: only its name says which one it still is.
  const first = on.page.getByRole('textbox', { name: /^Reply from/ }).first();
  const field = on.page.getByRole('textbox', { name: String(await first.getAttribute('aria-label')) });
  await field.fill('Thank you');
  await field.press('Enter');
  await isDone('Answer as a customer');
  await guide().getByText('That was all of it.').waitFor();

  await guide().getByRole('button', { name: 'Hide the first steps' }).click();
  await on.page.reload();
  await on.composer().waitFor();
  expect(await guide().count()).toBe(0);
});
