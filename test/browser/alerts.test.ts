import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { launchBrowser } from './launch.ts';
import { takePicture } from './take-picture.ts';

/* An alert, from the channel to the phone and back, on the sandbox's page. */
const ON_CALL = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups: { oncall-sg: [{ name: Mei, number: "${ON_CALL}" }], second: [{ name: Arun, number: "+919812345678" }] }
  rules: [{ name: critical, channel: C0ALERTS, notify: [oncall-sg], escalate: [{ afterMinutes: 30, notify: [second] }] }]
`;

let stack: E2eStack;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIG });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

it('an alert lies over the phone of who is on call, once, and is acknowledged in its thread', async () => {
  const problems: string[] = [];
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(stack.workspace.url);
  await page
    .getByRole('button', { name: /alerts/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Message #alerts' }).waitFor();
  const poster = page.getByRole('group', { name: 'Post an alert as' });
  await poster.getByRole('checkbox', { name: 'delivered twice' }).check();
  await poster.getByRole('button', { name: 'Alertmanager' }).click();
  const phone = page.getByRole('region', { name: `Phone ${ON_CALL}` });
  const overlay = phone.getByText(/\[FIRING:2\] InstanceDown/).first();
  await overlay.waitFor(PATIENT);
  await page.getByRole('button', { name: /1 reply/ }).click();
  const thread = page.getByRole('complementary', { name: /Thread/ });
  await thread
    .getByText(/accepted by the service/)
    .first()
    .waitFor(PATIENT);
  await takePicture(thread, 'alert');
  await thread.getByRole('button', { name: 'Acknowledge' }).click();
  await thread
    .getByText(/Acknowledged by/)
    .first()
    .waitFor(PATIENT);
  await thread
    .getByText(/not needed any more/)
    .first()
    .waitFor(PATIENT);
  expect(await thread.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  expect(stack.carrier.state().phones[ON_CALL]).toHaveLength(1);
  expect(problems).toEqual([]);
  await page.close();
});
