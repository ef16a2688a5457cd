import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { askByNumbers, clickOn, findButton, NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(1);

const wordsOf = ({ blocks }: SandboxMessage) => JSON.stringify(blocks);

describe('who asked for a bulk send is notified', () => {
  const stack = runningStack({ config: CONFIG });
  let seen: Set<string>;
  beforeEach(() => {
    stack.workspace.setFaults({ faults: [] });
    stack.carrier.reset();
    seen = new Set(stack.messages().map(({ channel, ts }) => `${channel} ${ts}`));
  });

  /** New messages that mention Asha, and are no card that changes in place. */
  const news = (pattern: RegExp): SandboxMessage[] =>
    stack
      .messages()
      .filter(
        (message) =>
          !seen.has(`${message.channel} ${message.ts}`) &&
          message.text.includes(`<@${ASHA}>`) &&
          (message.channel === 'D0ASHA' || message.thread_ts !== undefined) &&
          pattern.test(messageText(message)),
      );
  const told = (pattern: RegExp) => stack.eventually(`news like ${pattern}`, () => news(pattern)[0], 30_000);
  const act = (action: string) => clickOn(stack, RAVI, TEAM, action);

  async function reject(reason: string): Promise<void> {
    await clickOn(stack, RAVI, APPROVALS, 'approval_reject');
    const ravi = stack.person(RAVI);
    await stack.eventually('the question for a reason', () => ravi.views().length > 0);
    await ravi.form().fill('reason', reason).submit();
  }

  test('once at approval, pause, and stop, with who, why and links', async () => {
    await sendToMany(stack, 'Told of everything.');
    const approved = await told(/approved by/);
    expect(approved.channel).toBe('D0ASHA');
    expect(wordsOf(approved)).toMatch(/approved by <@U0RAVI>.*It starts now\./);
    expect(wordsOf(approved)).toMatch(/<https:\/\/[^|]+\/C0APPROVALS\/p\d+\|Approval>/);
    await stack.untilShown(TEAM, /sending[\s\S]*Told of everything/);
    await stack.eventually('a start', () => reached(stack).length > 0, 30_000);
    await act('send_pause');
    const paused = await told(/paused by/);
    expect(paused.channel).toBe(TEAM);
    const words = wordsOf(paused);
    expect(words).toMatch(/paused by <@U0RAVI>/);
    expect(words).toMatch(/\*Resume\* goes on .* \*Stop\* ends it/);
    expect(words).toMatch(/<https:\/\/[^|]+\/C0TEAM\/p\d+\|Progress>/);
    const before = reached(stack).length;
    await act('send_resume');
    await stack.eventually('more', () => reached(stack).length > before, 30_000);
    await act('send_stop');
    const stopped = await told(/stopped by/);
    expect(wordsOf(stopped)).toMatch(/stopped by <@U0RAVI>.*sends_report/);
    expect([/approved by/, /paused by/, /stopped by/].map((one) => news(one).length)).toEqual([1, 1, 1]);
    const card = await stack.untilShown(TEAM, /stopped[\s\S]*Told of everything[\s\S]*Approval · Report/);
    expect(card.thread_ts).toBeUndefined();
    await stack.untilShown(APPROVALS, /Told of everything[\s\S]*Progress · Report/);
  });

  test('once of a rejection, with its reason and a way to ask again', async () => {
    await askByNumbers(stack, APPROVALS, 'Not like this.');
    await reject('Wrong week.');
    const rejected = await told(/Rejected by/);
    expect(wordsOf(rejected)).toMatch(/Rejected by <@U0RAVI>.*Wrong week\./);
    expect(JSON.stringify(rejected.blocks)).toContain('approval_edit');
    expect(news(/Rejected by/)).toHaveLength(1);
  });

  test('not of what they do themselves; what they take back is withdrawn', async () => {
    await askByNumbers(stack, APPROVALS, 'Never mind.');
    await clickOn(stack, ASHA, APPROVALS, 'approval_reject');
    const asha = stack.person(ASHA);
    await stack.eventually('a question', () => asha.views().length > 0);
    await asha.form().submit();
    await stack.untilShown(APPROVALS, /withdrawn[\s\S]*Never mind/);
    expect(news(/./)).toEqual([]);
  });

  test('across a restart in the middle: what Slack had not taken is told once', async () => {
    await askByNumbers(stack, APPROVALS, 'Through a crash.');
    const approve = findButton(stack, RAVI, APPROVALS, 'approval_approve');
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: 'chat.postMessage', times: 100, do: 'rate_limit', retryAfterSeconds: 1 }],
    });
    await approve();
    await stack.eventually('a start', () => reached(stack).length > 0, 30_000);
    expect(news(/./)).toEqual([]);
    await stack.killHerald();
    stack.workspace.setFaults({ faults: [] });
    await stack.restart();
    await told(/approved by/);
    await stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length - 1, 60_000);
    await told(/: done/);
    await stack.killHerald();
    await stack.restart();
    // Whatever is left to tell is told before a click is.
    const asha = stack.person(ASHA);
    await asha.command(TEAM, '/sends');
    await stack.eventually('an answer', () => asha.messages(TEAM).at(-1)?.ephemeralFor);
    expect([news(/approved by/).length, news(/: done/).length]).toEqual([1, 1]);
  });
});
