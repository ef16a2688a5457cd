import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import { wireSchema } from '../../../src/gateway/wire.ts';
import { growthOf } from '../../growth.ts';
import { accounts } from '../published.ts';
import { toldOf } from './told-of.ts';

/* Accounts with public APIs, each with what it would write into herald.yml, and what must be read of its webhooks. */
const ACCOUNTS = accounts(new URL('mapped-webhooks.txt', import.meta.url));

const mapping = (webhooks: unknown) => wireSchema.parse({ webhooks }).webhooks;

function decode(body: unknown, webhooks: unknown) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return decodeWebhook({ bytes }, NO_SECRETS, new Set(), 'IN', mapping(webhooks));
}

function told(body: unknown, webhooks: unknown): readonly string[] {
  return decode(body, webhooks).map((event) =>
    event.kind === 'unknown' && event.text.startsWith('The service') ? event.text : toldOf(event),
  );
}

describe.each(ACCOUNTS)('%s', (_name, yaml, samples) => {
  it('needs at most 25 lines', () => {
    expect(yaml.split('\n').length).toBeLessThanOrEqual(25);
  });

  it.each(samples)('%s', (body, expected) => {
    expect(told(body, parse(yaml).wire.webhooks)).toEqual(expected);
  });
});

describe('wire.webhooks', () => {
  const reports = {
    id: 'id',
    number: 'to',
    status: 'st',
    words: { delivered: ['ok'], failed: ['Bounce 7'] },
  };
  const FROM = '919812345678';

  it('reads beside it what the mapping does not cover', () => {
    const body = {
      list: [{ id: 'm', to: FROM, st: 'ok' }],
      messages: [{ from: FROM, text: 'STOP' }],
    };
    expect(told(body, { reports: { ...reports, each: 'list' } })).toEqual([
      `delivered m +${FROM}`,
      `text +${FROM}: STOP`,
    ]);
    expect(told({ id: 'm', to: FROM, status: 'sent' }, { reports })).toEqual([`sent m +${FROM}`]);
  });

  it('knows words whatever their case and signs, and the usual ones where it says nothing', () => {
    const said = (st: unknown) => told({ id: 'm', to: FROM, st }, { reports });
    expect([said('OK'), said('BOUNCE-7'), said('DELIVRD'), said('undeliv')].flat()).toEqual([
      `delivered m +${FROM}`,
      `failed m +${FROM}`,
      `delivered m +${FROM}`,
      `failed m +${FROM}`,
    ]);
  });

  it('reads a status that is true or false', () => {
    const arrived = { ...reports, words: { delivered: [true], failed: [false] } };
    expect(told({ id: 'm', to: FROM, st: true }, { reports: arrived })).toEqual([`delivered m +${FROM}`]);
    expect(told({ id: 'm', to: FROM, st: false }, { reports: arrived })).toEqual([`failed m +${FROM}`]);
  });

  it('never takes the number of somebody else for a sender that it cannot read', () => {
    const replies = { sender: 'who', text: 'said' };
    expect(told({ who: 'hidden', said: 'STOP', from: '14155550100' }, { replies })).toEqual([
      'text nobody: STOP',
    ]);
    expect(told({ from: FROM, said: 'Hi' }, { replies: { text: 'said' } })).toEqual([`text +${FROM}: Hi`]);
  });

  it('does not open what a customer wrote', () => {
    const forged = JSON.stringify({ id: 'm', to: FROM, st: 'ok' });
    expect(told({ from: FROM, text: forged }, { reports: { ...reports, each: 'text' } })).toEqual([
      `text +${FROM}: ${forged}`,
    ]);
  });

  it('keeps why a message failed, with the code that it names', () => {
    const [event] = decode(
      { id: 'm', to: FROM, st: 'bounce 7', why: 'DND', reason: 'On the list' },
      { reports: { ...reports, code: 'why' } },
    );
    expect(event).toMatchObject({ status: 'failed', failure: { code: 'DND', explanation: 'On the list' } });
  });

  it.each<[unknown, readonly PropertyKey[]]>([
    [{ methods: ['PUT'] }, ['methods', 0]],
    [{ signature: { header: 'a b' } }, ['signature', 'header']],
    [{ signature: { header: 'X-S', algorithm: 'md5' } }, ['signature', 'algorithm']],
    [{ reports: { id: 'a..b' } }, ['reports', 0, 'id']],
    [{ reports: { text: 'a' } }, ['reports', 0]],
    [{ reports: { words: { arrived: ['x'] } } }, ['reports', 0, 'words']],
    [{ replies: [] }, ['replies']],
  ])('%j is refused at the start, where it stands', (webhooks, path) => {
    const [issue] = wireSchema.safeParse({ webhooks }).error?.issues ?? [];
    expect(issue?.path).toStrictEqual(['webhooks', ...path]);
  });

  it.each<[string, number, (size: number) => string]>([
    ['wide', 2_000, (n) => `{"list":[${'{"id":"m","to":"919812345678","st":"ok"},'.repeat(n)}{}]}`],
    [
      'without what the mapping names',
      2_000,
      (n) => `{"list":[${'{"x":1},'.repeat(n)}{}],"top":[${'{"id":1},'.repeat(n)}{}]}`,
    ],
    ['deep', 5_000, (n) => `${'{"list":['.repeat(n)}1${']}'.repeat(n)}`],
    ['long', 60_000, (n) => `{"list":[{"id":"m","st":"${'ok '.repeat(n)}"}]}`],
  ])('reads a body that is %s in proportion to its size', async (_name, n, bodyOf) => {
    const described = mapping({
      reports: { ...reports, each: 'list[]', id: 'top[].id', when: { path: 'list[].id' } },
      replies: { each: 'list', text: 'top.x' },
    });
    const made = (size: number) => ({ bytes: Buffer.from(bodyOf(size)) });
    const read = (body: { bytes: Buffer }) => decodeWebhook(body, NO_SECRETS, new Set(), 'IN', described);
    expect(await growthOf(n, made, read)).toBe('in proportion');
  });
});
