import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';

const API_KEY = 'key-481516-2342';

function logged(write: (log: ReturnType<typeof createLogger>) => void, level: 'debug' | 'info' = 'debug') {
  const lines: string[] = [];
  write(
    createLogger({ level, secrets: [API_KEY, 'k'], destination: { write: (line) => void lines.push(line) } }),
  );
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
    expect(logged((log) => log.debug({}, 'quiet'), 'info')).toEqual([]);
  });

  it.each([
    ['+919876543210', '[number …3210]'],
    ['98765 43210 rang', '[number …3210] rang'],
    ['to:919876543210.', 'to:[number …3210].'],
    ['ts 1700000000.123456', 'ts 1700000000.123456'],
    ['S-7K2M9QX4TB', 'S-7K2M9QX4TB'],
    ['took 1234 ms', 'took 1234 ms'],
    ['2026-11-21', '2026-11-21'],
  ])('writes %s as %s', (text, shown) => {
    expect(logged((log) => log.info({ text }, text))).toEqual([{ text: shown, msg: shown }]);
  });

  it('covers secrets by field, at any depth', () => {
    const fields = {
      a: [{ apikey: 'x', headers: { Authorization: 'y' } }],
      botToken: 'z',
      otp: '123456',
      when: 5,
    };
    expect(logged((log) => log.info(fields, 'm'))).toEqual([
      {
        a: [{ apikey: '[secret]', headers: { Authorization: '[secret]' } }],
        botToken: '[secret]',
        otp: '[secret]',
        when: 5,
        msg: 'm',
      },
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
});
