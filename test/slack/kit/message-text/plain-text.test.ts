import { describe, expect, it, test } from 'vitest';
import { ALERTS } from '../../../../sandbox/ui/chat/alert-samples.ts';
import { mrkdwnText } from '../../../../src/slack/kit/message-text/block-text.ts';
import { namesIn, plainTextOf } from '../../../../src/slack/kit/message-text/plain-text.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { processorMsSince } from '../../../processor-time.ts';

const NAMES = (id: string) => ({ U0ASHA: 'Asha Rao', U0RAVI: 'Ravi', C0OPS: 'ops', S0OPS: 'on-call' })[id];

describe('alerts as they are posted', () => {
  test.each(Object.entries(ALERTS))('%s', async (source, message) => {
    await expect(`${plainTextOf(message, NAMES)}\n`).toMatchFileSnapshot(`golden/${source}.txt`);
  });
});

describe('mrkdwn', () => {
  test.each([
    ['*bold* _italic_ ~struck~ `code`', 'bold italic struck code'],
    ['*_both_*', 'both'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['&gt; quoted\n&gt; twice', 'quoted\ntwice'],
    ['a &lt; b &amp;amp; c', 'a < b &amp; c'],
    ['<https://a.example/x_y_z|the *label*> <https://b.example/a_b>', 'the label https://b.example/a_b'],
    ['<mailto:a@b.example|a@b.example> <tel:+6591234567>', 'a@b.example +6591234567'],
    ['<@U0X> <@U0ASHA|asha> <#C0X|general> <#C0OPS> <!channel>', '@U0X @Asha Rao #general #ops @channel'],
    [':fire: :warning: down since 10:30:45', '🔥 ⚠️ down since 10:30:45'],
    ['*status:* :red_circle: :acme-logo:', 'status: 🔴 :acme-logo:'],
    ['```\nls -l\n```', 'ls -l\n'],
    // Slack shows code as it was typed.
    ['`:tada:` is *:tada:*, `*a*` is *`_a_` &amp; `&lt;b&gt;`*', ':tada: is 🎉, *a* is _a_ & <b>'],
    ['```\n:x: *a* `b`\n``` :x: ``` :x:', ':x: *a* `b`\n ❌  ❌'],
    ['`<@U0ASHA> :x:` <https://a.example|`:x:` &amp;> it`s', '@Asha Rao :x: ❌ & it`s'],
  ])('%s', (text, plain) => {
    expect(mrkdwnText(text, NAMES)).toBe(plain);
  });

  it('reads what was made to take long in no time', () => {
    const hostile = ['*a ', '<', '`', ' ', '&gt;', ':a', '_ _', '[', '~x~'].map((part) =>
      part.repeat(Math.ceil(40_000 / part.length)),
    );
    const begun = process.threadCpuUsage();
    for (const text of hostile) {
      plainTextOf({ text });
      plainTextOf({ blocks: [{ type: 'markdown', text }] });
    }
    expect(processorMsSince(begun)).toBeLessThan(10_000);
  });
});

const richText = (...elements: readonly object[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});

const rich = (text: string) => richText({ type: 'text', text });
const raw = (text: string) => ({ type: 'raw_text', text });

/* Blocks as the reference shows them: https://docs.slack.dev/reference/block-kit/blocks */
describe('blocks and files', () => {
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: false });
  const plain = (text: string, emoji = true) => ({ type: 'plain_text', text, emoji });
  const card = { type: 'card', title: mrkdwn('*Disk*'), subtitle: mrkdwn('db-2'), body: mrkdwn('95 % full') };
  const down = { type: 'section', text: mrkdwn('down') };
  const task = {
    task_id: 't1',
    title: 'Look &amp; see',
    details: rich('asked'),
    output: rich('found'),
  };
  test.each<[string, object, string]>([
    ['a card', card, 'Disk\ndb-2\n95 % full'],
    [
      'a carousel',
      { type: 'carousel', elements: [card, { ...card, title: mrkdwn('CPU') }] },
      'Disk\ndb-2\n95 % full\nCPU\ndb-2\n95 % full',
    ],
    [
      'a container',
      { type: 'container', title: plain('Status'), subtitle: mrkdwn('now'), child_blocks: [down] },
      'Status\nnow\ndown',
    ],
    [
      'a container with a title in rich text',
      { type: 'container', title: plain('not shown'), rich_text_title: rich('Shown'), child_blocks: [] },
      'Shown',
    ],
    [
      'a data table',
      {
        ...{ type: 'data_table', caption: 'Queues' },
        rows: [
          [raw('Name'), raw('Waiting')],
          [rich('orders'), { type: 'raw_number', value: 4812, text: '4,812' }],
        ],
      },
      'Queues\nName | Waiting\norders | 4812',
    ],
    ['a task card', { type: 'task_card', ...task }, 'Look & see\nasked\nfound'],
    ['a plan', { type: 'plan', title: 'Plan', tasks: [task, null] }, 'Plan\nLook & see\nasked\nfound'],
    ['a plain text with emoji', { type: 'header', text: plain(':tada: Sale') }, '🎉 Sale'],
    ['a plain text without', { type: 'header', text: plain(':tada: Sale', false) }, ':tada: Sale'],
    ['a type that is none', { type: 'constructor', text: plain('x') }, ''],
    [
      'emoji of rich text',
      richText(
        { type: 'emoji', name: 'clap', unicode: '1f44f-1f3fd', skin_tone: 4 },
        { type: 'text', text: ' :tada: as letters ' },
        { type: 'emoji', name: 'acme-logo' },
      ),
      '👏🏽 :tada: as letters :acme-logo:',
    ],
  ])('%s', (_name, block, text) => {
    expect(plainTextOf({ blocks: [block] })).toBe(text);
  });

  /* Fields: https://docs.slack.dev/reference/objects/file-object */
  test.each<[string, object, string]>([
    [
      'a mail to a channel',
      {
        filetype: 'email',
        mode: 'email',
        title: 'x',
        subject: 'Disk full',
        plain_text: 'db-2 :fire:',
        preview: '<div>db-2</div>',
      },
      'Disk full\ndb-2 🔥',
    ],
    [
      'a snippet',
      { filetype: 'text', mode: 'snippet', title: 'Log', name: 'log.txt', preview: 'line 1\r\nline 2' },
      'Log\nline 1\nline 2',
    ],
    ['a picture', { filetype: 'png', mode: 'hosted', title: 'Graph', name: 'graph.png' }, 'Graph'],
    [
      'a list, whose rows are others’',
      { filetype: 'csv', title: 'may.csv', preview: 'number\n+6591234567' },
      'may.csv',
    ],
  ])('%s', (_name, file, text) => {
    expect(plainTextOf({ text: 'See:', files: [file] })).toBe(`See:\n${text}`);
  });
});

