import { expect, test } from 'vitest';
import { ALERTS } from '../../../sandbox/ui/chat/alert-samples.ts';
import { measureSms } from '../../../src/messages/sms/segments.ts';
import { compilePattern } from '../../../src/sends/alerts/rules.ts';
import {
  fingerprintOf,
  pageText,
  saysResolved,
  titleOf,
  withoutCount,
} from '../../../src/sends/alerts/text.ts';
import { plainTextOf } from '../../../src/slack/kit/message-text/plain-text.ts';
import { growthOf } from '../../growth.ts';
import { RULE } from './setting.ts';

const USUAL = { resolved: { notify: false } };

test.each([
  ['grafana', 'High CPU Production (api-1 critical)'],
  ['alertmanager', 'InstanceDown (node prometheus)'],
  ['pagerduty', '#4211: Checkout errors over 5%'],
  ['datadog', '[P2] Disk almost full on host:web-3'],
  ['sentry', '[backend] TypeError: Cannot read properties of undefined'],
  ['cloudwatch', '🚨 CloudWatch Alarm | orders-queue-depth | eu-west-1'],
])('%s fires under its title, and fits two parts of an SMS', (source, title) => {
  const text = plainTextOf(ALERTS[source] ?? {});
  expect(saysResolved(text, USUAL)).toBe(false);
  expect(titleOf(text)).toBe(title);
  const sent = pageText(RULE, { text, channelId: 'C0ALERTS' });
  expect(measureSms(sent).segments).toBeLessThanOrEqual(2);
  expect(sent.slice(0, 20)).toBe(text.slice(0, 20));
});

test.each([
  ['---\n🚨\nDisk full\nmore', 'Disk full'],
  ['---\n 2 ', '2'],
  ['  Disk full  ', 'Disk full'],
  ['[FIRING:1] - Disk full', 'Disk full'],
  ['Re-Triggered: Disk full', 'Disk full'],
  ['[No data]  |  Disk full', 'Disk full'],
  ['🚨 ALARM: "Disk" full', '"Disk" full'],
  ['[FIRING:2, RESOLVED:1] Disk full', 'Disk full'],
  ['Problem: Disk full', 'Disk full'],
  ['Problems with disks', 'Problems with disks'],
  ['Resolved in 1h 5m 0s: Disk full', 'Disk full'],
  ['Okta login fails', 'Okta login fails'],
  ['[FIRING:1]Disk full', '[FIRING:1]Disk full'],
  ['RESOLVED', 'RESOLVED'],
  ['---', ''],
  ['', ''],
  ['x'.repeat(300), 'x'.repeat(200)],
])('the title of %j is %j', (text, title) => expect(titleOf(text)).toBe(title));

test.each([
  '[RESOLVED] High CPU Production (api-1 critical)\nAll good',
  '[RESOLVED:2] InstanceDown',
  'Resolved #4211: Checkout errors over 5%',
  '✅ Recovered: [P2] Disk almost full on host:web-3',
  '🚨 CloudWatch Alarm | orders-queue-depth | eu-west-1\n:rotating_light: State changed to OK at 10:00',
  'OK: "orders-queue-depth" in EU (Ireland)',
])('says that an alert is over: %s', (text) => expect(saysResolved(text, USUAL)).toBe(true));

test.each(['[FIRING:1] Tickets resolved per hour too low', 'Okta login fails', 'The queue is not recovered'])(
  'says nothing of an end: %s',
  (text) => expect(saysResolved(text, USUAL)).toBe(false),
);

test('the rule’s own pattern, where it has one', () => {
  const rule = { resolved: { match: compilePattern('wieder gut'), notify: false } };
  expect(saysResolved('Alles wieder gut', rule)).toBe(true);
  expect(saysResolved('[RESOLVED] x', rule)).toBe(false);
});

const same = (one: string, other: string) => fingerprintOf(one, {}) === fingerprintOf(other, {});

test.each([
  ['Queue length: 1204', 'Queue length: 1,310'],
  ['Value: B=95, C=1', 'Value: B=7, C=0'],
  ['ApproximateNumberOfMessagesVisible = 4812', 'ApproximateNumberOfMessagesVisible = 5100'],
  ['Events: 312   Users Affected: 87', 'Events: 9   Users Affected: 1'],
  ['*Memory:* 512MB, swap: 3 s', '*Memory:* 640MB, swap: 12 s'],
  ['startsAt: 1773190210', 'startsAt: 1773190999'],
  ['since Tue Mar 10 2026 23:30:10 UTC', 'since Wednesday, March 11, 2026 1:00 UTC'],
  ['since 9 Sep 2026', 'since 10 Sep 2026'],
  ['[FIRING:1] CPU 93.4% at 10:02 AM', '[FIRING:1] CPU 7% at 11:59 PM'],
  ['Triggered: Disk full', 'Recovered: Disk full'],
  ['Problem: Disk full', 'Resolved in 5m 0s: Disk full'],
  ['[FIRING:2] Disk full', '[FIRING:2, RESOLVED:1] Disk full'],
])('a fingerprint is the same for the values %j and %j', (one, other) => expect(same(one, other)).toBe(true));

