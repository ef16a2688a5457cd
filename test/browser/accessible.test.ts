import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { launchBrowser } from './launch.ts';

/* The page for everybody: no rule of axe is broken in any column, in either theme; less motion; nothing beside the window. */
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [U0RAVI], over: 1 }
`;

let stack: E2eStack;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIG });
  browser = await launchBrowser();
  const page = await open(1440, 'light');
  await fill(page);
  await page.close();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.goto(stack.workspace.url);
  await composer(page).waitFor();
  return page;
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message #team' });
const log = (page: Page) => page.getByRole('log', { name: 'Messages in #team' });
const phone = (page: Page, number: string) => page.getByRole('region', { name: `Phone ${number}` });
const isWide = (page: Page) => (page.viewportSize()?.width ?? 0) >= 900;

async function type(page: Page, line: string): Promise<void> {
  await composer(page).fill(line);
  await page.keyboard.press('Enter');
}

/** A success, a failure, an answer, a flash message that lies over its phone, and failures to come. */
async function fill(page: Page): Promise<void> {
  await type(page, `/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
  await phone(page, CUSTOMER)
    .getByText(/A-1001/)
    .waitFor(PATIENT);
  await phone(page, CUSTOMER).getByRole('textbox', { name: 'Reply from' }).fill('Thank you!');
  await page.keyboard.press('Enter');
  await log(page)
    .getByRole('button', { name: /1 reply/ })
    .waitFor(PATIENT);
  await type(page, '/chatapp order_update +919999132000 "Kiran" "A-1002"');
  await log(page).getByText('Nothing was sent.').last().waitFor(PATIENT);
  await type(page, `/flash ${ON_CALL} The server room is at 41 degrees.`);
  await phone(page, ON_CALL).getByRole('alertdialog').waitFor(PATIENT);
  stack.carrier.setFaults([
    { until: Date.now() + 3_600_000, do: { type: 'status', status: 503 } },
    { every: 10, do: { type: 'code', code: 131021 } },
  ]);
}

/** What axe finds against the page as it stands: rule, and where. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as typeof globalThis & { axe: typeof axe }).axe.run(),
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

async function column(page: Page, name: 'Channels' | 'Chat' | 'Phones' | 'Log'): Promise<void> {
  if (!isWide(page))
    await page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name }).click();
  else if (name === 'Phones' || name === 'Log') await page.getByRole('tab', { name }).click();
}

/** Goes everywhere; after each step the page is looked at. */
async function tour(page: Page, look: (where: string) => Promise<void>): Promise<void> {
  await log(page).getByRole('article').last().waitFor();
  await look('chat');
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await look('menu');
  await page.keyboard.press('Escape');
  await type(page, '/chatapp order_update');
  const form = page.getByRole('dialog', { name: 'Chat-app message' });
  await form.getByLabel('customer').waitFor();
  await form.getByRole('button', { name: /Send|Continue/ }).click();
  await form.getByRole('alert').first().waitFor(PATIENT);
  await look('form');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await log(page)
    .getByRole('button', { name: /1 reply/ })
    .first()
    .click();
  await page.getByRole('log', { name: 'Replies' }).getByText('Thank you!').waitFor();
  await look('thread');
  await column(page, 'Phones');
  await phone(page, CUSTOMER).getByText('Thank you!').waitFor();
  await phone(page, ON_CALL).getByRole('alertdialog').waitFor();
  await look('phones');
  await column(page, 'Log');
  await page
    .getByRole('button', { name: /^200 POST \/sms/ })
    .first()
    .waitFor();
  await page.getByRole('list', { name: 'What goes wrong now' }).waitFor();
  await look('log');
  await column(page, 'Channels');
  await look('channels');
  await page.getByRole('button', { name: 'Herald Home' }).click();
  await page.getByRole('region', { name: 'Herald Home' }).getByRole('button').first().waitFor(PATIENT);
  await look('home');
  await page.getByRole('region', { name: 'Herald Home' }).getByRole('link', { name: 'Open' }).first().click();
  await page.locator('.is-marked:focus').waitFor(PATIENT);
  await look('linked');
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 820, 1440])
    it(`breaks no rule of axe and fits, ${width} px wide, in ${colorScheme}`, async () => {
      const page = await open(width, colorScheme);
      const found: string[] = [];
      await tour(page, async (where) => {
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/${where}-${width}-${colorScheme}.png` });
        found.push(...(await violations(page)).map((one) => `${where}: ${one}`));
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (tooWide > 0) found.push(`${where}: ${tooWide} px beside the window`);
        expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      });
      expect(found).toEqual([]);
      await page.close();
    });
