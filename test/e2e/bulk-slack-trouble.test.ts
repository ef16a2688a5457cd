import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached, shown } from './bulk-steps.ts';
import { RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
pacing: { sms: { perSecond: 5, concurrency: 1, recipientsPerRequest: 1 } }
`;

describe('a bulk send while Slack has trouble', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  beforeEach(() => {
    stack.carrier.reset();
    stack.workspace.setFaults({ faults: [] });
  });

  const everybody = () =>
    stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length, 30_000);

  test('what Slack refuses without a reason of its own is told once it takes it: the card and the end', async () => {
    const fault = { on: 'api', times: 2, do: 'error', error: 'ekm_access_denied' } as const;
    stack.workspace.setFaults({ faults: [{ ...fault, method: 'chat.postMessage' }] });
    const asking = askByNumbers(stack, APPROVALS, 'Slack was migrating.');
    await stack.eventually('the card', () => shown(stack, APPROVALS, /Slack was migrating/), 60_000);
    await asking;
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await everybody();
    stack.workspace.setFaults({ faults: [{ ...fault, method: 'chat.update' }] });
    await stack.eventually('the end', () => shown(stack, TEAM, /: done[\s\S]*Slack was migrating/), 60_000);
  });

  test('Slack that rate-limits, fails and loses answers in the middle: one message, one end, one report', async () => {
    await askByNumbers(stack, APPROVALS, 'Through thick and thin.');
    stack.workspace.setFaults({
      faults: [
        { on: 'api', method: 'chat.postMessage', times: 1, do: 'rate_limit', retryAfterSeconds: 1 },
        { on: 'api', method: 'chat.postMessage', times: 1, do: 'drop_answer' },
        { on: 'api', method: 'chat.update', times: 2, do: 'rate_limit', retryAfterSeconds: 2 },
        { on: 'api', method: 'chat.update', times: 2, do: 'error', error: 'internal_error' },
        { on: 'api', method: 'chat.update', times: 1, do: 'drop_answer' },
        {
          on: 'api',
          method: 'files.getUploadURLExternal',
          times: 1,
          do: 'rate_limit',
          retryAfterSeconds: 1,
        },
      ],
    });
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await everybody();
    await stack.eventually(
      'the end',
      () => shown(stack, TEAM, /: done[\s\S]*Through thick and thin/),
      60_000,
    );
    // In its thread may stand that it was approved, where Slack took the message before that news.
    const ofThis = () =>
      stack.workspace
        .snapshot()
        .messages.filter(
          (message) =>
            message.channel === TEAM &&
            message.thread_ts === undefined &&
            /Through thick and thin/.test(messageText(message)),
        );
    const [progress] = ofThis();
    const [id] = /S-[0-9A-Z]{10}/.exec(JSON.stringify(progress?.blocks)) ?? [];
    const report = () =>
      stack.workspace
        .snapshot()
        .messages.filter(
          ({ channel, files }) => channel === 'D0ASHA' && files?.[0]?.name.endsWith(`-${id}.csv`),
        );
    const button = () =>
      stack.workspace
        .snapshot()
        .messages.filter((one) => JSON.stringify(one.blocks ?? []).includes(`"report:${id}"`));
    await stack.eventually('the report', () => button().length > 0, 60_000);
    expect(button()).toHaveLength(1);
    expect(ofThis()).toHaveLength(1);
    expect(report()).toHaveLength(1);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
