import { expect, test } from 'vitest';
import { isFileAddress } from '../../../../src/slack/kit/files/files.ts';

const SLACK = 'https://slack.com/api/';

test.each([
  ['https://files.slack.com/files-pri/T1-F1/download/a.csv', SLACK, true],
  ['https://slack.com/files/a.csv', SLACK, true],
  ['http://files.slack.com/a.csv', SLACK, false],
  ['https://files.slack.com:8443/a.csv', SLACK, false],
  ['https://files.slack.com.example/a.csv', SLACK, false],
  ['https://notslack.com/a.csv', SLACK, false],
  ['https://slack.com@evil.example/a.csv', SLACK, false],
  ['https://someone:secret@files.slack.com/a.csv', SLACK, false],
  ['http://169.254.169.254/latest', SLACK, false],
  ['a.csv', SLACK, false],
  ['http://127.0.0.1:4000/files/F1/download/a.csv', 'http://127.0.0.1:4000/api/', true],
  ['http://127.0.0.1:4001/files/F1/download/a.csv', 'http://127.0.0.1:4000/api/', false],
])('%s with the API at %s may have the token: %s', (address, api, expected) => {
  expect(isFileAddress(address, api)).toBe(expected);
});
