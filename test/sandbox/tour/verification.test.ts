import { expect, test } from 'vitest';
import { Narrator } from '../../../sandbox/tour/narrator.ts';
import { Verification } from '../../../sandbox/tour/verification.ts';

test('a claim that does not hold is kept with its evidence', () => {
  const verification = new Verification();
  verification.claim('This is so', true);
  verification.claim('This is not', false, ['seen']);
  verification.same('These are the same', { a: [1] }, { a: [1] });
  verification.same('These are not', { a: [1] }, { a: [1, 2] });
  expect(verification.claims).toBe(4);
  expect(verification.failures).toEqual([
    'This is not\n    ["seen"]',
    'These are not\n    {"actual":{"a":[1]},"expected":{"a":[1,2]}}',
  ]);
});

test('the transcript keeps its columns over several lines', () => {
  let written = '';
  const narrator = new Narrator((text) => {
    written += text;
  });
  narrator.person('Asha', '/sms');
  narrator.aside('To: 1\nText: 2');
  narrator.herald('one\ntwo');
  narrator.phone('+65', 'sms', 'Hi');
  expect(written).toBe(
    [
      '',
      'Asha     /sms',
      '         To: 1',
      '         Text: 2',
      'Herald   │ one',
      '         │ two',
      'Phone    +65 · sms · Hi',
      '',
    ].join('\n'),
  );
});
