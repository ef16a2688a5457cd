import { expect, it } from 'vitest';
import { parseMarkdown } from '../../../sandbox/ui/text/markdown.ts';
import type { Inline, TextBlock } from '../../../sandbox/ui/text/nodes.ts';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): TextBlock => ({ type: 'paragraph', children });
const bold = (...children: Inline[]): Inline => ({ type: 'bold', children });

it.each<[name: string, source: string, blocks: TextBlock[]]>([
  ['a heading', '## Results ##', [{ type: 'heading', level: 2, children: [text('Results')] }]],
  [
    'bold before italic',
    '**a *b* c** ~~d~~',
    [
      paragraph(bold(text('a '), { type: 'italic', children: [text('b')] }, text(' c')), text(' '), {
        type: 'strike',
        children: [text('d')],
      }),
    ],
  ],
  [
    'a link and an image',
    '[docs](https://example.com "t") ![pic](https://example.com/p.png)',
    [
      paragraph({ type: 'link', url: 'https://example.com', children: [text('docs')] }, text(' '), {
        type: 'link',
        url: 'https://example.com/p.png',
        children: [text('pic')],
      }),
    ],
  ],
  ['an unsafe link', '[x](javascript:alert)', [paragraph(text('[x](javascript:alert)'))]],
  [
    'nested lists',
    '- a\n  1. b\n  2. c\n- d',
    [
      {
        type: 'list',
        items: [
          { children: [text('a')], indent: 0, ordered: false, position: 1 },
          { children: [text('b')], indent: 1, ordered: true, position: 1 },
          { children: [text('c')], indent: 1, ordered: true, position: 2 },
          { children: [text('d')], indent: 0, ordered: false, position: 2 },
        ],
      },
    ],
  ],
  [
    'a list that begins at three',
    '3. a\n4. b',
    [
      {
        type: 'list',
        items: [
          { children: [text('a')], indent: 0, ordered: true, position: 3 },
          { children: [text('b')], indent: 0, ordered: true, position: 4 },
        ],
      },
    ],
  ],
  [
    'a rule between paragraphs',
    'a\n\n---\nb',
    [paragraph(text('a')), { type: 'rule' }, paragraph(text('b'))],
  ],
  ['a fence that never ends', '```js\nlet *a*', [{ type: 'preformatted', text: 'let *a*' }]],
  ['a quote', '> a\n> b', [{ type: 'quote', children: [text('a'), { type: 'break' }, text('b')] }]],
  [
    'a table',
    '| a | b |\n|---|:-:|\n| 1 | **2** |',
    [
      {
        type: 'table',
        header: [[text('a')], [text('b')]],
        rows: [[[text('1')], [bold(text('2'))]]],
      },
    ],
  ],
])('%s', (_name, source, blocks) => {
  expect(parseMarkdown(source)).toEqual(blocks);
});
