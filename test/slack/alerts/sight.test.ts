import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { AlertSettings } from '../../../src/sends/alerts/rules.ts';
import { createSight, unseenRules } from '../../../src/slack/alerts/sight.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { RULE } from '../../sends/alerts/setting.ts';
import { IDENTITY } from '../kit/posting/fake-slack.ts';

const refused = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });
const unreached = new webApi.WebAPIRateLimitedError(1);

/** What Slack answers of a channel: to reading it, and to asking about it. */
const CHANNELS: Record<string, { read?: Error; about?: object }> = {
  C0FINE: { about: { is_member: true } },
  C0LEFT: { read: refused('not_in_channel') },
  C0PUBLIC: { about: { is_member: false } },
  C0OLD: { about: { is_archived: true, is_member: true } },
  C0LATER: { read: unreached },
};

function setting() {
  let asked = 0;
  const clock = createManualClock();
  const client = {
    conversations: {
      history: async ({ channel }: { channel: string }) => {
        asked += 1;
        const { read } = CHANNELS[channel] ?? {};
        if (read !== undefined) throw read;
        return { ok: true, messages: [] };
      },
      info: async ({ channel }: { channel: string }) => ({ ok: true, channel: CHANNELS[channel]?.about }),
    },
  } as unknown as webApi.WebClient;
  const rules = Object.keys(CHANNELS).map((channel) => ({ ...RULE, name: `of <${channel}>`, channel }));
  const dependencies = {
    alertSettings: {
      rules: [...rules, { ...RULE, name: 'second', channel: 'C0LEFT' }],
    } as unknown as AlertSettings,
    client,
    identity: () => IDENTITY,
    botApps: { of: async () => ({}) },
    clock,
  };
  return { dependencies, clock, asked: () => asked };
}

test('a rule whose channel Herald has left, or that is archived, sees nothing', async () => {
  const sight = createSight(setting().dependencies);
  const unseen = await Promise.all(
    Object.keys(CHANNELS).map(async (name) => [name, await sight(name)] as const),
  );
  const said = unseen.map(([name, found]) => [name, ...(found ? [found.state, found.why.slice(0, 28)] : [])]);
  expect(said).toEqual([
    ['C0FINE'],
    ['C0LEFT', 'refused', 'Herald is not in this channe'],
    ['C0PUBLIC', 'refused', 'Herald is not in this channe'],
    ['C0OLD', 'refused', 'The channel is archived: not'],
    ['C0LATER', 'later', 'Slack gave no answer; try ag'],
  ]);
});

test('Home says what is certain, by channel, and asks once a minute', async () => {
  const { dependencies, clock, asked } = setting();
  const sight = createSight(dependencies);
  const ask = () => unseenRules(dependencies.alertSettings, sight);
  const [lines] = await Promise.all([ask(), ask()]);
  expect(lines.map((line) => line.slice(0, 45))).toEqual([
    '⛔ *of &lt;C0LEFT&gt;, second* in <#C0LEFT>: H',
    '⛔ *of &lt;C0PUBLIC&gt;* in <#C0PUBLIC>: Heral',
    '⛔ *of &lt;C0OLD&gt;* in <#C0OLD>: The channel',
  ]);
  expect(asked()).toBe(5);
  await clock.advance(61_000);
  await ask();
  expect(asked()).toBe(10);
});
