import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, reached, shown } from './bulk-steps.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 8 }
pacing: { sms: { perSecond: 10, concurrency: 5, recipientsPerRequest: 1 } }
`;
const MANY = Array.from({ length: 60 }, (_, n) => `+9198123470${String(n).padStart(2, '0')}`);

const stack = runningStack({ config: CONFIG });

test('after a stop the rest is sent to, with an approval, over restarts, and nobody else or twice', async () => {
  const text = 'Enough for now.';
  await askByNumbers(stack, APPROVALS, text, MANY);
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  await stack.eventually('progress', () => shown(stack, TEAM, /\[Stop\]/));
  await clickOn(stack, ASHA, TEAM, 'send_stop');
  const stopped = await stack.eventually('the button', () =>
    shown(stack, TEAM, /: stopped[\s\S]*Enough for now[\s\S]*Send to the remaining \d+/),
  );
  const left = MANY.length - reached(stack).length;
  expect(messageText(stopped)).toContain(`Send to the remaining ${left}`);
  expect(left).toBeGreaterThan(8);

  await stack.restart();
  expect(reached(stack)).toHaveLength(MANY.length - left);
  await clickOn(stack, ASHA, TEAM, 'send_to_rest');
  await stack.eventually('the new request', () =>
    shown(stack, APPROVALS, /please decide[\s\S]*goes to those who were not tried by S-/),
  );
  await stack.eventually('no button any more', () =>
    shown(stack, TEAM, /: stopped[\s\S]*Enough for now[\s\S]*Another send goes to(?![\s\S]*Send to the)/),
  );
  expect(reached(stack)).toHaveLength(MANY.length - left);
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  await stack.eventually('the middle', () => reached(stack).length > MANY.length - left + 6);
  await stack.restart();
  expect(reached(stack).length).toBeLessThan(MANY.length);
  await stack.eventually('the end', () =>
    shown(stack, TEAM, new RegExp(`${left} people\\*: done[\\s\\S]*${text}`)),
  );
  expect(reached(stack).toSorted()).toEqual(MANY);
});
