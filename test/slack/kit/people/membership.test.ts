import { webApi } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createMembers } from '../../../../src/slack/kit/people/people.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';

type Answer = readonly string[] | 'plan_upgrade_required' | 'internal_error' | 'no_such_subteam' | 'too_many';

function members(answers: Record<string, Answer>) {
  const asked: string[] = [];
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const list = async ({ usergroup }: { usergroup: string }) => {
    asked.push(usergroup);
    const answer = answers[usergroup] ?? 'no_such_subteam';
    if (typeof answer !== 'string') return { ok: true, users: [...answer] };
    if (answer === 'too_many') throw new webApi.WebAPIRateLimitedError(30);
    throw Object.assign(Object.create(webApi.WebAPIPlatformError.prototype), {
      data: { ok: false, error: answer },
    });
  };
  const client = { usergroups: { users: { list } } } as unknown as webApi.WebClient;
  return { ...createMembers({ client, clock, logger }), asked, clock, logger, answers };
}

describe('who belongs to a list', () => {
  it('is somebody named, without asking Slack', async () => {
    const { includes, asked } = members({});
    expect(await includes(['U0RAVI', 'S0MANAGERS'], 'U0RAVI')).toBe('member');
    expect(asked).toEqual([]);
  });

  it('is a member of a group on it, and nobody else', async () => {
    const { includes } = members({ S0MANAGERS: ['U0RAVI', 'U0MEI'] });
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    expect(await includes(['S0MANAGERS'], 'U0ASHA')).toBe('stranger');
    expect(await includes([], 'U0ASHA')).toBe('stranger');
  });

  it('is asked for again after a minute, so that somebody who left does not act for long', async () => {
    const setup = members({ S0MANAGERS: ['U0MEI'] });
    await setup.includes(['S0MANAGERS'], 'U0MEI');
    setup.answers.S0MANAGERS = [];
    await setup.clock.advance(59_999);
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    await setup.clock.advance(1);
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('stranger');
    expect(setup.asked).toHaveLength(2);
  });

  it('is unknown while Slack does not say, and asked again at the next try', async () => {
    const setup = members({ S0MANAGERS: 'internal_error' });
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('unknown');
    setup.answers.S0MANAGERS = ['U0MEI'];
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
  });

  it('is only who is named on a plan without user groups, said once in the log', async () => {
    const { includes, logger } = members({ S0A: 'plan_upgrade_required', S0B: 'plan_upgrade_required' });
    expect(await includes(['S0A', 'S0B', 'U0RAVI'], 'U0MEI')).toBe('stranger');
    expect(await includes(['S0A', 'U0RAVI'], 'U0RAVI')).toBe('member');
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'this workspace’s plan has no user groups: only listed user ids count',
    ]);
  });

  it('is what Slack said within the last minute while it takes no more questions, and no longer', async () => {
    const setup = members({ S0MANAGERS: ['U0MEI'] });
    const decide = () => setup.includes(['S0MANAGERS'], 'U0MEI', { fresh: true });
    expect(await decide()).toBe('member');
    setup.answers.S0MANAGERS = 'too_many';
    await setup.clock.advance(29_000);
    expect(await decide()).toBe('member');
    expect(setup.asked).toHaveLength(2);
    setup.answers.S0MANAGERS = [];
    await setup.clock.advance(29_999);
    expect(await decide()).toBe('member');
    expect(setup.asked).toHaveLength(2);
    await setup.clock.advance(1);
    expect(await decide()).toBe('stranger');
    setup.answers.S0MANAGERS = 'too_many';
    await setup.clock.advance(60_000);
    expect(await decide()).toBe('unknown');
  });

  it('stays known where one question for a decision fails', async () => {
    const setup = members({ S0MANAGERS: ['U0MEI'] });
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    setup.answers.S0MANAGERS = 'internal_error';
    await setup.clock.advance(2_000);
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI', { fresh: true })).toBe('unknown');
    expect(await setup.includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    expect(setup.asked).toHaveLength(2);
  });
});
