import { describe, expect, test } from 'vitest';
import { validateMessage } from '../../../sandbox/slack/block-kit/index.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Alert, AlertStep } from '../../../src/sends/alerts/alert.ts';
import type { RecipientRow, SendReport } from '../../../src/sends/send.ts';
import { alertCard, digestCard, holdCard } from '../../../src/slack/alerts/card.ts';
import { RULE } from '../../sends/alerts/setting.ts';
import { outlineOfCard } from '../outline.ts';

const MEI = '+6591234567' as Msisdn;
const AT = Date.UTC(2026, 2, 11, 3, 10);
const WHEN = `<!date^${AT / 1000}^{date_short_pretty} {time}|2026-03-11 03:10 UTC>`;

const step = (over: Partial<AlertStep> = {}): AlertStep => ({
  ...{ kind: 'alert', state: 'sent', groups: ['oncall'], dueAt: AT, at: AT },
  people: [{ name: 'Mei', number: MEI, text: 'Down', sendId: 'S-1' }],
  ...over,
});
const alert = (over: Partial<Alert> = {}): Alert => ({
  ...{ id: 'L-7K2M9QX4TB', rule: 'critical', channelId: 'C0ALERTS', ts: '1.2', threadTs: '1.2' },
  ...{ fingerprint: 'text:down', title: 'Down', text: 'Down', postedAt: AT, receivedAt: AT },
  ...{ state: 'open', repeats: 0, steps: [step()], ...over },
});
const sends = (recipient: Partial<RecipientRow> = { state: 'accepted', settledAt: AT }) =>
  new Map([['S-1', { recipient: { sendId: 'S-1', row: 0, number: MEI, ...recipient } } as SendReport]]);

function textOf(of: Alert, reports = sends()): string {
  const card = alertCard({ alert: of, rule: RULE, sends: reports });
  expect(validateMessage(card)).toEqual([]);
  return JSON.stringify(card.blocks);
}

describe('the card of an alert', () => {
  test('says whom it went to, when, the outcome, and lets people acknowledge', () => {
    const card = alertCard({ alert: alert(), rule: RULE, sends: sends() });
    const line = `*Flash SMS* to @oncall, ${WHEN}\n• Mei +65 •••• 4567: ✅ accepted by the service, ${WHEN}`;
    expect(outlineOfCard(card).split('\n')).toEqual([
      ...['🚨 Alert · critical', ...line.split('\n'), 'Reference L-7K2M9QX4TB.'],
      'section text=mrkdwn "*🚨 Alert · critical*"',
      `section text=mrkdwn ${JSON.stringify(line)}`,
      'actions',
      '  button action_id=alert_acknowledge text="Acknowledge" value=L-7K2M9QX4TB style=primary',
      'context elements=mrkdwn "Rule critical · Reference L-7K2M9QX4TB"',
      '',
    ]);
  });

  test('decodes what went wrong', () => {
    const words = { what: 'The number is wrong.', explanation: 'not *yours*', next: 'Correct it.' };
    const failure = { code: '131009', ...words, scope: 'recipient' } as const;
    expect(textOf(alert(), sends({ state: 'rejected', failure, settledAt: AT }))).toContain(
      '⛔ rejected, nothing was sent, <!date^',
    );
    expect(textOf(alert(), sends({ state: 'unknown', failure }))).toContain(
      '❓ it may have been sent (code 131009) The number is wrong. The service says: `not *yours*`. Correct it.',
    );
  });

  test('says who has acknowledged, and has no button any more', () => {
    const waiting = step({ kind: 'escalation', state: 'cancelled', people: [] });
    const text = textOf(
      alert({ state: 'acknowledged', ended: { at: AT, by: 'U0RAVI' }, steps: [step(), waiting] }),
    );
    expect(text).toContain(`Acknowledged by <@U0RAVI>, ${WHEN}. Nobody else is notified.`);
    expect(text).toContain('*Escalation* to @oncall: not needed any more');
    expect(text).not.toContain('alert_acknowledge');
  });

  test.each([
    [step({ state: 'waiting', kind: 'escalation', people: [] }), 'unless somebody acknowledges'],
    [
      step({ state: 'late', note: 'Herald was down <!channel>.' }),
      'too late. Nothing was sent.\\nHerald was down &lt;!channel&gt;.',
    ],
    [step({ state: 'cancelled', note: 'It was muted.' }), '*Flash SMS* to @oncall\\nIt was muted.'],
    [step({ state: 'nobody', people: [] }), 'nobody of it has a number on file. Nothing was sent.'],
    [step({ state: 'held' }), 'held, because the rule or its people reached their limit for the hour'],
    [
      step({ state: 'approval', sendId: 'S-9' }),
      '1 people are more than an alert may reach without approval, so it waits for approval as S-9',
    ],
    [step({ uncovered: ['oncall'] }), 'Nobody in the group is on call now, so everybody in it was notified.'],
    [step({ kind: 'resolved' }), '*All clear* to @oncall'],
    [
      step({ people: [{ name: '<@U0MEI>', number: MEI, text: '', refusal: 'Opted out.' }] }),
      '• <@U0MEI> +65 •••• 4567: ➖ Opted out.',
    ],
    [
      step({ people: [{ name: '<!here>', number: MEI, text: '' }] }),
      '• &lt;!here&gt; +65 •••• 4567: ⏳ sending…',
    ],
  ])('tells of a step %#', (one, words) => {
    expect(textOf(alert({ steps: [one] }))).toContain(words);
  });

  test('stays within Slack’s limits whatever it holds, and shows no number whole', () => {
    const people = Array.from({ length: 200 }, (_, index) => ({
      name: `${'N'.repeat(500)}${index}`,
      number: `+65912340${String(index).padStart(3, '0')}` as Msisdn,
      text: 'x',
    }));
    const steps = Array.from({ length: 9 }, () => step({ people, note: 'n'.repeat(5_000) }));
    const card = alertCard({ alert: alert({ steps, repeats: 900 }), rule: RULE, sends: new Map() });
    expect(validateMessage(card)).toEqual([]);
    expect(JSON.stringify(card)).not.toMatch(/\+65\d/);
  });
});

const titles = { 'Disk <!here>': 600, CPU: 300 };
const hold = { id: 'L-1', channelId: 'C0ALERTS', since: AT, until: AT, count: 990, titles };

test('what is held is said in the channel, and counted in a digest', () => {
  const note = holdCard(RULE, hold);
  const digest = digestCard(RULE, hold);
  expect([validateMessage(note), validateMessage(digest)]).toEqual([[], []]);
  expect(note.text).toContain('its limit of 10 alerts an hour');
  expect(digest.text).toBe(
    `📋 990 alerts were held by the rule critical since ${WHEN}. Nobody was sent a flash SMS for:\n• 600 × Disk &lt;!here&gt;\n• 300 × CPU\n• 90 × something else\nReference L-1-digest.`,
  );
});
