import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { ALERTS } from '../../sandbox/ui/chat/alert-samples.ts';
import { TEAM } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';

/* Where people start without a command, on the sandbox's on.page. */
const ON_CALL = '+6591234567';
const on = onHerald({ each: true });
beforeEach(() => on.stack.carrier.reset());

const phone = () => on.phone(ON_CALL);

it('an alert goes on as a flash SMS, from the menu of its message', async () => {
  const { attachments } = ALERTS.grafana ?? {};
  const act = { type: 'app_post', appId: 'A0GRAFANA', channel: TEAM, text: '' } as const;
  await on.stack.workspace.act({ ...act, attachments: [attachments].flat() });
  const message = on.log().getByText('High CPU Production').first();
  await message.hover();
  await on.page.getByRole('button', { name: 'More actions' }).last().click();
  await on.page.getByRole('menuitem', { name: /Flash SMS this/ }).click();
  const form = on.page.getByRole('dialog', { name: 'Flash SMS' });
  await form.getByRole('textbox', { name: 'To' }).fill(ON_CALL);
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await phone()
    .getByText(/\[FIRING:1\] High CPU Production/)
    .first()
    .waitFor(PATIENT);
});

it('a file that is posted becomes an audience, from the menu of its message', async () => {
  const chooser = on.page.waitForEvent('filechooser');
  await on.page.getByRole('button', { name: 'Attach a file' }).click();
  const buffer = gzipSync(`phone,name\n${ON_CALL},Mei\n`);
  await (await chooser).setFiles({ name: 'guests.csv.gz', mimeType: 'application/gzip', buffer });
  await on.page.getByRole('button', { name: 'Remove guests.csv.gz' }).waitFor();
  await on.page.getByRole('button', { name: 'Send', exact: true }).click();
  await on.log().getByText('guests.csv.gz').hover();
  expect(await on.page.getByRole('button', { name: 'Remove guests.csv.gz' }).count()).toBe(0);
  await on.page.getByRole('button', { name: 'More actions' }).last().click();
  await on.page.getByRole('menuitem', { name: /Use file as an audience/ }).click();
  const form = on.page.getByRole('dialog', { name: 'Audience' });
  await form.getByText('File: guests.csv.gz').waitFor(PATIENT);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByText('The audience “guests” is saved.').waitFor(PATIENT);
  await form.getByRole('button', { name: 'Close' }).last().click();
  await form.waitFor({ state: 'detached' });
});

it('a workflow’s step is run by hand, and shows what it gives on', async () => {
  await on.page.getByRole('button', { name: 'Workflows' }).click();
  const step = on.page.getByRole('form', { name: 'Send flash SMS' });
  await step.getByRole('textbox', { name: /^To/ }).fill(ON_CALL);
  await step.getByRole('button', { name: 'Run' }).click();
  await step.getByText('Channel is required.').waitFor(PATIENT);
  await step.getByRole('combobox', { name: /^Channel/ }).selectOption({ label: '#team' });
  await step.getByRole('textbox', { name: /^Text/ }).fill('The pump has stopped.');
  await step.getByRole('button', { name: 'Run' }).click();
  await on.page.getByRole('article').getByText('accepted', { exact: true }).waitFor(PATIENT);
  await phone().getByText('The pump has stopped.').first().waitFor(PATIENT);
});
