import { expect, test } from 'vitest';
import { messageText } from '../../../sandbox/message-text.ts';

test('blocks read line by line, with marks and entities resolved', () => {
  const text = messageText({
    text: 'fallback',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Sent & done' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'By <@U1> in <#C1|team>: &lt;b&gt; <https://x.example|here>' },
        fields: [
          { type: 'mrkdwn', text: '*To*\n•••• 1234' },
          { type: 'plain_text', text: '•••• 4567' },
        ],
        accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' } },
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'S-1 <!date^1795237224^{time}|05:00 UTC>' },
          { type: 'plain_text', text: '200' },
        ],
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'a <!channel> ' },
              { type: 'user', user_id: 'U2' },
            ],
          },
          { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'code' }] },
        ],
      },
      { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Yes' } }] },
    ],
  });
  expect(text).toBe(
    [
      'Sent & done',
      'By @U1 in #C1: <b> here',
      'To: •••• 1234 · •••• 4567',
      '[Open]',
      'S-1 05:00 UTC · 200',
      'a <!channel> @U2',
      'code',
      '[Yes]',
    ].join('\n'),
  );
});

test('without blocks the text itself', () => {
  expect(messageText({ text: 'Hello <@U1>' })).toBe('Hello @U1');
});
