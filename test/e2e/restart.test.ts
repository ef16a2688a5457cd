import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(2);

describe('a restart in the middle of a bulk send', () => {
  const stack = runningStack({ config: CONFIG });

  test('says in the channel and in the log what is left, and goes on by itself', async () => {
    await sendToMany(stack, 'The shop opens at nine.');
    await stack.untilShown(TEAM, /: sending/);
    await stack.eventually('some of them', () => reached(stack).length >= 2);
    await stack.stopHerald();
    const before = reached(stack).length;
    const left = NUMBERS.length - before;
    expect(left).toBeGreaterThan(0);
    const progress = stack.shown(TEAM, /: sending/);
    expect(progress && messageText(progress)).toContain(
      `Herald is being restarted: ${left} left. It goes on by itself as soon as Herald runs again.`,
    );
    expect(stack.logs()).toMatch(new RegExp(`"bulk":\\[\\{"sendId":"S-[0-9A-Z]{10}","left":${left}\\}\\]`));
    await stack.restart();
    const done = await stack.untilShown(TEAM, /: done/);
    expect(done.ts).toBe(progress?.ts);
    expect(messageText(done)).not.toContain('restarted');
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
