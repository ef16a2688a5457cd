import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { AskUserGroups } from '../../../src/sends/alerts/service.ts';
import { createAlertsSetting, MINUTE_MS, RULE, SETTINGS } from './setting.ts';

const FOUR = ['U0MEI', 'U0ARUN', 'U0LENA', 'U0RAVI'];
const numberOf = (at: number) => `+659123456${at}` as Msisdn;
const ESCALATION = [{ afterMinutes: 10, notify: ['@second'] }];

/** Of the four in the group three have a number on file. */
async function notifying(notify = ['S0ONCALL']) {
  const settings = { ...SETTINGS, rules: [{ ...RULE, notify, escalate: ESCALATION }] };
  const setting = createAlertsSetting(settings);
  const slack: { groups: Record<string, readonly string[]> | undefined } = {
    groups: { S0ONCALL: FOUR, '@oncall': FOUR, '@second': ['U0RAVI', 'U0LENA'] },
  };
  const userGroups: AskUserGroups = async () => slack.groups && new Map(Object.entries(slack.groups));
  const begin = async () => {
    const one = setting.again({ settings, userGroups } as never);
    one.alerts.start();
    await setting.settled();
    return one;
  };
  for (const [at, userId] of FOUR.slice(0, 3).entries())
    await setting.alertStore.putNumber({ userId, number: numberOf(at), at: 1, by: userId });
  const fire = async ({ alerts }: Awaited<ReturnType<typeof begin>>, text = 'critical: disk') => {
    await alerts.receive(setting.event(text));
    await setting.settled();
  };
  const reached = () => setting.sent().map(({ to }) => to);
  return { ...setting, slack, begin, fire, reached };
}

test.each([['S0ONCALL'], ['@oncall']])(
  'a rule that notifies a user group %s: its members with a number, and names the others',
  async (group) => {
    const { begin, fire, reached, lastAlert, clock } = await notifying([group]);
    await fire(await begin());
    expect(reached()).toEqual([0, 1, 2].map(numberOf));
    const alert = await lastAlert();
    expect(alert?.steps[0]).toMatchObject({ state: 'sent', withoutNumber: ['U0RAVI'] });
    expect(alert?.steps[0]?.people.map(({ name }) => name)).toEqual(['<@U0MEI>', '<@U0ARUN>', '<@U0LENA>']);
    await clock.advance(10 * MINUTE_MS);
    expect((await lastAlert())?.steps[1]).toMatchObject({ state: 'sent', withoutNumber: ['U0RAVI'] });
    expect(reached().slice(3)).toEqual([numberOf(2)]);
  },
);

test('a rule that notifies a user group reaches who was in it last while Slack is down, after a restart, and when the group is gone', async () => {
  const { begin, fire, reached, slack, clock, stop, alerts } = await notifying();
  const first = await begin();
  slack.groups = undefined;
  first.stop.abort();
  const second = await begin();
  await fire(second, 'critical: one');
  expect(reached()).toHaveLength(3);
  slack.groups = { S0OTHER: [] };
  await clock.advance(MINUTE_MS);
  await fire(second, 'critical: two');
  expect(reached()).toHaveLength(6);
  stop.abort();
  await alerts.drained();
});

test('a rule that notifies a user group takes up who joins and leaves within five minutes', async () => {
  const { begin, fire, reached, slack, clock } = await notifying();
  const one = await begin();
  slack.groups = { S0ONCALL: ['U0LENA'] };
  await clock.advance(5 * MINUTE_MS);
  await fire(one);
  expect(reached()).toEqual([numberOf(2)]);
});

test('a rule that notifies a user group that Slack does not know says that nobody could be reached', async () => {
  const { begin, fire, reached, lastAlert } = await notifying(['@nobody']);
  await fire(await begin());
  expect(reached()).toEqual([]);
  expect((await lastAlert())?.steps[0]?.state).toBe('nobody');
});
