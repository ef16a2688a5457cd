import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createPeople } from '../../../../src/slack/kit/people/people.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { refusalOf } from '../refusal-of.ts';

function setting(client: object) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const people = createPeople({
    client: client as webApi.WebClient,
    identity: () => undefined,
    clock,
    logger,
  });
  return { ...people, clock };
}

test('the names of several user groups are one question: Slack takes twenty a minute', async () => {
  let asked = 0;
  let isRefused = true;
  const list = async () => {
    asked += 1;
    if (isRefused) throw refusalOf('team_added_to_org');
    const usergroups = [
      { id: 'S0A', handle: 'a' },
      { id: 'S0B', handle: 'b' },
    ];
    return { ok: true, usergroups };
  };
  const { names } = setting({ usergroups: { list } });
  expect(await names.nameOf('S0A')).toBe('S0A');
  isRefused = false;
  expect(await Promise.all(['S0A', 'S0B'].map(names.nameOf))).toEqual(['@a', '@b']);
  expect(asked).toBe(2);
});

test('name, standing and time zone of a person are one question, asked again after a minute', async () => {
  let asked = 0;
  const info = async ({ user: id }: { user: string }) => {
    asked += 1;
    return { ok: true, user: { id, name: 'asha', tz: 'Asia/Kolkata', is_restricted: asked > 1 } };
  };
  const { names, standings, timeZoneOf, clock } = setting({ users: { info } });
  const all = () => Promise.all([names.nameOf('U1'), standings.of('U1'), timeZoneOf('U1')]);
  expect(await all()).toEqual(['@asha', 'member', 'Asia/Kolkata']);
  expect(await all()).toEqual(['@asha', 'member', 'Asia/Kolkata']);
  expect(asked).toBe(1);
  await clock.advance(61_000);
  expect(await all()).toEqual(['@asha', 'guest', 'Asia/Kolkata']);
  expect(asked).toBe(2);
});
