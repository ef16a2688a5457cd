import { beforeAll, expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, reached } from '../e2e/bulk-steps.ts';
import { ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';
import { taskTimes } from './task-times.ts';

/*
 * A campaign of 10,000 on the page, beside 10,000 phones that it knows already: it is paused, resumed and stopped by clicks
 * while 80 messages a second arrive.
 */
const PEOPLE = 10_000;
const KNOWN = 10_000;
/** As many as the carrier takes in one request. */
const AT_ONCE = 100;
const APPROVALS = 'C0APPROVALS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
`;
const LIST = [
  'phone,customer,order',
  ...Array.from({ length: PEOPLE }, (_, n) => `+9198123${10_000 + n},Person ${n},A-${n}`),
].join('\n');

// Its page is opened once there are phones.
const on = onHerald({ config: CONFIG, each: true });
beforeAll(async () => {
  for (let from = 0; from < KNOWN; from += AT_ONCE) await fillPhones(from);
});

async function fillPhones(from: number): Promise<void> {
  const to = Array.from({ length: AT_ONCE }, (_, n) => `9197000${10_000 + from + n}`);
  const answer = await fetch(`${on.stack.carrier.url}/v1/sms`, {
    method: 'POST',
    headers: { apikey: SANDBOX_CREDENTIALS.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ sender: 'ACMEIN', to, text: 'We are open.', type: 'TRANS', unicode: 0 }),
  });
  expect(answer.status).toBe(200);
}

const { log } = on;
const card = () =>
  log()
    .getByRole('article')
    .filter({ hasText: /to 10,000 people/ })
    .last();

async function startCampaign(): Promise<void> {
  const asha = on.stack.person(ASHA);
  const file = await asha.upload('everybody.csv', LIST);
  const form = await asha.openForm(TEAM, '/chatapp order_update');
  await form.choose('recipients', 'file');
  form.attach('file', [file]);
  await form.submit();
  await on.stack.review(60_000);
  await form.submit();
  await on.stack.untilShown(APPROVALS, /please decide/, 60_000);
  await form.close();
  await clickOn(on.stack, RAVI, APPROVALS, 'approval_approve');
}

/** No click waits for longer: 80 messages a second must not take the page more than this at one go. */
const LONGEST_TASK_MS = 50;

async function measureTasks(while_: string, during: Promise<unknown>): Promise<void> {
  const { longestMs, long } = await taskTimes(on.page, during);
  console.info(
    `${while_}: the longest task took ${longestMs} ms of the processor; ${long} were long by the clock`,
  );
  expect(longestMs).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(LONGEST_TASK_MS);
}

/** Resolves once the card has been updated so many times from now on. */
function cardUpdates(count: number): Promise<unknown> {
  let left = count;
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = on.stack.workspace.subscribe((event) => {
    if (event.type !== 'message' || !/Order update/.test(messageText(event.message))) return;
    if (event.message.channel === TEAM) left -= 1;
    if (left > 0) return;
    unsubscribe();
    resolve();
  });
  return promise;
}

it('is paused and stopped by clicks, and a question stays while its message is updated', async () => {
  await log().waitFor();
  await on.page.getByPlaceholder(/Find one of 1\d,?\d{3} phones/).waitFor(PATIENT);
  await startCampaign();
  await log().getByRole('button', { name: 'Pause' }).waitFor(PATIENT);
  const reply = on.page.getByRole('textbox', { name: /^Reply from/ }).first();
  await reply.fill('Where is it?');
  await measureTasks('Phones in sight', cardUpdates(4));
  expect(await on.page.getByRole('region', { name: /^Phone / }).count()).toBeLessThan(20);
  expect(await on.page.locator(':focus').inputValue()).toBe('Where is it?');
  await on.page.getByRole('searchbox', { name: 'Find a phone' }).fill('919700019999');
  await on.page.getByRole('region', { name: 'Phone +919700019999' }).waitFor(PATIENT);
  expect(await on.page.getByRole('region', { name: /^Phone / }).count()).toBe(1);
  await on.page.getByRole('searchbox', { name: 'Find a phone' }).fill('');

  await log().getByRole('button', { name: 'Pause' }).click();
  await card()
    .getByText(/: paused/)
    .first()
    .waitFor(PATIENT);
  expect(reached(on.stack).length).toBeLessThan(KNOWN + PEOPLE);
  await card().getByRole('button', { name: 'Resume' }).click();
  await card().getByRole('button', { name: 'Pause' }).waitFor(PATIENT);

  await on.page.getByRole('tab', { name: /Carrier log/ }).click();
  await measureTasks('Carrier log in sight', cardUpdates(4));
  expect(await on.page.locator('.request').count()).toBeLessThan(60);

  await card().getByRole('button', { name: 'Stop' }).click();
  const question = on.page.getByRole('alertdialog', { name: 'Stop this send for good?' });
  const yes = question.getByRole('button', { name: 'Stop' });
  await yes.waitFor();
  await cardUpdates(3);
  expect(await yes.evaluate((button) => button === document.activeElement)).toBe(true);
  await yes.click();
  await card()
    .getByText(/: stopped/)
    .first()
    .waitFor(PATIENT);
  const numbers = reached(on.stack);
  expect(numbers.length).toBeLessThan(KNOWN + PEOPLE);
  expect(new Set(numbers).size).toBe(numbers.length);
});
