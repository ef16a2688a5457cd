import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../src/config/load.ts';
import { judge } from '../src/gateway/outcome.ts';
import { NO_SECRETS } from '../src/gateway/secrets.ts';
import { unreadShapes } from '../src/gateway/unread.ts';
import { decodeWebhook } from '../src/gateway/webhooks/decode.ts';
import { openCsv } from '../src/sends/audiences/csv.ts';
import type { WebhookBody } from '../src/sends/replies/event.ts';
import { readTemplateFile } from '../src/sends/templates/yaml.ts';
import { blockText } from '../src/slack/kit/message-text/block-text.ts';
import { slackPieces } from '../src/slack/kit/message-text/command-text.ts';
import { growthOf } from './growth.ts';

/*
 * Every reader of what others wrote, over bodies that are wide, deep, long and mixed: its processor time may grow no faster
 * than the body.
 */

const times = (size: number, part: (at: number) => string) =>
  Array.from({ length: size }, (_, at) => part(at));
const list = (size: number, part: (at: number) => string) => `[${times(size, part).join(',')}]`;
const nested = (size: number, open: string, inner: string, close: string) =>
  open.repeat(size) + inner + close.repeat(size);
const keys = (size: number, value: string) => `{${times(size, (at) => `"k${at}":${value}`).join(',')}}`;

/** JSON bodies, with the size that makes the largest of them some 250 KB. */
const JSON_BODIES: readonly (readonly [string, number, (size: number) => string])[] = [
  ['wide', 5_000, (n) => keys(n, '1')],
  ['wide with statuses', 3_000, (n) => keys(n, '1').replaceAll('"k', '"status')],
  ['wide under a status', 3_000, (n) => `{"status":${keys(n, '"queued"')},"id":"m"}`],
  ['a list of numbers', 10_000, (n) => list(n, () => '1')],
  ['a list of objects', 4_000, (n) => list(n, () => '{"a":1}')],
  ['deep objects', 8_000, (n) => nested(n, '{"a":', '1', '}')],
  ['deep lists', 20_000, (n) => nested(n, '[', '1', ']')],
  ['deep senders', 1_000, (n) => nested(n, '{"from":"919812345678","b":', '1', '}')],
  ['deep people', 1_500, (n) => nested(n, '{"sender":{"contact":', '1', '}}')],
  ['long', 60_000, (n) => `{"text":"${'a b '.repeat(n)}"}`],
  ['long without an end', 60_000, (n) => `{"status":"${'not '.repeat(n)}`],
  ['long of escapes', 30_000, (n) => `{"text":"${'\\"'.repeat(n)}"}`],
  ['errors', 2_000, (n) => `{"errorCode":0,"error":${keys(n, '"x"')}}`],
  ['errors, each excused', 2_000, (n) => list(n, () => '{"code":0,"error":"x"}')],
  ['statuses', 1_500, (n) => `{"statuses":${list(n, (at) => `{"id":"m${at}","status":"sent"}`)}}`],
  [
    'recipients of one report',
    3_000,
    (n) => `{"id":"m","status":"sent","to":${list(n, (at) => `"9198${10_000_000 + at}"`)}}`,
  ],
  ['texts', 1_500, (n) => list(n, () => '{"from":"919812345678","text":"Hi"}')],
  ['texts of nobody', 1_500, (n) => list(n, () => '{"from":"hidden","text":"Hi"}')],
  [
    'what has no name beside what has',
    2_000,
    (n) => `[{"from":"919812345678","text":"Hi"},${list(n, () => '{"x":1}')}]`,
  ],
  [
    'wide contacts over taps',
    1_500,
    (n) => `{"contacts":[${keys(2 * n, '1')}],"l":${list(n, () => '{"reply":{"id":"x"}}')}}`,
  ],
  [
    'wide parts over reports',
    1_000,
    (n) => `{"message":${keys(2 * n, '1')},"l":${list(n, (at) => `{"uuid":"${at}","status":"sent"}`)}}`,
  ],
  [
    'a wide parent over texts',
    1_000,
    (n) => `{"l":${list(n, () => '{"text":"Hi"}')},${keys(2 * n, '"a"').slice(1)}`,
  ],
  [
    'JSON in JSON',
    4_000,
    (n) => JSON.stringify({ data: JSON.stringify({ data: list(n, () => '{"a":1}') }) }),
  ],
  ['JSON that opens and is none', 8_000, (n) => `{"l":${list(n, () => '{"data":"[[["}')}}`],
  ['receipts', 1_000, (n) => `{"from":"919812345678","text":"${'id:1 stat: '.repeat(n)}"}`],
  [
    'mixed',
    500,
    (n) =>
      `{"a":${keys(n, '[{"b":1}]')},"d":${nested(n, '{"d":[', '1', ']}')},"e":${list(n, () => '{"from":"919812345678","status":"sent","id":"m","errors":[{"code":1}]}')}}`,
  ],
];

