import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { registeredIn } from '../../../sandbox/team-configuration.ts';

test('senders and templates become what the service knows', () => {
  const source = `
senders: { chatapp: [{ number: "+919876543210", label: Support }], sms: [{ id: ACMEIN }] }
templates:
  - { name: a, channel: chatapp, variant: otp, text: "{{1}} and {{1}}", languages: [en] }
  - { name: b, channel: rcs, variant: carousel-images, cards: 3 }
  - { name: c, channel: rcs, variant: variables, placeholders: [{ name: day }, { name: hour }] }
`;
  expect(registeredIn(source)).toEqual({
    senders: { chatapp: ['+919876543210'], rcs: [], sms: ['ACMEIN'] },
    templates: [
      {
        name: 'a',
        channel: 'chatapp',
        variant: 'otp',
        placeholders: 1,
        cards: 0,
        languages: ['en'],
        text: '{{1}} and {{1}}',
      },
      { name: 'b', channel: 'rcs', variant: 'carousel-images', placeholders: 0, cards: 3, languages: [] },
      { name: 'c', channel: 'rcs', variant: 'variables', placeholders: 2, cards: 0, languages: [] },
    ],
  });
});

test('the sandbox’s own file has a template for each variant of rows 1 to 8', async () => {
  const file = await readFile(new URL('../../../sandbox/herald.yml', import.meta.url), 'utf8');
  const variants = new Set(
    registeredIn(file).templates.map(({ channel, variant }) => `${channel} ${variant}`),
  );
  expect([...variants].toSorted()).toEqual([
    'chatapp document',
    'chatapp image',
    'chatapp otp',
    'chatapp text',
    'chatapp video',
    'rcs carousel-fixed',
    'rcs carousel-images',
    'rcs plain',
    'rcs rich',
    'rcs variables',
  ]);
});

test('an empty file registers nothing', () => {
  expect(registeredIn('')).toEqual({ senders: { chatapp: [], rcs: [], sms: [] }, templates: [] });
});
