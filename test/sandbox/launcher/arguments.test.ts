import { expect, test } from 'vitest';
import { parseArguments } from '../../../sandbox/arguments.ts';

test('defaults', () => {
  expect(parseArguments([])).toEqual({
    ok: true,
    value: { ports: { workspace: 8080, carrier: 8081, herald: 8082 }, mode: 'socket', fresh: false },
  });
});

test('everything said', () => {
  expect(parseArguments(['--port', '9000', '--http', '--fresh'])).toEqual({
    ok: true,
    value: { ports: { workspace: 9000, carrier: 9001, herald: 9002 }, mode: 'http', fresh: true },
  });
});

test.each([
  ['a word', ['--port', 'eighty']],
  ['zero', ['--port', '0']],
  ['no room for the next two', ['--port', '65534']],
])('a port that is %s is a sentence naming the flag', (_name, argv) => {
  expect(parseArguments(argv)).toEqual({
    ok: false,
    problem: `--port must be a whole number from 1 to 65533, not "${argv[1]}".`,
  });
});

test.each(['--help', '-h'])('%s is no problem, and starts nothing', (flag) => {
  expect(parseArguments(['--fresh', flag])).toEqual({ ok: false });
});

test('an unknown flag is named', () => {
  const parsed = parseArguments(['--fersh']);
  expect(parsed.ok ? '' : parsed.problem).toContain('--fersh');
});