describe('a webhook', () => {
  it.each(JSON_BODIES)('%s', async (_name, n, bodyOf) => {
    const made = (size: number) => ({ bytes: Buffer.from(bodyOf(size)) });
    expect(await growthOf(n, made, (body) => decodeWebhook(body))).toBe('in proportion');
    const unknown = [{ kind: 'unknown', text: '', readable: true }] as const;
    const saw = (body: WebhookBody) => unreadShapes([{ body, events: unknown, at: 0 }]);
    expect(await growthOf(n, made, saw)).toBe('in proportion');
  });

  it.each<[string, number, (size: number) => string]>([
    ['a wide form', 5_000, (n) => times(n, (at) => `k${at}=1`).join('&')],
    ['a form of brackets', 5_000, (n) => times(n, (at) => `a[b][k${at}]=1`).join('&')],
    ['plain text', 60_000, (n) => 'id:'.repeat(n)],
  ])('%s', async (_name, n, bodyOf) => {
    const made = (size: number) => ({ bytes: Buffer.from(bodyOf(size)) });
    expect(await growthOf(n, made, (body) => decodeWebhook(body))).toBe('in proportion');
  });

  it('of more events than anybody sends: customers are heard first, and what is left is said', () => {
    const reports = times(6_000, (at) => `{"id":"m${at}","status":"sent"}`);
    const body = `[${reports.join(',')},{"from":"919812345678","text":"STOP"}]`;
    const events = decodeWebhook({ bytes: Buffer.from(body) });
    expect(events[0]).toMatchObject({ kind: 'text', text: 'STOP' });
    expect(events).toHaveLength(5_001);
    expect(events.at(-1)).toEqual({
      kind: 'unknown',
      text: 'This webhook has 6001 events; Herald read 5000 and left the rest.',
      readable: true,
    });
  });
});

describe('an answer', () => {
  it.each(JSON_BODIES)('%s', async (_name, n, bodyOf) => {
    const context = {
      now: 0,
      recipients: times(100, (at) => `+9198123456${at}`).map((number) => ({ number })),
      fieldNames: new Set(['to']),
      mapping: {},
      hasTemplate: true,
      secrets: NO_SECRETS,
      isTextSecret: false,
    };
    const made = (size: number) => ({ headersWritten: true, status: 200, body: Buffer.from(bodyOf(size)) });
    expect(await growthOf(n, made, (evidence) => judge(evidence, context))).toBe('in proportion');
  });
});

