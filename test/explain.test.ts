import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { NO_SECRETS } from '../src/gateway/secrets.ts';
import { withShape } from '../src/gateway/unread.ts';
import { ownFolder } from './folder.ts';
import { openedStores, typed } from './run-command.ts';
import { oneSend } from './store/steps.ts';
import { table } from './table.ts';
import { readDocument } from './written.ts';

const at = ownFolder();

const CONFIG = { senders: { sms: [{ id: 'ACMEIN', type: 'TRANS' }] } };
const A = '919812345678';
const B = '6591234567';

/** What `explain` says of a sample: with `wire` in herald.yml, or with no such file. */
async function explained(what: string, sample: string, options: readonly string[] = [], wire?: unknown) {
  const config = at('herald.yml');
  if (wire !== undefined) writeFileSync(config, stringify({ ...CONFIG, wire }));
  writeFileSync(at('sample'), sample);
  const { code, said } = await typed(['explain', what, at('sample'), ...options], {
    HERALD_CONFIG: config,
  });
  expect(code).toBe(0);
  return said;
}

/** A sample as the cells of a table have it. */
const sampleIn = (cells: readonly string[]) =>
  cells.join(' | ').replaceAll('\\r', '\r').replaceAll('\\n', '\n');

/** The lines for herald.yml in what was said. */
function suggestion(said: string): unknown {
  return parse(said.slice(said.indexOf('\nwire:\n'))).wire;
}

describe('explain answer', () => {
  it.each(table`
an entry for each | accepted, id 0A | {"messages":[{"to":"${A}","message-id":"0A","status":"0"}]}
an answer in text | accepted, without an id | 1701|${A}|bc5f
a refusal in text | rejected. Nothing was sent. | error | 102 | Authentication failed
a word nobody knows | accepted, id m1 | {"data":{"state":"PARKED","message_id":"m1"}}
an entry without a number | accepted, id w | {"messages":[{"id":"w","message_status":"parked"}]}
a flag | accepted, id SM1 | {"ok":true,"sid":"SM1"}
a refusal | rejected. Nothing was sent. | {"status":"failure","errors":[{"code":192}]}
a 202 | accepted, id u1 | HTTP/1.1 202 Accepted\r\nserver: x\r\n\r\n{"message_uuid":["u1"],"state":"queued"}
nothing | accepted | HTTP/1.1 200 OK\n\n`)(
    'of %s gives lines that make it certain',
    async (_name, expected, ...cells) => {
      const sample = sampleIn(cells);
      const options = ['--to', `+${A}`];
      const before = await explained('answer', sample, options);
      const said = await explained('answer', sample, options, suggestion(before));
      expect(said).toContain(`[number …5678]: ${expected}`);
      expect(said).toContain('herald.yml describes this answer.');
    },
  );

  it('proposes an entry for each of several, with numbers or without', async () => {
    const to = ['--to', `+${A}`, `+${B}`];
    const sample = '{"data":[{"id":"a1","status":"AWAITED"},{"id":"a2","status":"AWAITED"}]}';
    const wire = suggestion(await explained('answer', sample, to));
    expect(wire).toEqual({
      answers: { each: { path: 'data[]', id: 'id', success: { path: 'status', values: ['AWAITED'] } } },
    });
    const said = await explained('answer', sample, to, wire);
    expect(said).toMatch(/5678\]: accepted, id a1.*\n.*4567\]: accepted, id a2/);
  });

  it('says what becomes of each recipient, which rule decided, and what it could not place', async () => {
    const sample = `{"messages":[{"to":"${B}","status":"6","error-text":"Bad"},{"to":"${A}","message-id":"0A","status":"0","network":"40410"}]}`;
    const fields = { path: 'messages', number: 'to', id: 'message-id', status: 'status' };
    const wire = { answers: { each: { ...fields, success: [0], failure: [6] } } };
    const said = await explained('answer', sample, ['--to', `+${A}`, `+${B}`], wire);
    expect(said.split('\n')).toEqual([
      'Status 200, read as an answer of row sms:',
      '  [number …5678]: accepted, id 0A. It was accepted by the service.',
      '  [number …4567]: rejected. Nothing was sent.',
      '  Decided by: `wire.answers` says that this is a success.',
      'What stands in it:',
      '  messages[].to                        described   "[number …4567]"',
      '  messages[].status                    described   "6"',
      '  messages[].errortext                 not placed  "Bad"',
      '  messages[].to                        described   "[number …5678]"',
      '  messages[].messageid                 described   "0A"',
      '  messages[].status                    described   "0"',
      '  messages[].network                   not placed  "40410"',
      'herald.yml describes this answer.',
    ]);
  });

  it.each([
    ['400', '{"error":{"code":131026}}', 'The status alone makes it certain.'],
    [
      '500',
      '{"status":"error"}',
      'A 500 stays as it is, unless a `failure` names it in its `statuses`, with a path or text.',
    ],
    ['429', '{"status":"error"}', 'not_sent'],
  ])('suggests nothing beyond a 2xx: %s', async (status, sample, expected) => {
    const said = await explained('answer', sample, ['--status', status]);
    expect(said).toContain(expected);
    expect(said).not.toContain('wire:');
  });

  it('reads an answer by the row that it is of', async () => {
    const wire = { answers: { flash: { success: { path: 'odd', values: ['y'] } } } };
    expect(await explained('answer', '{"odd":"y"}', ['--row', 'flash'], wire)).toContain(
      'says that this is a success',
    );
    expect(await explained('answer', '{"odd":"y"}', [], wire)).toContain('`wire.answers.success` is not set');
  });
});

