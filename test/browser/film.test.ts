import { readFileSync, writeFileSync } from 'node:fs';
import { decodeApng } from 'fast-png';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { PATIENT } from '../patience.ts';
import { isFull } from '../trust/how-many.ts';
import { Film } from './film.ts';
import { onHerald } from './on-page.ts';
import { ORDERS, PEOPLE } from './orders.ts';

/* The README's film of a campaign, from the list to the end. It is taken each night, and saved by `npm run pictures` only. */
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

const on = onHerald({ config: CONFIGURATION });
const { log, dialog } = on;
let film: Film;

beforeAll(async () => {
  on.stack.carrier.setReports('soon');
  const page = await on.open({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
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
  await page.reload();
  film = new Film(page);
});

/** Moves to something, is seen there, and presses it. */
async function press(what: Locator): Promise<void> {
  await what.hover();
  await film.take(LOOK_MS);
  await what.click();
}

async function ask(): Promise<void> {
  const composer = on.page.getByRole('textbox', { name: 'Message #team' });
  await composer.click();
  await film.take(LOOK_MS);
  for (const part of ['/chat', '/chatapp order', '/chatapp order_update']) {
    await composer.fill(part);
    await film.take(LONGEST_MS);
  }
  await on.page.keyboard.press('Enter');
  const recipients = dialog().getByRole('combobox', { name: 'Recipients' });
  await press(recipients);
  await press(on.page.getByRole('option', { name: /CSV file/ }));
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
  await on.page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function approve(): Promise<void> {
  await press(on.page.getByRole('button', { name: /You are Asha/ }));
  await press(on.page.getByRole('menuitemradio', { name: /Ravi/ }));
  await press(on.page.getByRole('navigation').getByRole('button', { name: /approvals/ }));
  const yes = log('approvals').getByRole('button', { name: 'Approve', exact: true });
  await yes.waitFor(PATIENT);
  await film.take(READ_MS);
  await press(yes);
  await press(on.page.getByRole('alertdialog').getByRole('button', { name: `Approve ${PEOPLE}` }));
}

async function watch(): Promise<void> {
  await on.page.getByRole('navigation').getByRole('button', { name: /team/ }).click();
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
    .getByText(new RegExp(`${PEOPLE} delivered · 180 read`))
    .waitFor(PATIENT);
  await film.take(READ_MS * 2);
}

it.runIf(isFull || process.env.HERALD_PICTURE !== undefined)(
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
