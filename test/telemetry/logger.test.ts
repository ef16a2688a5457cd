import { describe, expect, it } from 'vitest';
import { asOutage } from '../../src/core/outage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

const API_KEY = 'key-481516-2342';

function logged(
  write: (log: ReturnType<typeof createLogger>) => void,
  options: Partial<Parameters<typeof createLogger>[0]> = {},
) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger({ level: 'debug', secrets: [API_KEY, 'k', 'päss/word 1'], destination, ...options }));
  return lines.map((line) => {
    const { time, level: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    return rest;
  });
}

describe('the log', () => {
  it('is one line of JSON an event, with the child’s fields', () => {
    expect(logged((log) => log.child({ sendId: 'S-1' }).info({ count: 3 }, 'sent'))).toEqual([
      { sendId: 'S-1', count: 3, msg: 'sent' },
    ]);
  });

  it('leaves out what is below its level', () => {
    expect(logged((log) => log.debug({}, 'quiet'), { level: 'info' })).toEqual([]);
  });

  it('covers phone numbers in sentences, fields and names of fields, and leaves times and counts', () => {
    const left = { ts: '1700000000.123456', at: 1_700_000_000_000 };
    const fields = { ...left, text: '98765 43210', to: 919_876_543_210, '+919876543210': 1 };
    const [n, msg] = ['[number …3210]', 'called [number …3210]'];
    expect(logged((log) => log.info(fields, 'called +919876543210'))).toEqual([
      { ...left, text: n, to: n, [n]: 1, msg },
    ]);
  });

  it('covers secrets by field, at any depth', () => {
    const a = [{ apikey: 'x', headers: { Authorization: 'y' } }];
    const covered = [{ apikey: '[secret]', headers: { Authorization: '[secret]' } }];
    expect(logged((log) => log.info({ a, botToken: 'z', otp: '123456', when: 5 }, 'm'))).toEqual([
      { a: covered, botToken: '[secret]', otp: '[secret]', when: 5, msg: 'm' },
    ]);
  });

  it('covers secret values and numbers wherever they turn up, errors and their causes included', () => {
    const error = new Error(`refused ${API_KEY}`, { cause: new Error('to +919876543210') });
    const text = JSON.stringify(logged((log) => log.error({ error }, `sent with ${API_KEY}`)));
    expect(text).toContain('refused [secret]');
    expect(text).toContain('to [number …3210]');
    expect(text).toContain('sent with [secret]');
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain('9876543210');
  });

  it('survives a value that holds itself', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(JSON.stringify(logged((log) => log.info({ loop }, 'm')))).toContain('[too deep]');
  });

  it.each([
    ['a token that was not configured', 'got xoxb-1111-2222-abcdef', 'got [secret]'],
    ['a header', 'Authorization: Bearer abc.def', 'Authorization: Bearer [secret]'],
    [
      'a connection’s ticket',
      'wss://host/socket?ticket=abc-def&x=1',
      'wss://host/socket?ticket=[secret]&x=1',
    ],
    ['a configured secret inside a URL', `?k=${encodeURIComponent('päss/word 1')}`, '?k=[secret]'],
  ])('covers %s', (_, text, shown) => {
    const fields = { response_url: 'https://hooks.example.com/x', url: text };
    const [line] = logged((log) => log.info(fields, 'm'));
    expect(line).toMatchObject({ url: shown, response_url: '[secret]' });
  });

  it('tells every error of several, with its code', () => {
    const errors = [Object.assign(new Error('refused +919876543210'), { code: 'ECONNREFUSED' })];
    const [line] = logged((log) => log.error({ error: new AggregateError(errors, 'both') }, 'm'));
    expect(line).toMatchObject({
      error: {
        name: 'AggregateError',
        message: 'both',
        errors: [{ message: 'refused [number …3210]', code: 'ECONNREFUSED' }],
      },
    });
  });

  it('leaves what only follows from a database that is gone to debug, and names the replica', () => {
    let isDown = false;
    const outage = asOutage(new Error('gone'));
    const lines = logged(
      (log) => {
        log.error({ error: outage }, 'before');
        isDown = true;
        log.error({ error: outage }, 'meanwhile');
        log.error({ error: new Error('another') }, 'a bug');
      },
      { level: 'info', replica: () => 'R-1', isDown: () => isDown },
    );
    expect(lines.map(({ msg, replica }) => [msg, replica])).toEqual([
      ['before', 'R-1'],
      ['a bug', 'R-1'],
    ]);
  });

  it('holds of an error what it says, and not the objects that hang on it', () => {
    const error = Object.assign(new Error('lost'), { code: '57P01', client: { password: 'x', types: {} } });
    const [line] = logged((log) => log.error({ error }, 'm'));
    expect(line).toMatchObject({ error: { message: 'lost', code: '57P01' } });
    expect(JSON.stringify(line)).not.toContain('client');
  });

  it('is never what breaks the work it tells of', () => {
    const bad = {
      get secretive(): string {
        throw new Error('no');
      },
    };
    const fields = {
      when: new Date(0),
      url: new URL('https://x.example/a'),
      bytes: Buffer.alloc(1_000_000),
      numbers: Array.from({ length: 102 }, (_, index) => index),
      map: new Map([['k', '+919876543210']]),
      big: 919_876_543_210n,
    };
    const [first, second] = logged((log) => {
      log.info(bad, 'm');
      log.info(fields, 'm');
    });
    expect(first).toEqual({ unreadable: true, msg: 'm' });
    expect(second).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      url: 'https://x.example/a',
      bytes: '[1000000 bytes]',
      numbers: [...Array.from({ length: 100 }, (_, index) => index), '[2 more]'],
      map: [['k', '[number …3210]']],
      big: '[number …3210]',
      msg: 'm',
    });
  });
});
