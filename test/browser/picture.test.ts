import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type E2eStack, RAVI, startStack, TEAM } from '../e2e/stack.ts';
import { launchBrowser } from './launch.ts';

/*
 * The README's picture: the page as a newcomer would see it after three lines, with the sandbox's own team. It is
 * saved by `npm run picture` only, so that a test run leaves the tree as it was.
 */
const PICTURE = fileURLToPath(new URL('../../docs/herald.png', import.meta.url));
const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');
const SIZE = { width: 1440, height: 900 };
const ARUN = '+919812345678';
const MEI = '+6591234567';

// A browser on a busy machine needs longer than code does.
vi.setConfig({ testTimeout: 60_000 });

let stack: E2eStack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIGURATION });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: SIZE });
  await page.goto(stack.workspace.url);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function type(channel: string, line: string): Promise<void> {
  await page.getByRole('textbox', { name: `Message #${channel}` }).fill(line);
  await page.keyboard.press('Enter');
}

const log = (channel: string) => page.getByRole('log', { name: `Messages in #${channel}` });
const phone = (number: string) => page.getByRole('region', { name: `Phone ${number}` });

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

it('shows a question, a result, a failure explained, and a flash message, on one screen', async () => {
  const question =
    'Order A-1001 has left the warehouse, and so has A-1002. Can somebody tell Arun and Kiran?';
  await stack.workspace.act({ type: 'post', as: RAVI, channel: TEAM, text: question });
  await log('team').getByText(question).waitFor();
  await type('team', `/chatapp order_update ${ARUN} "Arun" "A-1001"`);
  await log('team').getByText('Chat-app message “Order update”: accepted by the service').waitFor();
  await type('team', '/chatapp order_update +919999132000 "Kiran" "A-1002"');
  await log('team').getByText('Chat-app message “Order update”: rejected, nothing was sent').waitFor();

  // The phone that got something last stands first.
  await page.getByRole('button', { name: 'alerts' }).click();
  await type('alerts', `/flash ${MEI} The server room is at 41 degrees.`);
  await log('alerts').getByText('Flash SMS: accepted by the service').waitFor();
  await page.getByRole('button', { name: 'team', exact: true }).click();

  const seen = [
    log('team').getByText(question),
    log('team').getByText('Hello Arun, your order A-1001 is on its way.'),
    log('team').getByText('Code 132000 · HTTP'),
    phone(MEI).getByRole('alertdialog'),
    phone(ARUN).getByText('Hello Arun, your order A-1001 is on its way.'),
  ];
  for (const part of seen)
    await expect.poll(() => isWhollyVisible(part), { message: String(part), timeout: 20_000 }).toBe(true);
  await page.getByText(/is connected/).waitFor();
  await page.screenshot({
    animations: 'disabled',
    ...(process.env.HERALD_PICTURE ? { path: PICTURE } : {}),
  });
});
