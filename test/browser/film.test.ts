import { readFileSync, writeFileSync } from 'node:fs';
import { decodeApng } from 'fast-png';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { PATIENT } from '../patience.ts';
import { Film } from './film.ts';
import { launchBrowser } from './launch.ts';
import { ORDERS, PEOPLE } from './orders.ts';

/* The README's film of a campaign, from the list to the end. It is saved by `npm run pictures` only. */
const FILM = new URL('../../docs/campaign.png', import.meta.url);
const CONFIGURATION = readFileSync(new URL('../../sandbox/herald.yml', import.meta.url), 'utf8');
const MOST_BYTES = 2_000_000;
/** How long a frame stands: one to read, one to look at, one of many at least and at most. */
const READ_MS = 2_200;
const LOOK_MS = 900;
const SHORTEST_MS = 80;
const LONGEST_MS = 300;
/** On a machine that does a lot besides: a frame costs more than a look. */
const SLOWEST_MS = 300_000;

let stack: E2eStack;
let browser: Browser;
let page: Page;
let film: Film;

beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIGURATION });
  stack.carrier.setReports('soon');
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    localStorage.setItem('guide-hidden', 'yes');
    addEventListener('DOMContentLoaded', () => {
      const pointer = document.createElement('div');
      pointer.setAttribute('aria-hidden', 'true');
      pointer.style.cssText =
        'position:fixed;left:-40px;top:0;z-index:99;width:22px;height:22px;margin:-11px;border-radius:50%;pointer-events:none;background:#e8590c99;border:2px solid #fff';
      document.body.append(pointer);
      addEventListener('mousemove', ({ clientX, clientY }) => {
        pointer.style.translate = `${clientX + 40}px ${clientY}px`;
      });
    });
  });
  await page.goto(stack.workspace.url);
  film = new Film(page);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const log = (channel: string) => page.getByRole('log', { name: `Messages in #${channel}` });
const dialog = () => page.getByRole('dialog').last();

/** Moves to something, is seen there, and presses it. */
async function press(what: Locator): Promise<void> {
  await what.hover();
  await film.take(LOOK_MS);
  await what.click();
}

async function ask(): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message #team' });
  await composer.click();
  await film.take(LOOK_MS);
  for (const part of ['/chat', '/chatapp order', '/chatapp order_update']) {
    await composer.fill(part);
    await film.take(LONGEST_MS);
  }
  await page.keyboard.press('Enter');
  const recipients = dialog().getByRole('combobox', { name: 'Recipients' });
  await press(recipients);
  await press(page.getByRole('option', { name: /CSV file/ }));
  await dialog()
    .locator('input[type=file]')
    .setInputFiles({ name: 'saturday-orders.csv', mimeType: 'text/csv', buffer: Buffer.from(ORDERS) });
  await dialog().getByText('saturday-orders.csv').waitFor();
  await press(dialog().getByRole('button', { name: 'Next' }));
  const question = dialog().getByRole('button', { name: 'Ask for approval' });
  await question.waitFor(PATIENT);
  await film.take(READ_MS);
  await press(question);
  await question.waitFor({ ...PATIENT, state: 'detached' });
  await press(dialog().getByRole('button', { name: 'Close' }).last());
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function approve(): Promise<void> {
  await press(page.getByRole('button', { name: /You are Asha/ }));
  await press(page.getByRole('menuitemradio', { name: /Ravi/ }));
  await press(page.getByRole('navigation').getByRole('button', { name: /approvals/ }));
  const yes = log('approvals').getByRole('button', { name: 'Approve', exact: true });
  await yes.waitFor(PATIENT);
  await film.take(READ_MS);
  await press(yes);
  await press(page.getByRole('alertdialog').getByRole('button', { name: `Approve ${PEOPLE}` }));
}

async function watch(): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: /team/ }).click();
  const done = log('team')
    .getByText(/: done/)
    .first();
  // As fast as it was, on a machine of any speed.
  for (
    let at = performance.now(), before = at;
    !(await done.isVisible());
    before = at, at = performance.now()
  )
    await film.take(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.round(at - before))));
  await film.take(LOOK_MS);
  await log('team')
    .getByText(new RegExp(`${PEOPLE} delivered \\(180 read\\)`))
    .waitFor(PATIENT);
  await film.take(READ_MS * 2);
}

it(
  'shows a campaign from the list to the last report, in less than 2 MB',
  async () => {
    await ask();
    await approve();
    await watch();
    const bytes = film.encode();
    if (process.env.HERALD_PICTURE) writeFileSync(FILM, bytes);
    expect(bytes.length).toBeLessThan(MOST_BYTES);
    const { frames, width, height } = decodeApng(bytes);
    expect([width, height]).toEqual([1280, 900]);
    expect(frames.length).toBeGreaterThan(20);
  },
  SLOWEST_MS,
);
