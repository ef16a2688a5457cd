import { expect, it } from 'vitest';
import { readAnswer } from '../../src/gateway/read-answer.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';

const KEY = 'key-of-the-team-77';

function valuesIn(body: object, passwords: readonly string[]): readonly unknown[] {
  const answer = readAnswer(Buffer.from(JSON.stringify(body)), answerSecrets(KEY, passwords));
  if (answer.kind !== 'json') throw new Error(`It was read as ${answer.kind}.`);
  return answer.members.map(({ value }) => value);
}

it('takes the echo of a password for nothing, so that it is no code and no id either', () => {
  const body = { code: 481516, id: ' 481516 ', error: '132000', valid: false };
  expect(valuesIn(body, ['481516'])).toEqual(['132000', false]);
  expect(valuesIn(body, [])).toEqual([481516, ' 481516 ', '132000', false]);
});

it('covers what is secret within a value, and leaves what is neither text nor number', () => {
  const body = { message: `The key ${KEY} or 481516 is wrong.`, code: 132000, valid: true, note: null };
  const [message, ...others] = valuesIn(body, ['481516']);
  expect(message).not.toContain(KEY);
  expect(message).not.toContain('481516');
  expect(message).toMatch(/^The key .+ is wrong\.$/);
  expect(others).toEqual([132000, true, null]);
});
