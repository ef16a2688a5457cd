import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { askByNumbers, clickOn, NUMBERS } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, CUSTOMER, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import type { Refusable } from './slack-errors.ts';
import { disturb, type Fault } from './world.ts';

/*
 * Slack that never answers a call: people do one thing after the other, and each call of Herald's for that ends by its own
 * time-out, ten seconds later, all of them at once.
 */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 2 }
access: { send: { flash: [${TEAM}] } }
`;
/** Longer than Herald waits for an answer, on a busy machine. */
const ALL_MS = 20_000;

const stack = runningStack({ mode: 'socket', config: CONFIG, others: { rateLimits: false } });

/** By method, the calls that were never answered. */
const unanswered = () =>
  stack.workspace
    .apiCalls()
    .filter(({ answer }) => 'error' in answer && answer.error === 'no_answer')
    .map(({ method }) => method);

/** Does it, and resolves once Slack keeps Herald waiting; what comes of it then is awaited by who wants it. */
async function whileUnanswered<Result>(
  method: Refusable,
  act: () => Promise<Result>,
  also: readonly Fault[] = [],
): Promise<{ readonly result: Promise<Result> }> {
  const before = unanswered();
  disturb(stack, { on: 'api', method, times: 1, do: 'hang' }, ...also);
  const result = act();
  await expect.poll(unanswered, { message: method, timeout: ALL_MS }).toEqual([...before, method]);
  return { result };
}

/** What each was told since then, alone or directly, in its order of letters. */
function toldSince(then: readonly SandboxMessage[]) {
  const known = new Set(then.map(({ channel, ts }) => channel + ts));
  return stack
    .messages()
    .filter(({ channel, ts }) => !known.has(channel + ts))
    .filter(({ channel, ephemeralFor }) => ephemeralFor !== undefined || channel.startsWith('D'))
    .map((one) => `${one.ephemeralFor ?? one.channel.replace('D', 'U')}: ${messageText(one)}`)
    .map((text) => text.replace(/\n[\s\S]*/, '').replace(/reference E-\w+/, 'reference'))
    .toSorted();
}

const command = (as: string, line: string) => () => stack.person(as).command(TEAM, line);
const flashStep =
  (as: string, text: string, more: object = {}) =>
  () =>
    stack.person(as).runStep('send_flash_sms', { channel: TEAM, to: CUSTOMER, text, ...more });

test('no answer: a call that Slack never answers is given up, and said once', async ({ task }) => {
  const [asha, mei] = [stack.person(ASHA), stack.person(MEI)];
  await asha.command(TEAM, `/optout add ${NUMBERS[11]}`);
  await askByNumbers(stack, APPROVALS, 'Waiting.');
  const list = await asha.upload('customers.csv', `phone\n${NUMBERS.join('\n')}\n`);
  const message = await asha.post(TEAM, 'Our customers.', [list]);
  const audience = await asha.openForm(TEAM, '/audiences upload Customers');
  audience.attach('file', [list]);
  const sms = await mei.openForm(TEAM, '/sms');
  await sms.choose('recipients', 'numbers');
  sms.fill('numbers', NUMBERS.join('\n')).fill('text', 'Read.');
  await asha.openForm(TEAM, '/templates');
  const then = stack.messages();
  const sent = stack.wholeRequests().length;
  const approve = (as: string) => () => clickOn(stack, as, APPROVALS, 'approval_approve');
  const notOpened: Fault = { on: 'api', method: 'views.open', times: 1, do: 'error', error: 'fatal_error' };

  // Nobody has asked who Ravi is.
  await whileUnanswered('users.info', approve(RAVI));
  const step = await whileUnanswered('functions.completeSuccess', flashStep(ASHA, 'Step.'));
  const toNobody = flashStep(ASHA, 'To nobody.', { to: 'nobody', stop_on_failure: true });
  const failing = await whileUnanswered('functions.completeError', toNobody);
  await whileUnanswered('files.info', () => audience.submit());
  await whileUnanswered('views.open', command(ASHA, '/sms'));
  await whileUnanswered('views.publish', () => stack.workspace.act({ type: 'home_opened', as: ASHA }));
  await whileUnanswered('files.getUploadURLExternal', command(ASHA, '/optout export'));
  await whileUnanswered('files.completeUploadExternal', command(MEI, '/optout export'));
  await whileUnanswered('response_url', command(MEI, '/sends'));
  await whileUnanswered('views.push', () => asha.click('template_add'));
  await whileUnanswered('views.update', () => sms.submit());
  await whileUnanswered('usergroups.users.list', approve(MEI));
  const early = await whileUnanswered('conversations.members', flashStep(MEI, 'Without leave.'));
  const choose = () => asha.shortcut('use_as_audience', message);
  await whileUnanswered('chat.postEphemeral', choose, [notOpened]);
  const methods = new Set(unanswered());

  const opened = 'Slack did not say whether it opened the form. Nothing was';
  const approved = 'Slack did not say whether you may approve. Nothing was approved. Try again in a minute.';
  const file = 'Slack did not take the file. Try again in a minute.';
  const told = [
    `${ASHA}: ${opened} saved. Choose the shortcut again.`,
    `${ASHA}: ${opened} sent or changed. Try again.`,
    `${ASHA}: ${opened} sent. Type /sms again.`,
    `${ASHA}: ${file}`,
    `${MEI}: ${approved}`,
    `${MEI}: ${file}`,
    expect.stringMatching(
      /^U0MEI: Something went wrong in Herald, and .* give whoever runs Herald the reference\.$/,
    ),
    `${MEI}: The opt-out list, 1 number:`,
    `${MEI}: Your list has been read, but could not be shown in its window. Nothing was sent. Open it within the hour to go on.`,
    `${RAVI}: ${approved}`,
  ];
  await stack.eventually('words to everybody', () => toldSince(then).length >= told.length, ALL_MS);
  await stack.shows(/Slack did not hand over the file\. Nothing was sent\./, ASHA, ALL_MS);
  expect((await early.result).outputs).toMatchObject({ status: 'refused' });
  expect(await failing.result).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Nothing was sent.'),
  });
  expect((await step.result).outputs).toMatchObject({ status: 'accepted' });
  await stack.workspace.act({ type: 'home_opened', as: ASHA });
  await stack.eventually('Home', () => stack.workspace.snapshot().homes[ASHA]);
  await stack.stopHerald();
  expect(toldSince(then)).toEqual(told);
  expect(stack.wholeRequests()).toHaveLength(sent + 1);
  task.meta.figure = `${methods.size} methods at once: each said once, nothing sent but by leave`;
});