describe('explain webhook', () => {
  it.each(table`
a report by numbers | a delivery report: delivered; ids m; number [number …5678] | {"rows":[{"msg_id":"m","to":"${A}","state":"7"}]}
a report by GET | a delivery report: delivered; ids m | GET /webhooks/messaging/x?sMessageId=m HTTP/1.1\n\nid=m&number=${A}&state=7
a text | a text of 5 characters by [number …5678] | {"kind":"x","sender":"${A}","body":"Hello"}`)(
    'of %s gives lines that make it certain',
    async (_name, expected, ...cells) => {
      const sample = sampleIn(cells);
      const before = await explained('webhook', sample);
      const said = await explained('webhook', sample, [], suggestion(before));
      expect(said).toContain(expected);
      expect(said).not.toContain(A);
    },
  );

  it('says what of it nobody needs to hear, and what it does not know', async () => {
    expect(
      await explained('webhook', `{"direction":"outbound","from":"${B}","to":"${A}","text":"Hi"}`),
    ).toContain('Nothing in it needs');
    const odd = await explained('webhook', '{"kind":"balance","left":"3"}');
    expect(odd).toContain('something that Herald does not know');
    expect(odd).toContain('Nothing in it can be described.');
  });
});

describe('explain unread', () => {
  const posted = [
    { 'kind-of': 'wallet', event: 'wallet.low', mobile: A, note: 'Dear Asha, pay 20', '+919812345678': 7 },
    { 'kind-of': 'credit', event: 'wallet.low', mobile: B, note: 'Dear Ben', '+6591234567': 8 },
    { id: 'm', status: 'PARKED', to: A, apikey: 'key-of-the-team-77' },
    { id: 'm', status: 'delivered', to: A },
    { from: A, id: 'w', type: 'image', image: { id: '7' } },
  ];

  it('says as a file for explain webhook what has no name, how often it came, and nothing of anybody', async () => {
    const url = `file:${at('herald.db')}`;
    const stores = await openedStores(url);
    for (const [place, body] of posted.entries()) {
      const text = Buffer.from(JSON.stringify(body)).toString('base64');
      await stores.replies.keep([{ digest: `d${place}`, receivedAt: 1_000 * place, body: text }], 0);
    }
    const body = Buffer.from(JSON.stringify({ status: 'PARKED', note: 'For Asha' }));
    const doubt = { state: 'unknown', failure: { what: 'W.', next: 'N.', scope: 'recipient' } } as const;
    const outcome = withShape(doubt, { headersWritten: true, status: 202, body }, NO_SECRETS);
    await stores.sends.create(oneSend('S-1'));
    await stores.sends.moveSend({ sendId: 'S-1', from: 'approved', to: 'sending', at: 1, actor: 'U' });
    await stores.sends.claim('S-1', 1, 1);
    await stores.sends.settle([{ sendId: 'S-1', row: 0, outcome, settledAt: 9_000 }]);
    await stores.sends.close();
    const env = { DATABASE_URL: url, HERALD_CONFIG: at('absent.yml') };
    const { code, said, given = '' } = await typed(['explain', 'unread'], env);
    expect([code, said, JSON.parse(given)]).toEqual([
      0,
      '',
      [
        {
          last: '1970-01-01T00:00:02.000Z',
          times: 1,
          body: { id: 'text', status: 'PARKED', to: '+10000000000', apikey: 'text' },
        },
        {
          last: '1970-01-01T00:00:01.000Z',
          times: 2,
          body: { 'kind-of': 'text', event: 'wallet.low', mobile: '+10000000000', note: 'text', '+0': 0 },
        },
        { last: '1970-01-01T00:00:09.000Z', times: 1, status: 202, body: { status: 'PARKED', note: 'text' } },
      ],
    ]);
    const again = await explained('webhook', given);
    expect(again.match(/something that Herald does not know/g)).toHaveLength(2);
    expect(await explained('answer', given)).toMatch(
      /^Status 202, read as an answer of row sms:\n.*: unknown/,
    );
  });

  it('says where the database cannot be read', async () => {
    const env = { DATABASE_URL: 'file:/nowhere/herald.db', HERALD_CONFIG: at('absent.yml') };
    expect(await typed(['explain', 'unread'], env)).toEqual({
      code: 1,
      said: 'The database that DATABASE_URL names cannot be read; doctor says more.',
    });
  });
});

