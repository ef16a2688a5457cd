import { expect, it } from 'vitest';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';
import { takePicture } from './take-picture.ts';

/* An alert, from the channel to the phone and back, on the sandbox's page. */
const ON_CALL = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups: { oncall-sg: [{ name: Mei, number: "${ON_CALL}" }], second: [{ name: Arun, number: "+919812345678" }] }
  rules: [{ name: critical, channel: C0ALERTS, notify: [oncall-sg], escalate: [{ afterMinutes: 30, notify: [second] }] }]
`;

const on = onHerald({ config: CONFIG });

it('an alert lies over the phone of who is on call, once, and is acknowledged in its thread', async () => {
  const { page, stack } = on;
  await page
    .getByRole('button', { name: /alerts/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Message #alerts' }).waitFor();
  const poster = page.getByRole('group', { name: 'Post an alert as' });
  await poster.getByRole('checkbox', { name: 'delivered twice' }).check();
  await poster.getByRole('button', { name: 'Alertmanager' }).click();
  const overlay = on
    .phone(ON_CALL)
    .getByText(/\[FIRING:2\] InstanceDown/)
    .first();
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
});
