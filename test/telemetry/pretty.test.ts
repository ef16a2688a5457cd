import { expect, it } from 'vitest';
import { prettyLine } from '../../src/telemetry/logger.ts';

const time = new Date(2026, 10, 22, 9, 5, 7).toISOString();
/** Without the colours, which depend on where the test runs. */
const plain = (fields: object) =>
  prettyLine(JSON.stringify({ level: 30, time, ...fields }))
    .split('\u001b[')
    .map((part, at) => (at === 0 ? part : part.replace(/^\d+m/, '')))
    .join('');

it('is a line with the time, the level, the sentence and the fields', () => {
  const fields = {
    sendId: 'S-AAAAAAAAAA',
    why: 'It was late.',
    codes: { 'rejected 131026': 1 },
    msg: 'send paused',
  };
  expect(plain(fields)).toBe(
    '09:05:07 info  send paused sendId=S-AAAAAAAAAA why="It was late." codes={"rejected 131026":1}\n',
  );
});

it('has the stack of an error below, and lets no foreign word move the cursor', () => {
  const error = { name: 'Error', message: 'odd', stack: 'Error: odd\n    at here\x1b[2J' };
  expect(plain({ level: 50, error, text: '\x9b2J', msg: 'it \x1b[2Jbroke' })).toBe(
    '09:05:07 error it broke text=""\n    Error: odd\n        at here\n',
  );
});
