import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';

/* The page for everybody: no rule of axe is broken in any column, in either theme; less motion; nothing beside the window. */
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [U0RAVI], over: 1 }
`;

const on = onHerald({ config: CONFIG });
const { log, phone, type } = on;

/** A success, a failure, an answer, a flash message that lies over its phone, and failures to come. */
beforeAll(async () => {
  await type(`/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
  await phone(CUSTOMER)
    .getByText(/A-1001/)
    .waitFor(PATIENT);
  await phone(CUSTOMER).getByRole('textbox', { name: 'Reply from' }).fill('Thank you!');
  await on.page.keyboard.press('Enter');
  await log()
    .getByRole('button', { name: /1 reply/ })
    .waitFor(PATIENT);
  await type('/chatapp order_update +919999132000 "Kiran" "A-1002"');
  await log().getByText('rejected, nothing was sent').last().waitFor(PATIENT);
  await type(`/flash ${ON_CALL} The server room is at 41 degrees.`);
  await phone(ON_CALL).getByRole('alertdialog').waitFor(PATIENT);
  on.stack.carrier.setFaults([
    { until: Date.now() + 3_600_000, do: { type: 'status', status: 503 } },
    { every: 10, do: { type: 'code', code: 131021 } },
  ]);
});

/** Themes differ in nothing but colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds against the page as it stands: rule, and where. @param rules by default all */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (only) =>
      (globalThis as typeof globalThis & { axe: typeof axe }).axe.run(only ? { runOnly: [...only] } : {}),
    rules,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

async function column(page: Page, name: 'Channels' | 'Chat' | 'Phones' | 'Log'): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 900)
    await page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name }).click();
  else if (name === 'Phones' || name === 'Log') await page.getByRole('tab', { name }).click();
}

/** Goes everywhere; after each step the page is looked at. */
async function tour(page: Page, look: (where: string) => Promise<void>): Promise<void> {
  await log().getByRole('article').last().waitFor();
  await look('chat');
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await look('menu');
  await page.keyboard.press('Escape');
  await type('/chatapp order_update');
  const form = page.getByRole('dialog', { name: 'Chat-app message' });
  await form.getByLabel('customer').waitFor();
  await form.getByRole('button', { name: /Send|Continue/ }).click();
  await form.getByRole('alert').first().waitFor(PATIENT);
  await look('form');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await log()
    .getByRole('button', { name: /1 reply/ })
    .first()
    .click();
  await page.getByRole('log', { name: 'Replies' }).getByText('Thank you!').waitFor();
  await look('thread');
  await column(page, 'Phones');
  await phone(CUSTOMER).getByText('Thank you!').waitFor();
  await phone(ON_CALL).getByRole('alertdialog').waitFor();
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

it.each([390, 820, 1440])(
  'breaks no rule of axe and fits, %i px wide, in light and in dark',
  async (width) => {
    const page = await on.open({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    await page.evaluate(axe.source);
    const found: string[] = [];
    await tour(page, async (where) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...(await violations(page, OF_COLOURS)).map((one) => `${where}, dark: ${one}`));
      await page.emulateMedia({ colorScheme: 'light' });
      found.push(...(await violations(page)).map((one) => `${where}: ${one}`));
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) found.push(`${where}: ${tooWide} px beside the window`);
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    });
    expect(found).toEqual([]);
  },
);