describe('docs/accounts.md', () => {
  const { text } = readDocument('docs/accounts.md');
  const names = ['cloud', 'entries', 'plain', 'india'];
  const written = [...text.matchAll(/```yaml\n([^`]*)```/g)].map(([, yaml = '']) => parse(yaml).wire);
  const wires = Object.fromEntries(names.map((name, place) => [name, written[place]]));

  it.each(table`
cloud | answer | accepted, id wamid.1 | {"messages":[{"id":"wamid.1","message_status":"accepted"}]}
cloud | answer | rejected & code 132015 | {"messages":[{"id":"wamid.1","message_status":"paused"}]}
cloud | webhook | a delivery report: read; ids m | {"entry":[{"changes":[{"value":{"statuses":[{"id":"m","status":"read","recipient_id":"${A}"}]}}]}]}
entries | answer | 5678]: accepted, id 0A & 4567]: rejected | {"messages":[{"to":"${A}","message-id":"0A","status":"0"},{"to":"${B}","status":"6"}]}
entries | answer | 5678]: unknown & 4567]: rejected | {"messages":[{"to":"${A}","status":"5"},{"to":"${B}","status":"6"}]}
entries | webhook | a text of 2 characters by [number …5678] | msisdn=${A}&to=1&messageId=0A&text=Hi&keyword=HI
plain | answer | accepted, id bc5f7425 | 1701|${A}|bc5f7425
plain | answer | unknown | 1706|${A}
plain | answer | unknown | 1899
plain | webhook | delivered; ids bc5f7425 | sMessageId=bc5f7425&sMobileNo=${A}&sStatus=DELIVRD
india | webhook | delivered; ids S-7K2M9QX4TB-0 | {"clientRef":"S-7K2M9QX4TB-0","status":"delivered","to":"${A}"}`)(
    'the example %s: %s, %s',
    async (name = '', what = '', expected = '', sample = '') => {
      const numbers = name === 'cloud' || sample.startsWith('1701') ? [`+${A}`] : [`+${A}`, `+${B}`];
      const to = what === 'answer' ? ['--to', ...numbers] : [];
      const said = await explained(what, sample, to, wires[name]);
      for (const part of expected.split(' & ')) expect(said).toContain(part);
    },
  );

  it('a refusal in text is certain for one number', async () => {
    expect(await explained('answer', `1706|${A}`, [], wires.plain)).toContain('rejected. Nothing was sent.');
  });
});

it.each([
  [[], 'explain needs'],
  [['answer'], 'explain needs'],
  [['order', 'x'], 'explain needs'],
  [['answer', 'x', 'y'], 'explain needs'],
  [['answer', 'x', '--status', '99'], 'explain needs'],
  [['answer', 'x', '--odd'], 'explain needs'],
  [['answer', '/nowhere'], 'could not be read'],
  [['answer', '/dev/null', '--row', 'fax'], 'There is no row fax; there are chatappOtp'],
  [['answer', '/dev/null', '--to', '12'], '--to needs a number'],
])('explain %j is answered with what is wrong', async (options, expected) => {
  const env = { HERALD_CONFIG: at('absent.yml') };
  expect(await typed(['explain', ...options], env)).toEqual({
    code: 1,
    said: expect.stringContaining(expected),
  });
});

it('stops at a herald.yml that is wrong', async () => {
  const config = at('herald.yml');
  writeFileSync(config, stringify({ ...CONFIG, wire: { answers: { success: {} } } }));
  expect(await typed(['explain', 'answer', '/dev/null'], { HERALD_CONFIG: config })).toEqual({
    code: 1,
    said: expect.stringContaining('wire.answers.success'),
  });
});
