import { expect, test } from 'vitest';
import { validateView } from '../../../sandbox/slack/block-kit/index.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { HomeFacts } from '../../../src/slack/home/facts.ts';
import { chart, homeView } from '../../../src/slack/home/home-view.ts';
import { ASKED_AT, openStore, prepare } from '../bulk-sends.ts';
import { textsOf } from '../texts-of.ts';

const NO_DAYS = [{ label: ' 5 Jan', counts: {} }];
const EMPTY: HomeFacts = {
  ...{ toDecide: [], waiting: [], running: [], failed: [], latest: [] },
  ...{ alerts: [], unseenRules: [], questions: { count: 0, newest: [] } },
  days: NO_DAYS,
  at: ASKED_AT,
};

test('says where to start when there is nothing yet, and nothing of what there is not', () => {
  const { blocks } = homeView(EMPTY);
  const texts = blocks.map((block) => (block as { text?: { text: string } }).text?.text ?? block.type);
  expect(texts).toEqual(['Herald', 'actions', 'context']);
});

test('what waits for the person comes first: to decide, to answer, to acknowledge, each with a way to it', async () => {
  const send = await prepare(openStore());
  const link = 'https://acme.slack.com/archives/C1/p1';
  const view = homeView({
    ...EMPTY,
    running: [{ send, link }],
    unseenRules: ['⛔ *production*: archived.'],
    toDecide: [{ send, link }],
    questions: { count: 1, newest: [] },
    alerts: [{ title: 'Disk <full>', receivedAt: ASKED_AT, link }],
  });
  expect(validateView(view)).toEqual([]);
  const headers = view.blocks.filter(({ type }) => type === 'header') as { text: { text: string } }[];
  expect(headers.map(({ text }) => text.text)).toEqual([
    'Herald',
    'Waits for your decision',
    'Waiting for an answer: 1',
    'Not acknowledged yet',
    'Alerts that nobody would get',
    'Running now',
  ]);
  const texts = textsOf(view.blocks);
  expect(texts).toContain('🚨 Disk &lt;full&gt;');
  expect(texts).toContain('Alerts that nobody would get\n⛔ *production*: archived.\n');
  expect(texts.match(/\|Open>/g)).toHaveLength(3);
});

test('the chart is as long as what was taken, says what was not, and has no row of a 0', () => {
  const [text = ''] = chart([
    { label: ' 1 Jan', counts: {} },
    { label: ' 2 Jan', counts: { accepted: 0, pending: 4 } },
    { label: ' 3 Jan', counts: { rejected: 2 } },
    { label: ' 4 Jan', counts: { accepted: 1, unknown: 2 } },
    { label: ' 5 Jan', counts: { accepted: 12_000, rejected: 3, not_sent: 1 } },
  ]);
  const lines = text.split('\n').slice(2, -2);
  expect(lines).toEqual([' 3 Jan      0  ×2', ' 4 Jan      1 █ ?2', ` 5 Jan 12,000 ${'█'.repeat(12)} ×4`]);
  // As much as a phone shows of a line.
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(36);
});

test('shows what waits with a link, at most eight, and as Slack takes it', async () => {
  const send = await prepare(openStore());
  const many = Array.from({ length: 60 }, () => ({ send, link: 'https://acme.slack.com/archives/C1/p1' }));
  const parts = { toDecide: many, waiting: many, running: many, failed: many, latest: many };
  const view = homeView({ ...EMPTY, ...parts });
  const texts = textsOf(view.blocks);
  expect(texts.match(/\|Open>/g)).toHaveLength(40);
  expect(texts).toContain('… and 52 more in `/sends all`');
  expect(texts).toContain('… and 52 more in `/sends all failed unknown today`');
  expect(view.blocks.length).toBeLessThanOrEqual(100);
  expect(validateView(view)).toEqual([]);
});

test('tells how many questions nobody has answered, with a way to the newest', () => {
  const question = {
    ...{ id: 1, key: '1', optedOut: false, receivedAt: 0, first: false, askedAt: ASKED_AT },
    event: { kind: 'text', text: 'What is <this>?', from: '+6591234567' as Msisdn },
  } as const;
  const waiting = (count: number) => {
    const newest = [{ question, link: 'https://acme.slack.com/archives/C/p1' }];
    const view = homeView({ ...EMPTY, questions: { count, newest } });
    expect(validateView(view)).toEqual([]);
    return view.blocks.map((block) => (block as { text?: { text: string } }).text?.text).slice(2, 4);
  };
  const line = `✍️ +65 •••• 4567 · <!date^${ASKED_AT / 1000}^{date_short_pretty} {time}|2026-01-05 08:00 UTC> · <https://acme.slack.com/archives/C/p1|Open>`;
  expect(waiting(1)).toEqual(['Waiting for an answer: 1', line]);
  expect(waiting(2)).toEqual([
    'Waiting for an answer: 2',
    `${line}\n… and older ones, once these are answered`,
  ]);
  expect(waiting(200)[0]).toContain('200 or more');
});