describe('whatever Slack delivers', () => {
  const link = { type: 'link', url: 'https://a.example' };
  const [section] = richText(link).elements;
  const orderedList = { type: 'rich_text_list', style: 'ordered', offset: 2, elements: [section] };
  test.each([
    [{}, ''],
    [{ text: 7, blocks: 'none', attachments: [null, 3, {}] }, ''],
    [
      {
        blocks: [
          null,
          { type: 'section' },
          { type: 'table', rows: [null, [{ type: 'raw_text', text: 'a' }]] },
        ],
      },
      'a',
    ],
    [{ text: 'shown', blocks: [{ type: 'divider' }] }, 'shown'],
    [
      {
        text: 'only in notifications',
        blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Title' } }],
      },
      'Title',
    ],
    [{ attachments: [{ fallback: 'nothing else' }] }, 'nothing else'],
    [{ text: 'Disk full', attachments: [{ title: 'Disk full', text: 'on db-2' }] }, 'Disk full\non db-2'],
    [{ text: 'a\r\n\n\n\nb  ' }, 'a\n\nb'],
    [
      { blocks: [{ type: 'markdown', text: '# Heading\n**bold** [label](https://a.example)' }] },
      'Heading\nbold label',
    ],
    [{ blocks: [{ type: 'rich_text', elements: [orderedList] }] }, '3. https://a.example'],
  ])('%j', (message, text) => {
    expect(plainTextOf(message)).toBe(text);
  });
});

const HANDLES: Readonly<Record<string, string>> = {
  U0RAVI: '@ravi',
  S0SUPPORT: '@support',
  S0NIGHT: '@night',
};
const names = { nameOf: async (id: string) => HANDLES[id] ?? id };

test('people and user groups, of text and of blocks; who is not known stays so', async () => {
  const known = await namesIn(
    {
      text: '<@U0RAVI> asks <!subteam^S0SUPPORT|@x> and <@U0NOBODY>',
      blocks: [{ type: 'rich_text', elements: [{ type: 'usergroup', usergroup_id: 'S0NIGHT' }] }],
    },
    { names, clock: createManualClock() },
  );
  expect(['U0RAVI', 'U0NOBODY'].map((id) => known(id))).toEqual(['ravi', undefined]);
  expect(['S0SUPPORT', 'S0NIGHT'].map((id) => known(id))).toEqual(['support', 'night']);
});

test('a name that does not come in time is left out', async () => {
  const clock = createManualClock();
  const slow = {
    nameOf: (id: string) => (id === 'U0RAVI' ? names.nameOf(id) : new Promise<string>(() => {})),
  };
  const asked = namesIn({ text: '<@U0RAVI> <@U0MEI>' }, { names: slow, clock });
  await clock.advance(900);
  const known = await asked;
  expect(['U0RAVI', 'U0MEI'].map((id) => known(id))).toEqual(['ravi', undefined]);
});
