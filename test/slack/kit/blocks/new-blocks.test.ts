import { expect, test } from 'vitest';
import { validateMessage, validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import { olderBlocks } from '../../../../src/slack/connection/new-blocks.ts';
import { createRoom, modal, warnings } from '../../../../src/slack/kit/blocks/blocks.ts';
import { table } from '../../../../src/slack/kit/blocks/table.ts';
import { messageBlocks } from '../../../../src/slack/kit/cards/message-blocks.ts';

const typesOf = (blocks: readonly { type: string }[]) => blocks.map(({ type }) => type);

test('the cards of a carousel stand side by side, or as pictures', () => {
  const of = (count: number) => {
    const fileUrls = Array.from({ length: count }, (_none, at) => `https://acme.test/${at}.png`);
    const message: Message = {
      ...{ kind: 'rcs', variant: 'carousel-images', templateName: 'offers', botId: 'acme', type: 'PREPROMO' },
      fileUrls,
    };
    const blocks = messageBlocks(message, undefined, createRoom(7_000), { asSeen: true });
    for (const shown of [blocks, olderBlocks(blocks)]) expect(validateMessage({ blocks: shown })).toEqual([]);
    return [typesOf(blocks), typesOf(olderBlocks(blocks))].map((types) =>
      types.filter((one) => one !== 'rich_text'),
    );
  };
  expect(of(3)).toEqual([['carousel'], ['image', 'image', 'image']]);
  expect(of(1)).toEqual([['image'], ['image']]);
  expect(of(11)[0]).toHaveLength(11);
});

test('a warning is an alert in a window, and one section elsewhere and where it is long', () => {
  const said = warnings(['*1* of 2 got it.', 'A link is not https.']);
  expect(typesOf(olderBlocks(said, 'window'))).toEqual(['alert', 'alert']);
  expect(validateView(modal({ title: 'Review', blocks: said }))).toEqual([]);
  const section = {
    type: 'section',
    expand: true,
    text: { type: 'mrkdwn', text: '⚠️ *1* of 2 got it.\n⚠️ A link is not https.', verbatim: true },
  };
  expect(olderBlocks(said, 'message')).toEqual([section]);
  expect(olderBlocks(said)).toEqual([section]);
  expect(typesOf(warnings(['x'.repeat(201), 'y']))).toEqual(['section']);
  expect(warnings([])).toEqual([]);
});

test('rows are a table within Slack’s limits, and a line each where there is none', () => {
  const columns = (count: number) => Array.from({ length: count }, (_none, at) => `c${at}`);
  const rows = (count: number, cells: number) => Array.from({ length: count }, () => columns(cells));
  const blocks = table(
    'All',
    ['Row', 'By', 'Text'],
    [[[4, 'Row 4'], { type: 'user', user_id: 'U0ASHA' }, '']],
  );
  expect(JSON.stringify(olderBlocks(blocks))).toContain('"Row 4"');
  for (const shown of [blocks, olderBlocks(blocks), table('All', columns(20), rows(101, 20))])
    expect(validateMessage({ blocks: shown })).toEqual([]);
  expect(typesOf(table('All', columns(21), rows(1, 21)))).toEqual(['rich_text']);
  expect(table('All', columns(2), [])).toEqual([]);
});