describe('herald.yml', () => {
  it.each<[string, number, (size: number) => string]>([
    ['wide', 1_000, (n) => times(n, (at) => `k${at}: 1`).join('\n')],
    [
      'a long list',
      400,
      (n) =>
        `senders:\n  sms:\n${times(n, (at) => `    - { id: A${at}, label: a, type: TRANS }`).join('\n')}`,
    ],
    ['deep', 100, (n) => `wire: ${nested(n, '{ a: ', '1', ' }')}`],
    ['long', 20_000, (n) => `defaults: { campaignName: "${'a '.repeat(n)}" }`],
    ['many mistakes', 200, (n) => times(n, (at) => `k${at}: [`).join('\n')],
    [
      'templates',
      100,
      (n) =>
        `templates:\n${times(n, (at) => `  - { name: t${at}, kind: sms, text: "Hi {{1}}" }`).join('\n')}`,
    ],
  ])('%s', async (_name, n, bodyOf) => {
    const read = (yaml: string) => loadConfiguration({ env: {}, readFile: () => yaml });
    expect(await growthOf(n, bodyOf, read)).toBe('in proportion');
  });

  it('and a file of templates', async () => {
    const bodyOf = (n: number) => times(n, (at) => `- { name: t${at}, kind: sms, text: "Hi" }`).join('\n');
    expect(await growthOf(200, bodyOf, (yaml) => readTemplateFile(yaml))).toBe('in proportion');
  });
});

describe('a message of Slack', () => {
  const section = (element: string) => `{"type":"rich_text_section","elements":[${element}]}`;
  it.each<[string, number, (size: number) => string]>([
    [
      'wide',
      2_000,
      (n) =>
        `{"type":"rich_text","elements":[${section(times(n, () => '{"type":"text","text":"a *b* "}').join(','))}]}`,
    ],
    [
      'a long list',
      1_000,
      (n) =>
        `{"type":"rich_text","elements":[{"type":"rich_text_list","elements":${list(n, () => section('{"type":"emoji","name":"smile"}'))}}]}`,
    ],
    [
      'deep lists',
      500,
      (n) =>
        `{"type":"rich_text","elements":[${nested(n, '{"type":"rich_text_list","elements":[', section('{"type":"text","text":"a"}'), ']}')}]}`,
    ],
    [
      'deep containers',
      500,
      (n) =>
        nested(
          n,
          '{"type":"container","subtitle":"a","child_blocks":[',
          '{"type":"header","text":"a"}',
          ']}',
        ),
    ],
    [
      'long',
      20_000,
      (n) => `{"type":"section","text":{"type":"mrkdwn","text":"${'*a* <b|c> :smile: _'.repeat(n)}"}}`,
    ],
    ['long markdown', 10_000, (n) => `{"type":"markdown","text":"${'**a [b](c ~~'.repeat(n)}"}`],
    ['a table', 1_000, (n) => `{"type":"table","rows":${list(n, () => '[{"type":"raw_text","text":"a"}]')}}`],
  ])('%s', async (_name, n, bodyOf) => {
    const names = { users: new Map(), channels: new Map(), userGroups: new Map() };
    const made = (size: number): unknown => JSON.parse(bodyOf(size));
    expect(await growthOf(n, made, (block) => blockText(block, names as never))).toBe('in proportion');
  });

  it.each(['<', '<a|', '&amp;', ':a', '<https://a|b> ', '::'])('a command of %s', async (part) => {
    expect(await growthOf(20_000, (n) => part.repeat(n), slackPieces)).toBe('in proportion');
  });
});

describe('a CSV file', () => {
  it.each<[string, number, (size: number) => string]>([
    ['long', 5_000, (n) => `number,name\n${'+919812345678,Asha\n'.repeat(n)}`],
    ['wide', 2_000, (n) => `${times(n, (at) => `c${at}`).join(',')}\n${'a,'.repeat(n)}`],
    ['one long cell', 100_000, (n) => `number,name\n+91,"${'a""'.repeat(n)}"\n`],
    ['one long line', 100_000, (n) => `number,name\n${'a'.repeat(n)}`],
    ['marks that do not pair', 20_000, (n) => `number,name\n${'"'.repeat(2 * n + 1)}`],
    ['empty lines', 100_000, (n) => `number,name\n${'\n'.repeat(n)}`],
  ])('%s', async (_name, n, bodyOf) => {
    const read = async (text: string) => {
      async function* bytes() {
        for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
      }
      const { batches } = await openCsv(bytes());
      let read = 0;
      for await (const rows of batches) read += rows.length;
      return read;
    };
    expect(await growthOf(n, bodyOf, async (text) => await read(text).catch(() => undefined))).toBe(
      'in proportion',
    );
  });
});