test.each([
  ['node = 3', 'node = 4'],
  ['Status: 500', 'Status: 404'],
  ['Customer ID: 12', 'Customer ID: 13'],
  ['db-2:9100 is down', 'db-2:9101 is down'],
  ['commit: 4f2a', 'commit: 5f2a'],
  ['release: 2026-a', 'release: 2027-a'],
  ['[FIRING:2] Disk full', '[FIRING:3] Disk full'],
  ['api-1 is down', 'api-2 is down'],
  ['10.0.0.1 is down', '10.0.0.2 is down'],
  ['node 3 is down', 'node 4 is down'],
])('a fingerprint is another for the names %j and %j', (one, other) => expect(same(one, other)).toBe(false));

test('a fingerprint counts what fires beyond one, which what says that it is over does not', () => {
  expect(fingerprintOf('🔥 [FIRING:12] Disk full', {})).toBe('text:disk full\n12');
  expect(withoutCount('text:disk full\n12')).toBe(fingerprintOf('[RESOLVED] Disk full', {}));
  expect(withoutCount('key:a\n12')).toBe('key:a\n12');
});

const parts = ['x', 'a=1 ', 'Mar 1', ': 1', '1.', '(', 'May ', '[FIRING:2]', '# 1\n', 'ID: '];
test.each([...parts, parts.join('')])('a fingerprint takes as long as its text is: %j', async (part) => {
  const named = { fingerprint: compilePattern('(?P<name>x)[\\s\\S]*?(?:yy|$)') };
  const read = (text: string) => [fingerprintOf(text, {}), fingerprintOf(text, named)];
  expect(await growthOf(10_000, (size) => part.repeat(size / part.length), read)).toBe('in proportion');
});

test.each([
  ['  Disk \n\t FULL ', 'disk full'],
  ['Closed | Disk full', 'disk full'],
  ['OK: load 12.55, 7 % of 2048 since 10:02:11.5', 'load #, # of 2048 since #'],
  ['at 2026-03-11T00:50:10.123+05:30 and 2026-03-11 10:02 UTC and 2026-03-11', 'at # and # and #'],
  ['v1.2.3 of lib.10.25 on 10.0.0.1:80', 'v1.2.3 of lib.10.25 on 10.0.0.1:80'],
  ['x'.repeat(4_000), 'x'.repeat(3_000)],
])('a fingerprint of %j is %j', (text, still) => expect(fingerprintOf(text, {})).toBe(`text:${still}`));

test('a fingerprint is the named parts of all matches, whatever their order and how often they come', () => {
  const fingerprint = compilePattern('on=(?P<host>\\w)(?: (\\w))?');
  expect(fingerprintOf('on=b x on=a y on=b z', { fingerprint })).toBe('key:a\nb');
  expect(fingerprintOf('nothing of it', { fingerprint })).toBe('text:nothing of it');
});

test('a fingerprint is the whole match of a pattern without groups, else its groups', () => {
  const of = (pattern: string) => fingerprintOf('disk=a on=b', { fingerprint: compilePattern(pattern) });
  expect(of('disk=\\w')).toBe('key:disk=a');
  expect(of('disk=(\\w) on=(\\w)')).toBe('key:a\u001fb');
});

test('what is sent is the template filled in; what it does not know stays as it is written', () => {
  const rule = {
    ...RULE,
    text: '{{severity}} {{ title }} ({{rule}}, {{channel}}): {{text}} {{other}} {{constructor}}',
  };
  expect(pageText(rule, { text: '[FIRING:1] Disk\nfull {{rule}}', channelId: 'C0ALERTS' })).toBe(
    'critical Disk (critical, C0ALERTS): [FIRING:1] Disk\nfull {{rule}} {{other}} {{constructor}}',
  );
});

test('what is sent has nothing in it that a phone cannot show, and is never empty', () => {
  expect(pageText(RULE, { text: 'a\u0000b\u202ec\ud800', channelId: 'C' })).toBe('a b c\ufffd');
  expect(pageText(RULE, { text: ' \n', channelId: 'C' })).toBe('An alert without text: look in Slack.');
});

test('what is sent is cut at the end, never what stands before it', () => {
  const sent = pageText({ ...RULE, segments: 1 }, { text: 'x'.repeat(500), channelId: 'C' }, '(Last) ');
  expect(sent).toHaveLength(160);
  expect(sent.startsWith('(Last) xxx')).toBe(true);
});
