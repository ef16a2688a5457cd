import { beforeEach, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, NUMBERS, reached } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { isFull, saidOf, sample } from './how-many.ts';
import { faultsOf, type Method, SHARE } from './slack-errors.ts';
import { callsOf, disturb, type Fault, groupOf, toldTo } from './world.ts';

/* What people do in open forms and with cards while Slack refuses a call: one word each, and nothing is sent without leave. */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 2 }
alerts: { groups: { three: ${groupOf(NUMBERS.slice(0, 3))} }, approvalOver: 2 }
`;
const stack = runningStack({ mode: 'socket', config: CONFIG, others: { rateLimits: false } });
// A Herald that was told “too many” asks nothing for half a minute: a new one knows nothing of that.
beforeEach(() => stack.restart());

const listFile = () => stack.person(ASHA).upload('customers.csv', `phone\n${NUMBERS.join('\n')}\n`);

/** What Asha was told, alone or directly, since `deed` began. */
async function told(deed: () => Promise<unknown>): Promise<readonly string[]> {
  const known = new Set(toldTo(stack, ASHA).map(({ ts }) => ts));
  const fresh = () => toldTo(stack, ASHA).filter(({ ts }) => !known.has(ts));
  await deed();
  await stack.eventually('a word to Asha', () => fresh().length > 0);
  return fresh().map(messageText);
}

type Deed = (refuse: () => void) => Promise<unknown>;

/** After each refusal of `method` Asha is told once, what fits; Slack refuses from the moment that the deed says. */
async function refusals(method: Method, fits: RegExp, deed: Deed, also: readonly Fault[] = []) {
  const wrong: object[] = [];
  const faults = faultsOf(method);
  for (const fault of faults) {
    const words = await told(() => deed(() => disturb(stack, fault, ...also)));
    disturb(stack);
    // Slack has done it, and nobody here can know that.
    const most = fault.do === 'drop_answer' ? 2 : 1;
    if (words.length > most || !words.some((text) => fits.test(text))) wrong.push({ fault, words });
    await stack.closeViews();
  }
  expect(wrong).toEqual([]);
  return `${faults.length} refusals${SHARE}: said once`;
}

test('views.push: a window that does not open above another is announced', async ({ task }) => {
  const asha = stack.person(ASHA);
  const fits =
    /^(?:Slack did not (?:open the form \(\w+\)(?:\. Whoever runs Herald must mend that first)?|say whether it opened the form)|The form could not .*)\. Nothing was sent or changed\. Try again\.$/;
  const said = await refusals('views.push', fits, async (refuse) => {
    await asha.openForm(TEAM, '/templates');
    refuse();
    await asha.click('template_add');
  });
  task.meta.figure = `${said}, nothing changed`;
});

test('files.info: a file that Slack does not hand over is said under its field', async ({ task }) => {
  const list = await listFile();
  const form = await stack.person(ASHA).openForm(TEAM, '/audiences upload Customers');
  form.attach('file', [list]);
  const faults = faultsOf('files.info');
  const wrong: object[] = [];
  for (const fault of faults) {
    disturb(stack, fault);
    const result = await form.submit();
    const said = result.ok ? [] : Object.values(result.errors);
    if (said.length !== 1 || !/Nothing was sent\. .*(?:again|numbers)/.test(String(said[0])))
      wrong.push({ fault, said });
  }
  expect(wrong).toEqual([]);
  disturb(stack);
  task.meta.figure = `${faults.length} refusals${SHARE}: said once, nothing saved`;
});

test('chat.postEphemeral: what cannot be said in the channel is said directly', async ({ task }) => {
  const asha = stack.person(ASHA);
  const message = await asha.post(TEAM, 'Our customers.', [await listFile()]);
  const fits =
    /^Slack did not say whether it opened the form\. Nothing was saved\. Choose the shortcut again\.$/;
  const deed: Deed = (refuse) => {
    refuse();
    return asha.shortcut('use_as_audience', message);
  };
  const said = await refusals('chat.postEphemeral', fits, deed, [
    { on: 'api', method: 'views.open', times: 1, do: 'error', error: 'fatal_error' },
  ]);
  task.meta.figure = `${said}, directly`;
});

test('views.update: a list that was read is announced with a button, by which it goes on', async ({
  task,
}) => {
  const asha = stack.person(ASHA);
  const fits = /Your list has been read, but could not be shown in its window\. Nothing was sent\./;
  const said = await refusals('views.update', fits, async (refuse) => {
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', NUMBERS.join('\n')).fill('text', 'Read.');
    refuse();
    await form.submit();
  });
  expect(stack.wholeRequests()).toEqual([]);
  await clickOn(stack, ASHA, `D${ASHA.slice(1)}`, 'reopen_form');
  await stack.review();
  await asha.form().submit();
  await stack.untilShown(APPROVALS, /Read\./);
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  await stack.eventually('everybody', () => reached(stack).length === NUMBERS.length);
  task.meta.figure = `${said}, and sent once by the last of them`;
});

/** Slack takes one card a second in a channel, and fifty updates a minute: those of earlier sends may stand in line. */
const AT_ONCE = isFull ? 5 : 2;
const LONG_MS = 60_000;

test('chat.getPermalink: without links bulk sends wait for approval, go out and end', async ({ task }) => {
  const all = faultsOf('chat.getPermalink').map((fault) => ({ ...fault, times: 1 }));
  const faults = sample(all, 12);
  const asked = () => callsOf(stack, 'chat.getPermalink');
  const waiting = () =>
    stack
      .messages()
      .map((one) => JSON.stringify(one))
      .filter((one) => one.includes('Linked ') && one.includes('approval_approve')).length;
  const before = { asked: asked(), reached: reached(stack).length };
  disturb(stack, ...faults);
  let texts = 0;
  while (asked() < before.asked + faults.length) {
    for (let n = 0; n < AT_ONCE; n += 1, texts += 1)
      await stack.person(ASHA).command(TEAM, `/flash @three Linked ${texts}.`);
    await stack.eventually('the cards', () => waiting() === AT_ONCE, LONG_MS);
    for (let left = AT_ONCE; left > 0; left -= 1) {
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('the decision', () => waiting() < left, LONG_MS);
    }
    await stack.eventually('everybody', () => reached(stack).length - before.reached === 3 * texts, LONG_MS);
  }
  task.meta.figure = `${faults.length} refusals${saidOf(all)} around ${texts} sends: one message each, cards without links`;
});
