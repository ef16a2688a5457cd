import { describe, expect, it } from 'vitest';
import { parseMrkdwn, parseMrkdwnInline } from '../../../sandbox/ui/text/mrkdwn.ts';
import type { Inline, TextBlock } from '../../../sandbox/ui/text/nodes.ts';
import { processorMsSince } from '../../processor-time.ts';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): TextBlock => ({ type: 'paragraph', children });
const bold = (...children: Inline[]): Inline => ({ type: 'bold', children });
const italic = (...children: Inline[]): Inline => ({ type: 'italic', children });
const quote = (...children: Inline[]): TextBlock => ({ type: 'quote', children });

describe('mrkdwn inside a line', () => {
  it.each<[source: string, nodes: Inline[]]>([
    ['plain', [text('plain')]],
    [
      '*bold* _italic_ ~strike~',
      [
        bold(text('bold')),
        text(' '),
        italic(text('italic')),
        text(' '),
        { type: 'strike', children: [text('strike')] },
      ],
    ],
    ['*a _b_ c*', [bold(text('a '), italic(text('b')), text(' c'))]],
    ['snake_case_name and 2*3*4', [text('snake_case_name and 2*3*4')]],
    ['* not bold * and _ not italic _', [text('* not bold * and _ not italic _')]],
    ['*never closed', [text('*never closed')]],
    ['*over\nlines*', [text('*over'), { type: 'break' }, text('lines*')]],
    ['`*raw* &lt;b&gt;`', [{ type: 'code', text: '*raw* <b>' }]],
    ['*see `a*b` now*', [bold(text('see '), { type: 'code', text: 'a*b' }, text(' now'))]],
    ['&lt;b&gt; &amp;amp; &quot;', [text('<b> &amp; &quot;')]],
    [':wave: :no_such_thing: 10:30:00', [{ type: 'emoji', name: 'wave' }, text(' :no_such_thing: 10:30:00')]],
    [':wave::skin-tone-3:', [{ type: 'emoji', name: 'wave' }]],
  ])('%j', (source, nodes) => {
    expect(parseMrkdwnInline(source)).toEqual(nodes);
  });
});

describe('references in angle brackets', () => {
  it.each<[source: string, nodes: Inline[]]>([
    ['<@U0ASHA>', [{ type: 'user', id: 'U0ASHA' }]],
    ['<@U0ASHA|asha>', [{ type: 'user', id: 'U0ASHA', label: 'asha' }]],
    ['<#C0TEAM|team>', [{ type: 'channel', id: 'C0TEAM', label: 'team' }]],
    ['<!subteam^S0MANAGERS>', [{ type: 'usergroup', id: 'S0MANAGERS' }]],
    ['<!here>', [{ type: 'broadcast', range: 'here' }]],
    [
      '<https://example.com/a?b=1&amp;c=2|the *docs*>',
      [
        {
          type: 'link',
          url: 'https://example.com/a?b=1&c=2',
          children: [text('the '), bold(text('docs'))],
        },
      ],
    ],
    ['<mailto:a@b.example>', [{ type: 'link', url: 'mailto:a@b.example', children: [text('a@b.example')] }]],
    [
      'see https://example.com/x_y_z.',
      [
        text('see '),
        { type: 'link', url: 'https://example.com/x_y_z', children: [text('https://example.com/x_y_z')] },
        text('.'),
      ],
    ],
    [
      '<!date^1700000000^{date} at {time}|then>',
      [{ type: 'date', epochSeconds: 1_700_000_000, format: '{date} at {time}', fallback: 'then' }],
    ],
    ['<!date^soon^{date}|then>', [text('<!date^soon^{date}|then>')]],
  ])('%j', (source, nodes) => {
    expect(parseMrkdwnInline(source)).toEqual(nodes);
  });

  it.each(['<javascript:alert(1)|click>', '<data:text/html,x>', '<script>alert(1)</script>', '<>', '< >'])(
    'leaves %j as letters',
    (source) => {
      expect(parseMrkdwnInline(source)).toEqual([text(source)]);
    },
  );
});

describe('mrkdwn in blocks', () => {
  it('takes fences out before anything else, and one line break around them', () => {
    expect(parseMrkdwn('before\n```\n*x*\n&lt;y&gt;\n```\nafter')).toEqual([
      paragraph(text('before')),
      { type: 'preformatted', text: '*x*\n<y>' },
      paragraph(text('after')),
    ]);
  });

  it('groups quoted lines, escaped or not', () => {
    expect(parseMrkdwn('&gt; one\n>two\nthree')).toEqual([
      quote(text('one'), { type: 'break' }, text('two')),
      paragraph(text('three')),
    ]);
  });

  it('quotes everything after three signs', () => {
    expect(parseMrkdwn('a\n>>> b\nc')).toEqual([
      paragraph(text('a')),
      quote(text('b'), { type: 'break' }, text('c')),
    ]);
  });

  it('keeps empty lines', () => {
    expect(parseMrkdwn('a\n\nb')).toEqual([
      paragraph(text('a'), { type: 'break' }, { type: 'break' }, text('b')),
    ]);
  });

  it('reads a long hostile text in no time', () => {
    const hostile = `${'*a _b '.repeat(3000)}${'<'.repeat(6000)}${'`'.repeat(5999)}`;
    const begun = process.threadCpuUsage();
    parseMrkdwn(hostile);
    expect(processorMsSince(begun)).toBeLessThan(1000);
  });
});
