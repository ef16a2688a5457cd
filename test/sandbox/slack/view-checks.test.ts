import { expect, test } from 'vitest';
import { clientErrors } from '../../../sandbox/slack/view-checks.ts';

const TEN_MB = 10 * 1024 * 1024;
const block = {
  type: 'input',
  block_id: 'list',
  element: { type: 'file_input', action_id: 'a', max_files: 2 },
};

test.each([
  [[{ id: 'F1', size: TEN_MB }], {}],
  [
    [
      { id: 'F1', size: 7 },
      { id: 'F2', size: TEN_MB + 1 },
    ],
    { list: 'Files can be no larger than 10 MB.' },
  ],
  [[{ id: 'F1' }, { id: 'F2' }, { id: 'F3' }], { list: 'Please choose no more than 2 files.' }],
])('files of a form: %j', (files, errors) => {
  expect(clientErrors([block], { list: { a: { type: 'file_input', files } } })).toEqual(errors);
});
