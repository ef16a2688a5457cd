import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createNames } from '../../../../src/slack/kit/people/names.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { refusalOf } from '../refusal-of.ts';

test('the names of several user groups are one question: Slack takes twenty a minute', async () => {
  let asked = 0;
  let isRefused = true;
  const list = async () => {
    asked += 1;
    if (isRefused) throw refusalOf('team_added_to_org');
    return {
      ok: true,
      usergroups: [
        { id: 'S0A', handle: 'a' },
        { id: 'S0B', handle: 'b' },
      ],
    };
  };
  const client = { usergroups: { list } } as unknown as Pick<
    webApi.WebClient,
    'users' | 'usergroups' | 'conversations'
  >;
  const names = createNames({ client, clock: createManualClock(), logger: createRecordingLogger() });
  expect(await names.nameOf('S0A')).toBe('S0A');
  isRefused = false;
  expect(await Promise.all(['S0A', 'S0B'].map(names.nameOf))).toEqual(['@a', '@b']);
  expect(asked).toBe(2);
});
