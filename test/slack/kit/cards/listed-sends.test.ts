import { describe, expect, test } from 'vitest';
import type { RecipientCounts, Send } from '../../../../src/sends/send.ts';
import { becameOf, listedSends, sendLines } from '../../../../src/slack/kit/cards/listed-sends.ts';
import type { SlackServices } from '../../../../src/slack/kit/services.ts';
import { NO_ANSWERS } from '../../../fakes/answers.ts';
import { only } from '../../../fakes/only.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';
import { numberOf } from '../../bulk-sends.ts';

function send(state: Send['state'], counts: Partial<RecipientCounts>, isBulk: boolean): Send {
  const all = { ...NO_RECIPIENTS, ...counts };
  return {
    id: 'S-1',
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACME', text: 'Open <now>', type: 'TRANS', unicode: false },
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    state,
    recipientCount: Object.values(all).reduce((sum, count) => sum + count, 0),
    createdAt: 1,
    counts: all,
    ...(isBulk && { audience: { id: 'A', columns: [] } }),
  };
}

// The rest of what is shown as it was typed is in test/slack/connection/escape.test.ts.
test('the words of a message are listed as they were typed', () => {
  const sms = { kind: 'sms', sender: 'ACME', text: '<b> _soon_', type: 'TRANS', unicode: false } as const;
  const lines = sendLines({ send: { ...send('done', { accepted: 1 }, false), message: sms } });
  expect(lines.split('\n')[1]).toBe('`&lt;b&gt; _soon_`');
});

const said = ({ mark, words }: ReturnType<typeof becameOf>) => `${mark} ${words}`;

describe('what became of a message', () => {
  test.each([
    ['approved', { pending: 1 }, '✅ approved, about to start'],
    ['awaiting_approval', { pending: 1 }, '🔔 waits for approval'],
    ['sending', { attempting: 1 }, '⏳ sending…'],
    ['done', { accepted: 1 }, '✅ accepted by the service'],
    ['done', { rejected: 1 }, '⛔ rejected, nothing was sent'],
    ['done', { not_sent: 1 }, '⚠️ not sent'],
    ['done', { unknown: 1 }, '❓ it may have been sent'],
    ['done', { skipped: 1 }, '➖ skipped, nothing was sent'],
  ] as const)('%s, %j', (state, counts, expected) => {
    expect(said(becameOf(send(state, counts, false)))).toBe(expected);
  });

  test.each([
    [{ delivered: 0, read: 0, failed: 0 }, '✅ accepted by the service'],
    [{ delivered: 1, read: 0, failed: 0 }, '📬 delivered'],
    [{ delivered: 1, read: 1, failed: 0 }, '📬 delivered and read'],
    [{ delivered: 0, read: 0, failed: 1 }, '📪 accepted by the service, not delivered'],
  ])('reported as %j', (reached, expected) => {
    expect(said(becameOf(send('done', { accepted: 1 }, false), reached))).toBe(expected);
  });
});

describe('what became of a bulk send', () => {
  test.each([
    ['scheduled', { pending: 9 }, '🗓️ scheduled'],
    ['sending', { accepted: 1_000, pending: 2_004 }, '▶️ sending · 1,000 of 3,004'],
    ['paused', { accepted: 5, rejected: 1, pending: 4, skipped: 9 }, '⏸️ paused · 6 of 10 · 1 failed'],
    ['stopped', { accepted: 2_176, pending: 828 }, '⏹️ stopped · 2,176 of 3,004'],
    ['done', { accepted: 3_004, skipped: 12 }, '✅ accepted by the service'],
    [
      'done',
      { accepted: 6, rejected: 1, not_sent: 1, unknown: 2 },
      '❓ 6 of 10 accepted by the service · 2 failed · 2 may have been sent',
    ],
    ['done', { accepted: 6, rejected: 1 }, '⚠️ 6 of 7 accepted by the service · 1 failed'],
    ['done', { rejected: 2 }, '⛔ 0 of 2 accepted by the service · 2 failed'],
    ['done', { skipped: 2 }, '➖ nobody was left to send to'],
    ['expired', { pending: 2 }, '⌛ expired, nothing was sent'],
  ] as const)('%s, %j', (state, counts, expected) => {
    expect(said(becameOf(send(state, counts, true)))).toBe(expected);
  });

  test('with what was delivered and read', () => {
    const reached = { delivered: 2_000, read: 800, failed: 3 };
    expect(becameOf(send('done', { accepted: 3_004 }, true), reached).words).toBe(
      'accepted · 📬 2,000 delivered · 800 read · 📪 3 not delivered',
    );
  });
});

test('a send to one person names them, masked, and what was reported', async () => {
  const sources = {
    store: only<SlackServices['store']>({
      recipients: async (sendId: string) => [
        { sendId, row: 0, number: numberOf('+919812345678'), state: 'accepted' as const },
      ],
    }),
    answers: {
      ...NO_ANSWERS,
      reached: async () => new Map([['S-1', { delivered: 1, read: 0, failed: 0 }]]),
    },
  };
  const [one, many] = await listedSends(
    [send('done', { accepted: 1 }, false), { ...send('done', { accepted: 2 }, true), id: 'S-2' }],
    sources,
  );
  expect(one && sendLines(one)).toBe('📬 *SMS to +91 ••••• •5678*: delivered\nOpen &lt;now&gt;');
  expect(many && sendLines(many)).toBe('✅ *SMS to 2 people*: accepted by the service\nOpen &lt;now&gt;');
});
