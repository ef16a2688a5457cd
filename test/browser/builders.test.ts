import { expect, it } from 'vitest';
import { onHerald } from './on-page.ts';
import { takePicture } from './take-picture.ts';

/* Messages that are built in a form, by hand on the sandbox's page, and seen on its phones. */

const CUSTOMER = '+919812345678';
const on = onHerald({ each: true });

const channel = () => on.log();
const thread = () => on.page.getByRole('log', { name: 'Replies' });
/** Opens the thread of the one that was answered last of so many. */
const openThread = (answered: number) =>
  channel()
    .getByRole('button', { name: /1 reply/ })
    .nth(answered - 1)
    .click();
const phone = () => on.phone(CUSTOMER);

async function open(line: string, title: string) {
  await on.type(line);
  const form = on.page.getByRole('dialog', { name: title });
  await form.waitFor();
  return form;
}

it('a message with three reply buttons is built, moved about, sent, and seen on the phone', async () => {
  const form = await open('/chatapp interactive', 'Interactive message');
  await form.getByLabel('Text', { exact: true }).fill('May we come today?');
  await form.getByLabel('Button 1 title').fill('Yes');
  await form.getByRole('button', { name: 'Add a button (2 left)' }).click();
  await form.getByLabel('Button 2 title').fill('Call me');
  await form.getByRole('button', { name: 'Add a button (1 left)' }).click();
  await form.getByLabel('Button 3 title').fill('No 👎');
  await form.getByLabel('To', { exact: true }).fill(CUSTOMER);
  await form.getByRole('button', { name: 'Move button 3 up' }).click();
  await expect.poll(() => form.getByLabel('Button 2 title').inputValue()).toBe('No 👎');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Button 2 title has an emoji (👎), and none may stand here. Remove it.').waitFor();
  await form.getByLabel('Button 2 title').fill('No');
  await form.getByText('[ Yes ]\n[ No ]\n[ Call me ]').waitFor();
  await takePicture(form, 'builder');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'detached' });
  await phone().getByText('May we come today?').waitFor();
  const replies = phone().getByRole('group', { name: 'Reply buttons' }).getByRole('button');
  expect(await replies.allTextContents()).toEqual(['Yes', 'No', 'Call me']);
  await channel().getByText('Interactive message: accepted by the service').last().waitFor();
  await phone().getByRole('button', { name: 'Call me' }).click();
  await openThread(1);
  await channel()
    .getByText(/Call me – 1$/)
    .waitFor();
  await thread().getByText('Call me', { exact: true }).waitFor();
  await thread().getByText('Call me · +91 ••••• •5678').waitFor();
});

it('an Indian address message is built, sent, and opened on the phone', async () => {
  const form = await open('/chatapp address', 'Address message');
  await form.getByLabel('Text', { exact: true }).fill('Where shall we deliver?');
  await form.getByRole('button', { name: 'Fill in values…' }).click();
  await form.getByLabel('Pin Code').fill('5600011');
  await form.getByLabel('City').fill('Bengaluru');
  await form.getByLabel('To', { exact: true }).fill(CUSTOMER);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('A pin code has 6 digits; this has 7.').waitFor();
  await form.getByLabel('Pin Code').fill('560001');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'detached' });
  await phone().getByText('Where shall we deliver?').waitFor();
  await phone().getByText('Provide address').click();
  const fields = phone().locator('.bubble-address');
  expect(await fields.locator('dt').count()).toBe(12);
  expect(await fields.getByLabel('Pin Code').inputValue()).toBe('560001');
  expect(await fields.getByLabel('City').inputValue()).toBe('Bengaluru');
  await channel().getByText('Address message: accepted by the service').last().waitFor();
  await fields.getByLabel('Name', { exact: true }).fill('Asha Rao');
  await fields.getByRole('button', { name: 'Send address' }).click();
  await openThread(2);
  await thread().getByRole('cell', { name: 'Asha Rao' }).waitFor();
  await thread().getByRole('cell', { name: '560001' }).waitFor();
});
