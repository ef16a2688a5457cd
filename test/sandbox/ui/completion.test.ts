import { describe, expect, it } from 'vitest';
import {
  completionsAt,
  splitCommand,
  storedText,
  type Vocabulary,
  writtenText,
} from '../../../sandbox/ui/chat/completion.ts';

const person = (id: string, name: string, realName: string) => ({
  id,
  name,
  realName,
  isBot: false,
  isGuest: false,
  tz: 'Etc/UTC',
  color: '#000000',
});
const vocabulary: Vocabulary = {
  commands: [
    { command: '/sms', description: 'Send an SMS', usageHint: '[number text]' },
    { command: '/sends', description: 'List sends', usageHint: '' },
    { command: '/flash', description: 'Send a flash SMS', usageHint: '' },
  ],
  users: [person('U1', 'asha', 'Asha Nair'), person('U2', 'ravi', 'Ravi Menon')],
  groups: [{ id: 'S1', handle: 'managers', name: 'Managers' }],
  channels: [
    { id: 'C1', name: 'team', isPrivate: false, kind: 'channel', memberIds: [], topic: 'Day to day' },
    { id: 'D1', name: 'team-asha', isPrivate: true, kind: 'im', memberIds: [], topic: '' },
  ],
};
const offered = (text: string, caret = text.length) => {
  const found = completionsAt(text, caret, vocabulary);
  return found && { from: found.from, inserts: found.items.map((item) => item.insert) };
};

describe('completions', () => {
  it.each<[text: string, found: { from: number; inserts: string[] } | undefined]>([
    ['/', { from: 0, inserts: ['/sms', '/sends', '/flash'] }],
    ['/S', { from: 0, inserts: ['/sms', '/sends'] }],
    ['/sms ', undefined],
    ['/nothing', undefined],
    ['see /sms', undefined],
    ['ask @ra', { from: 4, inserts: ['@ravi'] }],
    ['ask @men', { from: 4, inserts: ['@ravi'] }],
    ['@man', { from: 0, inserts: ['@managers'] }],
    ['mail a@ra', undefined],
    ['in #te', { from: 3, inserts: ['#team'] }],
  ])('%j', (text, found) => {
    expect(offered(text)).toEqual(found);
  });

  it('looks at the word at the caret, not at the end', () => {
    expect(offered('@ra and more', 3)).toEqual({ from: 0, inserts: ['@ravi'] });
  });

  it('shows a command whole', () => {
    expect(completionsAt('/sm', 3, vocabulary)).toEqual({
      from: 0,
      items: [
        {
          key: '/sms',
          insert: '/sms',
          title: '/sms',
          hint: '[number text]',
          detail: 'Send an SMS',
          kind: 'command',
        },
      ],
    });
  });
});

it.each([
  ['/sms', { command: '/sms', rest: '' }],
  ['/sms  +65 hello  there\nline two ', { command: '/sms', rest: '+65 hello  there\nline two' }],
  ['hello /sms', undefined],
  ['/ 5', undefined],
])('reads %j as a command or not', (text, command) => {
  expect(splitCommand(text)).toEqual(command);
});

it.each([
  ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
  ['ask @asha, @managers or @here in #team', 'ask <@U1>, <!subteam^S1> or <!here> in <#C1|team>'],
  ['mail a@asha and @nobody #nowhere', 'mail a@asha and @nobody #nowhere'],
  ['(@Ravi).', '(<@U2>).'],
  ['<!channel>', '&lt;!channel&gt;'],
])('stores %j as Slack does', (text, stored) => {
  expect(storedText(text, vocabulary)).toBe(stored);
});

it.each([
  ['a &lt; b &amp; c', 'a < b & c'],
  ['ask <@U1>, <!subteam^S1> or <!here> in <#C1|team>', 'ask @asha, @managers or @here in #team'],
  ['&lt;!channel&gt; and <https://a.example|there>', '<!channel> and <https://a.example|there>'],
])('offers %j to be edited as it was typed', (stored, written) => {
  expect(writtenText(stored, vocabulary)).toBe(written);
});
