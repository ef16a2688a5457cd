import { it } from 'vitest';
import { onHerald } from './on-page.ts';
import { takePicture } from './take-picture.ts';

/* The catalogue as a person meets it: searched, tried and changed on the sandbox's on.page. */

const on = onHerald();

const dialog = (name: string) => on.page.getByRole('dialog', { name, exact: true });

it('is searched, a template is tried, changed, and shown as it then is', async () => {
  await on.type('/templates');
  const list = dialog('Templates');
  await list.getByLabel('Search').fill('ordr updte');
  await on.page.keyboard.press('Enter');
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
});
