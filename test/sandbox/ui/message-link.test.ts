import { expect, it } from 'vitest';
import { linkedMessage } from '../../../sandbox/ui/message-link.ts';

const at = (path: string, domain = 'acme') => linkedMessage(`https://acme.slack.com${path}`, domain);

it('reads which message a link of this workspace leads to', () => {
  expect(at('/archives/C0TEAM/p1700000000123456')).toEqual({ channelId: 'C0TEAM', ts: '1700000000.123456' });
  expect(at('/archives/C0TEAM/p1700000009000001?thread_ts=1700000000.123456&cid=C0TEAM')).toEqual({
    channelId: 'C0TEAM',
    ts: '1700000009.000001',
    threadTs: '1700000000.123456',
  });
  expect(at('/archives/C0TEAM/p1700000000123456?thread_ts=1700000000.123456')).toEqual({
    channelId: 'C0TEAM',
    ts: '1700000000.123456',
  });
});

it('leaves every other link alone', () => {
  expect(at('/archives/C0TEAM/p1700000000123456', 'other')).toBeUndefined();
  expect(at('/archives/C0TEAM')).toBeUndefined();
  expect(linkedMessage('mailto:a@acme.slack.com', 'acme')).toBeUndefined();
  expect(linkedMessage('not a link', 'acme')).toBeUndefined();
});
