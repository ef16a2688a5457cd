import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { ASHA, TEAM } from '../e2e/team.ts';
import { onHerald } from './on-page.ts';
import { ORDERS, PEOPLE } from './orders.ts';

/*
 * The README's picture: the page as a newcomer would see it after three lines, with the sandbox's own team. It is
 * saved by `npm run pictures` only, so that a test run leaves the tree as it was.
 */
const PICTURE = fileURLToPath(new URL('../../docs/herald.png', import.meta.url));
const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');
const ARUN = '+919812345678';
const MEI = '+6591234567';
const APPROVALS = 'C0APPROVALS';
const on = onHerald({ config: CONFIGURATION });
const { log, phone, type } = on;

/** Whether the whole of it can be seen without scrolling. */
async function isWhollyVisible(locator: Locator): Promise<boolean> {
  return locator.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect();
          resolve((entry?.intersectionRatio ?? 0) > 0.99);
        }).observe(element);
      }),
  );
}

/** Asha asks for a message to many, each with their own name and order. */
async function askForMany(): Promise<void> {
  const asha = on.stack.person(ASHA);
  const file = await asha.upload('saturday-orders.csv', ORDERS);
  const form = await asha.openForm(TEAM, '/chatapp order_update');
  await form.choose('recipients', 'file');
  form.attach('file', [file]);
  await form.submit();
  await on.stack.review();
  await form.submit();
  await on.stack.untilShown(APPROVALS, /please decide/);
  await form.close();
}

it('shows a manager what waits for their approval, and the phones, on one screen', async () => {
  const question = 'The Saturday list is up. Ravi, could you have a look before ten?';
  await type(`/chatapp order_update ${ARUN} "Arun" "A-1001"`);
  await log('team').getByText('Chat-app message “Order update”: accepted by the service').waitFor();
  // The phone that got something last stands first.
  await on.page.getByRole('button', { name: 'alerts' }).click();
  await type(`/flash ${MEI} The server room is at 41 degrees.`, 'alerts');
  await log('alerts').getByText('Flash SMS: accepted by the service').waitFor();
  await on.stack.workspace.act({ type: 'post', as: ASHA, channel: APPROVALS, text: question });
  await askForMany();
  await on.actAs('Asha', 'Ravi');
  await on.page.getByRole('button', { name: 'approvals' }).click();

  const seen = [
    log('approvals').getByText(question),
    log('approvals').getByText(`“Order update” to ${PEOPLE} people`),
    log('approvals').getByText('Hello Priya, your order A-2001 is on its way.'),
    log('approvals').getByRole('button', { name: 'Approve' }),
    phone(MEI).getByRole('alertdialog'),
    phone(ARUN).getByText('Hello Arun, your order A-1001 is on its way.'),
  ];
  for (const part of seen)
    await expect.poll(() => isWhollyVisible(part), { message: String(part) }).toBe(true);
  await on.page.getByText(/is connected/).waitFor();
  await on.page.screenshot({
    animations: 'disabled',
    ...(process.env.HERALD_PICTURE ? { path: PICTURE } : {}),
  });
});
