import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type WireTable, wireSchema } from '../../src/gateway/wire.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { growthOf } from '../growth.ts';
import { table } from '../table.ts';
import { judgedAnswer } from './judged.ts';
import { accounts } from './published.ts';

/*
 * Accounts with public APIs, each with what it would write into herald.yml, what the API answers (a + before the status:
 * to two numbers), and what becomes of each recipient.
 */

const ACCOUNTS = accounts(new URL('mapped-answers.txt', import.meta.url));

const TO = [{ number: '+919812345678' }, { number: '+6591234567' }];

function judged({ rows }: WireTable, status: number, body: string, recipients = TO.slice(0, 1)) {
  return judgedAnswer(body, { status, recipients, mapping: rows.sms.answers });
}

function told(outcome: Outcome): string {
  const detail = outcome.state === 'accepted' ? outcome.messageId : outcome.failure.code;
  return [outcome.state, detail ?? ''].join(' ').trim();
}

describe.each(ACCOUNTS)('%s', (_name, yaml, answers) => {
  const wire = wireSchema.parse(parse(yaml).wire);

  it('needs at most 25 lines', () => {
    expect(yaml.split('\n').length).toBeLessThanOrEqual(25);
  });

  it.each(answers)('%s', (line, expected) => {
    const [, several, status, body = ''] = /^(\+ )?(\d+) (.*)$/.exec(line) ?? [];
    const to = several === undefined ? TO.slice(0, 1) : TO;
    const { each, ...whole } = judged(wire, Number(status), body, to);
    const outcomes = each ?? to.map(() => whole);
    expect(outcomes.map(told)).toEqual(expected);
  });
});

