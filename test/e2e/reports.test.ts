import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, WITH_APPROVALS } from './team.ts';
import { WEATHER } from './weather.ts';

/* Reports as networks give them: shuffled, some twice, some late, and some before the request is answered. */

const CONFIG = `${WITH_APPROVALS}webhooks: { channel: ${TEAM} }
`;
const NUMBERS = Array.from({ length: 40 }, (_, n) => `+9198123460${String(n).padStart(2, '0')}`);
/** The carrier lets one of four leave a message unread. */
const READ = 30;
/** The last report is told some twelve seconds after its message was taken. */
const PATIENCE_MS = 60_000;

describe('reports in disorder', () => {
  const weather = WEATHER ?? { seed: 1 };
  const stack = runningStack({ config: CONFIG, reports: 'soon', weather, isQuick: true });

  test('count everybody once, as delivered and as read', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    await form.choose('recipients', 'numbers');
    form
      .fill('numbers', NUMBERS.join('\n'))
      .fill('interactive.body.text', 'Shall we open on Sunday?')
      .fill('interactive.action.buttons.0.reply.title', 'Yes, please');
    await form.submit();
    await stack.review();
    await form.submit();
    await stack.untilShown(APPROVALS, /Shall we open/);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    const counted = new RegExp(`📬 ${NUMBERS.length} delivered · ${READ} read`);
    await stack.untilShown(TEAM, counted, PATIENCE_MS);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
    expect(stack.shown(TEAM, /not delivered/)).toBeUndefined();
  });
});

describe('answers with an entry for each recipient', () => {
  const many = Array.from({ length: 60 }, (_, n) => `+9198123470${String(n).padStart(2, '0')}`);
  const weather = { ...(WEATHER ?? { seed: 1 }), refusedPercent: 15 };
  const stack = runningStack({ config: CONFIG, reports: 'soon', weather, isQuick: true });

  test('count whom the service took and whom it did not, and reports find each', async () => {
    await sendToMany(stack, 'We open at nine.', many);
    const end = await stack.untilShown(TEAM, /: done[\s\S]*We open/);
    const taken = reached(stack).length;
    expect(taken).toBeLessThan(many.length);
    expect(new Set(reached(stack)).size).toBe(taken);
    expect(messageText(end)).toContain(`${taken} of ${many.length} accepted`);
    expect(messageText(end)).toContain(`${many.length - taken} may have been sent`);
    const counted = new RegExp(String.raw`📬 ${taken} delivered[\s\S]*We open`);
    await stack.untilShown(TEAM, counted, PATIENCE_MS);
  });
});
