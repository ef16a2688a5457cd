import { expect, it } from 'vitest';
import { parseMarkdown } from '../../../sandbox/ui/text/markdown.ts';
import type { Inline, TextBlock } from '../../../sandbox/ui/text/nodes.ts';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): TextBlock => ({ type: 'paragraph', children });
const link = (url: string, label: string): Inline => ({ type: 'link', url, children: [text(label)] });
const list = (...items: [name: string, indent: number, ordered: boolean, position: number][]): TextBlock => ({
  type: 'list',
  items: items.map(([name, indent, ordered, position]) => ({
    children: [text(name)],
    ...{ indent, ordered, position },
  })),
});
const bold = (...children: Inline[]): Inline => ({ type: 'bold', children });

it.each<[name: string, source: string, blocks: TextBlock[]]>([
  ['a heading', '## Results ##', [{ type: 'heading', level: 2, children: [text('Results')] }]],
  [
    'bold before italic',
    '**a *b* c** ~~d~~',
    [
      paragraph(
        bold(text('a '), { type: 'italic', children: [text('b')] }, text(' c')),
        ...[text(' '), { type: 'strike' as const, children: [text('d')] }],
      ),
    ],
  ],
  [
    'a link and an image',
    '[docs](https://example.com "t") ![pic](https://example.com/p.png)',
    [paragraph(link('https://example.com', 'docs'), text(' '), link('https://example.com/p.png', 'pic'))],
  ],
  ['an unsafe link', '[x](javascript:alert)', [paragraph(text('[x](javascript:alert)'))]],
  [
    'nested lists',
    '- a\n  1. b\n  2. c\n- d',
    [list(['a', 0, false, 1], ['b', 1, true, 1], ['c', 1, true, 2], ['d', 0, false, 2])],
  ],
  ['a list that begins at three', '3. a\n4. b', [list(['a', 0, true, 3], ['b', 0, true, 4])]],
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
    [{ type: 'table', header: [[text('a')], [text('b')]], rows: [[[text('1')], [bold(text('2'))]]] }],
  ],
])('%s', (_name, source, blocks) => {
  expect(parseMarkdown(source)).toEqual(blocks);
});