describe('wire.answers', () => {
  const sms = (answers: object) => wireSchema.parse({ answers });

  it('of a kind win over those of all', () => {
    const { rows } = wireSchema.parse({
      success: { path: 'old' },
      messageId: 'sid',
      answers: { success: { path: 'ok' }, rcs: { success: { path: 'sent' } } },
    });
    const { answers: ofSms } = rows.sms;
    expect([ofSms.success?.[0]?.path, ofSms.messageId?.[0]?.path]).toEqual([['ok'], ['sid']]);
    const { success, messageId } = rows.rcsPlain.answers;
    expect([success?.[0]?.path, messageId?.[0]?.path]).toEqual([['sent'], ['sid']]);
  });

  it('say what a refusal means, with the service’s own words', () => {
    const said = { code: 'DND', explanation: 'the number is on the DND list.' };
    const failure = { path: 'reason', values: ['dnd'], ...said };
    expect(judged(sms({ failure }), 200, '{"reason":"dnd","message":"Blocked by TRAI"}')).toEqual({
      state: 'rejected',
      failure: {
        ...{ status: 200, code: 'DND', scope: 'recipient', explanation: 'Blocked by TRAI' },
        what: 'The messaging service answered 200 OK and refused the message, as `wire.answers.failure` describes, with code DND, not in Herald’s list: the number is on the DND list.',
        next: expect.stringContaining('Look up the code'),
      },
    });
  });

  it('find a sentence, and an id in it, at a path', () => {
    const wire = sms({
      success: { path: 'message', text: '^Sent to [1-9]' },
      failure: { path: 'message', text: '^(Invalid|Sent to 0)' },
      messageId: { path: 'message', text: 'id (\\S+)$' },
    });
    const of = (message: string) => told(judged(wire, 200, JSON.stringify({ message })));
    expect(of('Sent to 1/1, id AT1')).toBe('accepted AT1');
    expect(['Sent to 0/1', 'InvalidSenderId', 'Parked'].map(of)).toEqual(['rejected', 'rejected', 'unknown']);
    const list = '{"message":["Sent to 1/1, id AT1","Sent to 0/1"]}';
    expect(judged(wire, 200, list).state).toBe('unknown');
  });

  it('find in a text that leaves it open the id of one recipient, and of several nobody’s', () => {
    const wire = sms({ success: { text: '^1701' }, messageId: { text: '\\|(\\w+)$' } });
    const open = [judged(wire, 200, '1702|bc5f'), judged(wire, 200, '1702|bc5f', TO)];
    expect(open).toMatchObject([{ state: 'unknown', messageId: 'bc5f' }, { state: 'unknown' }]);
    expect(open[1]).not.toHaveProperty('messageId');
  });

  it('never make a refusal of what a listed code leaves open, or a status that no shape names', () => {
    const failure = { path: 'ok', values: [false] };
    expect(judged(sms({ failure }), 400, '{"ok":false,"code":131000}').state).toBe('unknown');
    expect(judged(sms({ failure: { ...failure, code: 131000 } }), 200, '{"ok":false}').state).toBe('unknown');
    expect(judged(sms({ failure }), 503, '{"ok":false}').state).toBe('unknown');
  });

  it('never make a refusal of what also looks like a success', () => {
    const answers = { success: { path: 'id' }, failure: { statuses: [503], path: 'error' } };
    expect(judged(sms(answers), 503, '{"error":"x"}').state).toBe('rejected');
    expect(judged(sms(answers), 503, '{"error":"x","id":"m"}').state).toBe('unknown');
    const twice = '{"status":"ok","Status":"no"}';
    expect(judged(sms({ success: { path: 'status', values: ['ok'] } }), 200, twice).state).toBe('unknown');
  });

  it('neither a 401 nor a 429 is anything else', () => {
    const failure = { statuses: [401, 429], path: 'error' };
    expect(judged(sms({ failure }), 401, '{"error":"key"}')).toMatchObject({ failure: { scope: 'send' } });
    expect(judged(sms({ failure }), 429, '{"error":"slow"}').state).toBe('not_sent');
  });

  const each = { path: 'list', number: 'to', status: 'st', success: ['yes'], failure: ['no'] };

  it.each(table`
in any order | [{"to":"6591234567","st":"no"},{"to":"919812345678","st":"yes"}] | accepted, rejected
without numbers, in the order of the request | [{"st":"yes"},{"st":"no"}] | accepted, rejected
fewer than recipients | [{"to":"919812345678","st":"yes"}] | accepted, unknown
of nobody | [{"to":"4915100000000","st":"no"},{"to":"4915100000001","st":"no"}] | unknown, unknown
two of one | [{"to":"919812345678","st":"yes"},{"to":"919812345678","st":"no"}] | unknown, unknown
with a word that is not described | [{"st":"perhaps"},{"st":"yes"}] | unknown, accepted
none | [] | unknown, unknown`)('each: entries %s', (_name, list, expected) => {
    const outcome = judged(sms({ each, success: { path: 'ok' } }), 200, `{"list":${list}}`, TO);
    expect((outcome.each ?? [outcome, outcome]).map(({ state }) => state).join(', ')).toBe(expected);
  });

  it('each: by number, in a list of lists, and never of another’s entry', () => {
    const byNumber = sms({ each: { path: 'sms', status: 'status', success: ['OK'], failure: ['NO'] } });
    const body = '{"sms":{"6591234567":{"status":"NO"},"919812345678":{"status":"OK"}}}';
    expect(judged(byNumber, 200, body, TO).each?.map(told)).toEqual(['accepted', 'rejected']);
    const deep = sms({ each: { ...each, path: 'a[].list' } });
    const lists =
      '{"a":[{"list":[{"to":"6591234567","st":"yes"}]},{"list":[{"to":"919812345678","st":"no"}]}]}';
    expect(judged(deep, 200, lists, TO).each?.map(told)).toEqual(['rejected', 'accepted']);
    expect(judged(sms({ each }), 200, '{"list":[{"to":"6591234567","st":"yes"}]}').state).toBe('unknown');
  });

  it('each: where its success is described, an answer without entries is none', () => {
    for (const body of ['{}', '{"status":"ok"}', '<html></html>', 'queued', '{"list":[]}'])
      expect(judged(sms({ each }), 200, body)).toMatchObject({
        state: 'unknown',
        failure: { what: expect.stringContaining('not with what `wire.answers.success` describes') },
      });
    expect(judged(sms({ each }), 204, '').state).toBe('accepted');
    expect(judged(sms({ each: { path: 'list' } }), 200, '{"status":"ok"}').state).toBe('accepted');
    expect(judged(sms({ each }), 401, '{"status":"no"}')).toMatchObject({ failure: { scope: 'send' } });
  });

  it('each: a 400 refuses one, and of several nobody knows', () => {
    const body = '{"list":[{"to":"919812345678","st":"INVALID"}]}';
    expect(judged(sms({ each }), 400, body).state).toBe('rejected');
    expect(judged(sms({ each }), 400, body, TO).each).toMatchObject([
      { state: 'unknown' },
      { state: 'unknown' },
    ]);
    expect(judged(sms({ each }), 400, body.replace('}]', ',"id":"m"}]')).state).toBe('unknown');
  });

  it('an entry that says yes and no, or yes in a 400, may have been sent', () => {
    const both = sms({ each: { ...each, failure: { path: 'err' } } });
    expect(judged(both, 200, '{"list":[{"to":"919812345678","st":"yes","err":"x"}]}').state).toBe('unknown');
    expect(judged(both, 400, '{"list":[{"to":"919812345678","st":"yes"}]}').state).toBe('unknown');
    expect(judged(both, 400, '{"list":[{"to":"919812345678","err":"x"}]}').state).toBe('rejected');
  });

  it.each<[object, readonly PropertyKey[]]>([
    [{ success: {} }, ['success', 0, 'path']],
    [{ success: { path: 'a', code: 1 } }, ['success', 0]],
    [{ failure: { path: 'a', statuses: [99] } }, ['failure', 0, 'statuses', 0]],
    [{ failure: { statuses: [400, 500] } }, ['failure', 0, 'statuses']],
    [{ failure: { path: 'a', code: 'a b' } }, ['failure', 0, 'code']],
    [{ messageId: { text: '(?=x)' } }, ['messageId', 0]],
    [{ each: { number: 'to' } }, ['each', 'path']],
    [{ each: { path: 'a', status: 'x y', success: ['a'] } }, ['each', 'success', 0, 'path']],
    [{ sms: { sucess: {} } }, ['sms']],
  ])('%j is refused at the start, where it stands', (answers, path) => {
    const [issue] = wireSchema.safeParse({ answers }).error?.issues ?? [];
    expect(issue?.path).toStrictEqual(['answers', ...path]);
  });

  it.each<[string, number, (size: number) => string]>([
    ['wide', 2_000, (n) => `{"a":[{"list":[${'{"to":"919812345678","st":"yes"},'.repeat(n)}{}]}]}`],
    ['wide above', 2_000, (n) => `{"a":[${'{"list":[{"to":"919812345678","st":"yes"}]},'.repeat(n)}{}]}`],
    ['deep', 5_000, (n) => `${'{"a":[{"list":['.repeat(n)}1${']}]}'.repeat(n)}`],
    ['long', 60_000, (n) => `{"a":[{"list":[{"to":"919812345678","st":"${'yes '.repeat(n)}"}]}]}`],
    ['text', 60_000, (n) => `1701|${'9 '.repeat(n)}`],
  ])('read an answer that is %s in proportion to its size', async (_name, n, bodyOf) => {
    const described = sms({
      each: { ...each, path: 'a[].list' },
      success: [{ path: 'a[].list[].st' }, { text: '^(\\d+\\|)*x' }],
      messageId: ['a[].list[].id', { text: '\\|(\\S+) $' }],
    });
    const read = (body: string) => judged(described, 200, body, TO);
    expect(await growthOf(n, bodyOf, read)).toBe('in proportion');
  });
});
