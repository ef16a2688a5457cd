import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import type { AlertEvent } from '../../../../src/sends/alerts/alert.ts';
import { createAlertIntake } from '../../../../src/slack/alerts/intake.ts';
import { createBotApps } from '../../../../src/slack/kit/people/bot-apps.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { RULE } from '../../../sends/alerts/setting.ts';
import { slackError } from '../../compose/setting.ts';

const MINUTE_MS = 60_000;
const HERALD = { teamId: 'T0ACME', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };

type Answer = { app_id?: string; name?: string } | Error | 'hang';

/** Slack answers `bots.info` as told, the last answer again and again. */
function setting(...answers: Answer[]) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const asked: string[] = [];
  const info = async ({ bot }: { bot: string }) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(bot);
    if (answer === 'hang') return new Promise<never>(() => {});
    if (answer instanceof Error) throw answer;
    return { ok: true, bot: { id: bot, ...answer } };
  };
  const client = { bots: { info } } as unknown as webApi.WebClient;
  const botApps = createBotApps({ client, clock, logger });
  const kept: AlertEvent[] = [];
  const intake = createAlertIntake({
    alertSettings: {
      rules: [
        { ...RULE, channel: 'C0APPS', from: { apps: [] } },
        { ...RULE, channel: 'C0OTHERS' },
      ],
    },
    alerts: { receive: async (event) => void kept.push(event) },
    names: { nameOf: async (id) => id },
    botApps,
    clock,
    slackClock: clock,
  });
  let ts = 0;
  /** As an incoming webhook's message comes: the bot, and nothing of an app. */
  const deliver = (over: object = {}) => {
    ts += 1;
    const message = { subtype: 'bot_message', bot_id: 'B1', username: 'Grafana', text: 'Down' };
    const event = { type: 'message', channel: 'C0APPS', ts: `1.${ts}`, ...message, ...over };
    return intake({ type: 'event_callback', event_id: `Ev${ts}`, event }, HERALD).then(
      () => 'kept',
      (error: Error) => error.message,
    );
  };
  const authors = () => kept.map(({ author }) => author);
  return { clock, asked, deliver, authors, lines: () => logger.lines };
}

const WITH_APP = { botId: 'B1', appId: 'A1', name: 'Grafana' };

/** Any refusal of `bots.info` but that there is no such bot may pass. */
const PASSING = ['missing_scope', 'a_code_of_tomorrow'];
const limited = new webApi.WebAPIRateLimitedError(1);

describe('the app of a bot', () => {
  test('is asked once for a flood, and known for a day', async () => {
    const { deliver, asked, authors, clock } = setting({ app_id: 'A1' });
    expect(await Promise.all([deliver(), deliver(), deliver()])).toEqual(['kept', 'kept', 'kept']);
    await clock.advance(23 * 60 * MINUTE_MS);
    await deliver();
    expect(asked).toEqual(['B1']);
    expect(authors()).toEqual(Array(4).fill(WITH_APP));
    await clock.advance(2 * 60 * MINUTE_MS);
    await deliver();
    expect(asked).toHaveLength(2);
  });

  test('is not asked where the message names it, nobody asks for it, or a person or Herald has written', async () => {
    const { deliver, asked, authors } = setting({ app_id: 'A1' });
    await deliver({ app_id: 'A7' });
    await deliver({ bot_profile: { app_id: 'A8' } });
    await deliver({ channel: 'C0OTHERS' });
    await deliver({ channel: 'C0ELSEWHERE' });
    await deliver({ subtype: undefined, bot_id: undefined, user: 'U0ASHA' });
    await deliver({ bot_id: 'B0HERALD' });
    expect(asked).toEqual([]);
    expect(authors()).toEqual([
      { botId: 'B1', appId: 'A7', name: 'Grafana' },
      { botId: 'B1', appId: 'A8', name: 'Grafana' },
      { botId: 'B1', name: 'Grafana' },
      { userId: 'U0ASHA' },
    ]);
  });

  test.each<[string, Answer]>([
    ['refuses to say', slackError('bot_not_found')],
    ['knows of none', {}],
  ])('that Slack %s keeps the message without it; the log says so once', async (_, answer) => {
    const { deliver, asked, authors, clock, lines } = setting(answer);
    expect([await deliver(), await deliver()]).toEqual(['kept', 'kept']);
    expect(asked).toHaveLength(1);
    await clock.advance(11 * MINUTE_MS);
    await deliver();
    expect(asked).toHaveLength(2);
    expect(authors()).toEqual(Array(3).fill({ botId: 'B1', name: 'Grafana' }));
    expect(lines().map(({ level }) => level)).toEqual(['warn']);
  });

  test('comes with its name, where the message does not say that', async () => {
    const { deliver, asked, authors } = setting({ app_id: 'A1', name: 'Nightly' });
    await deliver({ username: undefined, app_id: 'A1' });
    await deliver({ username: undefined });
    expect(asked).toEqual(['B1']);
    expect(authors()).toEqual(Array(2).fill({ ...WITH_APP, name: 'Nightly' }));
  });

  test('that Slack does not say at once is asked again before the message is kept', async () => {
    const { deliver, authors, clock } = setting(limited, { app_id: 'A1' });
    const delivered = deliver();
    await clock.advance(400);
    expect(await delivered).toBe('kept');
    expect(authors()).toEqual([WITH_APP]);
  });

  test.each<[string, Answer[]]>([
    ['cannot say', Array(3).fill(limited)],
    ['does not answer', ['hang']],
    ...PASSING.map((code): [string, Answer[]] => [`refuses with ${code}`, Array(3).fill(slackError(code))]),
  ])('that Slack %s now leaves the message to be delivered again', async (_, answers) => {
    const { deliver, authors, clock } = setting(...answers, { app_id: 'A1' });
    const delivered = deliver();
    await clock.advance(2_100);
    expect(await delivered).not.toBe('kept');
    expect(authors()).toEqual([]);
    // Slack delivers it again at once the first time.
    if (answers.includes('hang')) await clock.advance(MINUTE_MS);
    expect(await deliver()).toBe('kept');
    expect(authors()).toEqual([WITH_APP]);
  });
});
