import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, RAVI, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(5);

describe('a bulk send while Slack has trouble', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  beforeEach(() => {
    stack.carrier.reset();
    stack.workspace.setFaults({ faults: [] });
  });

  const everybody = () =>
    stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length, 30_000);

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
    await stack.untilShown(TEAM, /: done[\s\S]*Through thick and thin/, 60_000);
    // In its thread may stand that it was approved, where Slack took the message before that news.
    const ofThis = () =>
      stack
        .messages()
        .filter(
          (message) =>
            message.channel === TEAM &&
            message.thread_ts === undefined &&
            /Through thick and thin/.test(messageText(message)),
        );
    const [progress] = ofThis();
    const [id] = /S-[0-9A-Z]{10}/.exec(JSON.stringify(progress?.blocks)) ?? [];
    const report = () =>
      stack
        .messages()
        .filter(({ channel, files }) => channel === 'D0ASHA' && files?.[0]?.name.endsWith(`-${id}.csv`));
    const button = () =>
      stack.messages().filter((one) => JSON.stringify(one.blocks ?? []).includes(`"report:${id}"`));
    await stack.eventually('the report', () => button().length > 0, 60_000);
    expect(button()).toHaveLength(1);
    expect(ofThis()).toHaveLength(1);
    expect(report()).toHaveLength(1);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
