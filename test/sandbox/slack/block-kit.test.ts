import { describe, expect, it } from 'vitest';
import { validateMessage, validateSuggestion, validateView } from '../../../sandbox/slack/block-kit/index.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (value: string) => ({ text: plain(value), value });
const options = (count: number) => Array.from({ length: count }, (_, index) => option(`o${index}`));
const long = (length: number) => 'x'.repeat(length);
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const button = (extra: object = {}) => ({ type: 'button', text: plain('Go'), ...extra });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const input = (element: object, extra: object = {}) => ({
  type: 'input',
  label: plain('L'),
  element,
  ...extra,
});
const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const divider = (more: object = {}) => ({ type: 'divider', ...more });
const select = (more: object) => input({ type: 'static_select', ...more });
const typing = (more: object = {}) => input({ type: 'plain_text_input', ...more });
const tableOf = (...rows: object[][]) => ({ type: 'table', rows });
const message = (...blocks: unknown[]) => validateMessage({ text: 'fallback', blocks });
const modalOf = (blocks: unknown[], extra: object = {}) => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Send'),
  blocks,
  ...extra,
});
const modal = (...blocks: unknown[]) => validateView(modalOf(blocks));
const home = (...blocks: unknown[]) => validateView({ type: 'home', blocks });
const richText = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] }],
};
const cell = (text: string) => ({ type: 'raw_text', text });
const image = { type: 'image', alt_text: 'A cat', image_url: 'https://example.com/cat.png' };
const confirm = { title: plain('Sure?'), text: plain('Really.'), confirm: plain('Yes'), deny: plain('No') };
const choosers = [
  { type: 'static_select', options: options(2), initial_option: option('o1') },
  {
    type: 'static_select',
    option_groups: [{ label: plain('G'), options: options(2) }],
    initial_option: option('o0'),
  },
  { type: 'external_select', min_query_length: 0, initial_option: option('any'), placeholder: plain('Pick') },
  { type: 'users_select', initial_user: 'U1' },
  { type: 'conversations_select', default_to_current_conversation: true, filter: { include: ['public'] } },
  { type: 'channels_select', initial_channel: 'C1' },
  {
    type: 'multi_static_select',
    options: options(2),
    initial_options: [option('o1')],
    max_selected_items: 1,
  },
  { type: 'multi_external_select', min_query_length: 1 },
  { type: 'multi_users_select', initial_users: ['U1'] },
  { type: 'multi_conversations_select' },
  { type: 'multi_channels_select' },
  {
    type: 'radio_buttons',
    options: [{ ...option('a'), description: mrkdwn('*why*') }],
    initial_option: { ...option('a'), description: mrkdwn('*why*') },
  },
  { type: 'checkboxes', options: [{ text: mrkdwn('*a*'), value: 'a' }], confirm },
  { type: 'datepicker', initial_date: '2026-01-31' },
  { type: 'timepicker', initial_time: '23:59', timezone: 'Asia/Kolkata' },
  { type: 'datetimepicker', initial_date_time: 1_628_633_820 },
];
const typed = [
  { type: 'plain_text_input', multiline: true, min_length: 0, max_length: 3000, initial_value: '' },
  { type: 'email_text_input', placeholder: plain('you@example.com') },
  { type: 'url_text_input', focus_on_load: true },
  { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9', initial_value: '5' },
  { type: 'rich_text_input', initial_value: richText },
];

describe('what Slack shows', () => {
  it.each([...choosers, ...typed])('an input of $type in a modal, a Home tab and a message', (element) => {
    const block = input({ ...element, action_id: 'a' }, { block_id: 'b', hint: plain('h'), optional: true });
    const unfocused = { ...block, element: { ...element, focus_on_load: undefined } };
    const asSent = JSON.parse(JSON.stringify(unfocused));
    expect([modal(block), home(block), message(asSent)]).toEqual([[], [], []]);
  });

  it.each(choosers)('$type in actions, and as an accessory where it may', (element) => {
    expect(message(actions(element))).toEqual([]);
    expect(message({ ...section('s'), accessory: element })).toEqual(
      element.type === 'datetimepicker'
        ? ['unsupported type: datetimepicker [json-pointer:/blocks/0/accessory]']
        : [],
    );
  });

  it('attachments with something in them', () => {
    for (const attachment of [
      { fallback: 'f' },
      { fields: [{ title: 't', value: 'v' }] },
      { blocks: [richText] },
    ])
      expect(validateMessage({ attachments: [{}, attachment] })).toEqual([]);
  });

  it('every block of a message', () => {
    expect(
      message(
        { type: 'header', text: plain('H') },
        divider({ block_id: 'd' }),
        { type: 'context', elements: [mrkdwn('*c*'), plain('c'), image] },
        { ...image, title: plain('Cat') },
        {
          type: 'section',
          fields: [mrkdwn('a'), plain('b')],
          accessory: { type: 'overflow', options: [option('a')] },
        },
        actions(button({ style: 'danger', value: 'v', url: 'https://example.com', confirm })),
        richText,
        { type: 'markdown', text: '# T' },
        {
          type: 'table',
          rows: [[cell('a'), { type: 'raw_number', value: 1, text: '1' }]],
          column_settings: [{ align: 'right' }],
        },
        { type: 'data_table', caption: 'T', rows: [[cell('a')], [richText]], page_size: 5 },
        { type: 'card', title: mrkdwn('T'), actions: [button()] },
        { type: 'carousel', elements: [{ type: 'card', body: mrkdwn('B') }] },
        { type: 'container', title: plain('C'), child_blocks: [section('s')] },
        {
          type: 'context_actions',
          elements: [{ type: 'icon_button', icon: 'trash', text: plain('Delete') }],
        },
        {
          type: 'plan',
          title: 'P',
          tasks: [{ type: 'task_card', task_id: '1', title: 'T', status: 'pending' }],
        },
        {
          type: 'data_visualization',
          title: 'V',
          chart: { type: 'pie', segments: [{ label: 'a', value: 1 }] },
        },
        {
          type: 'video',
          alt_text: 'v',
          title: plain('V'),
          video_url: 'https://e.com/v',
          thumbnail_url: 'https://e.com/t',
        },
      ),
    ).toEqual([]);
  });

  it('files and alerts in a modal', () => {
    const file = input({ type: 'file_input', filetypes: ['csv'], max_files: 1 });
    expect(modal(file, { type: 'alert', text: mrkdwn('Mind'), level: 'warning' })).toEqual([]);
  });

  it.each([
    ['50 blocks', message(...many(50, divider()))],
    ['3,000 characters', message(section(long(3000)))],
    ['a header of 150', message({ type: 'header', text: plain(long(150)) })],
    ['25 buttons', message(actions(...many(25, button())))],
    ['100 options', modal(select({ options: options(100) }))],
    ['a title of 24', validateView(modalOf([], { title: plain(long(24)) }))],
    ['private_metadata of 3,000', validateView(modalOf([], { private_metadata: long(3000) }))],
    [
      'a modal without submit and inputs',
      validateView({ type: 'modal', title: plain('T'), blocks: [section('s')] }),
    ],
  ])('up to the limit: %s', (_, problems) => expect(problems).toEqual([]));
});

/** With the place of each, as Slack says it. */
const SAID = `
nothing to show: no_text: must have text, blocks or attachments [json-pointer:]
a long section: must be less than 3001 characters [json-pointer:/blocks/0/text/text]
an empty text: must be more than 0 characters [json-pointer:/blocks/0/text/text]
a text of blanks: no_text: must have text, blocks or attachments [json-pointer:]
an attachment with nothing in it: no_text: must have text, blocks or attachments [json-pointer:]
blocks of blanks: must be more than 0 characters [json-pointer:/blocks/0/text/text]; must be more than 0 characters [json-pointer:/blocks/1/text/text]; must be more than 0 characters [json-pointer:/blocks/2/elements/0/text/text]
a picture at foo:bar: invalid url [json-pointer:/blocks/0/image_url]; invalid url [json-pointer:/blocks/1/accessory/image_url]
a picture at data:image/png;base64,AAAA: invalid url [json-pointer:/blocks/0/image_url]; invalid url [json-pointer:/blocks/1/accessory/image_url]
a picture at https://: invalid url [json-pointer:/blocks/0/image_url]; invalid url [json-pointer:/blocks/1/accessory/image_url]
a picture at cat.png: invalid url [json-pointer:/blocks/0/image_url]; invalid url [json-pointer:/blocks/1/accessory/image_url]
a picture at https://e.com/a b.png: invalid url [json-pointer:/blocks/0/image_url]; invalid url [json-pointer:/blocks/1/accessory/image_url]
a button to javascript:alert(1): invalid url [json-pointer:/view/blocks/0/elements/0/url]
a button to data:text/html,x: invalid url [json-pointer:/view/blocks/0/elements/0/url]
a button to e.com: invalid url [json-pointer:/view/blocks/0/elements/0/url]
a link of rich text that runs something: invalid url [json-pointer:/blocks/0/elements/0/elements/0/url]
values of static_select that repeat: option value "a" already exists [json-pointer:/view/blocks/0/element/options/2/value]
values of radio_buttons that repeat: option value "a" already exists [json-pointer:/view/blocks/0/element/options/2/value]
values of checkboxes that repeat: option value "a" already exists [json-pointer:/view/blocks/0/element/options/2/value]
values that repeat in an overflow menu, and over groups: option value "a" already exists [json-pointer:/blocks/0/elements/0/options/1/value]; option value "a" already exists [json-pointer:/blocks/0/elements/1/option_groups]
suggestions whose values repeat: option value "a" already exists [json-pointer:/options]
a long field: must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]
eleven fields: no more than 10 items allowed [json-pointer:/blocks/0/fields]
an empty section: must have text or fields [json-pointer:/blocks/0]
a header in mrkdwn: must be a valid enum value: plain_text [json-pointer:/blocks/0/text/type]
emoji on mrkdwn: invalid additional property: emoji [json-pointer:/blocks/0/text]
an unknown block: unsupported type: banner [json-pointer:/blocks/0]
a file block: unsupported type: file [json-pointer:/blocks/0]
no block: must provide an object [json-pointer:/blocks/0]
an unknown field: invalid additional property: colour [json-pointer:/blocks/0]
51 blocks: no more than 50 items allowed [json-pointer:/blocks]
a repeated block_id: \`block_id\` "a" already exists [json-pointer:/blocks/1/block_id]
a repeated action_id: \`action_id\` "a" already exists for another element [json-pointer:/blocks/0/elements/1/action_id]
a long block_id: must be less than 256 characters [json-pointer:/blocks/0/block_id]
26 buttons: no more than 25 items allowed [json-pointer:/blocks/0/elements]
no buttons: must have at least 1 items [json-pointer:/blocks/0/elements]
eleven context elements: no more than 10 items allowed [json-pointer:/blocks/0/elements]
a long button text: must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]
a long button value: must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]
a button style: must be a valid enum value: primary, danger [json-pointer:/blocks/0/elements/0/style]
a long confirm text: must be less than 301 characters [json-pointer:/blocks/0/elements/0/confirm/text/text]
101 options: no more than 100 items allowed [json-pointer:/view/blocks/0/element/options]
a long option: must be less than 76 characters [json-pointer:/view/blocks/0/element/options/0/text/text]
a long option value: must be less than 76 characters [json-pointer:/view/blocks/0/element/options/0/value]
mrkdwn in a menu: must be a valid enum value: plain_text [json-pointer:/view/blocks/0/element/options/0/text/type]
a url outside overflow: invalid additional property: url [json-pointer:/view/blocks/0/element/options/0]
a stranger as initial option: must exactly match one of the options [json-pointer:/view/blocks/0/element/initial_option]
an initial option that differs: must exactly match one of the options [json-pointer:/view/blocks/0/element/initial_option]
options and groups: must have exactly one of options and option_groups [json-pointer:/view/blocks/0/element]
eleven radio buttons: no more than 10 items allowed [json-pointer:/view/blocks/0/element/options]
six overflow options: no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]
an overflow as input: unsupported type: overflow [json-pointer:/view/blocks/0/element]
a button as input: unsupported type: button [json-pointer:/view/blocks/0/element]
an input element in actions: unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0]
an input without label: missing required field: label [json-pointer:/view/blocks/0]
a label in mrkdwn: must be a valid enum value: plain_text [json-pointer:/view/blocks/0/label/type]
a long placeholder: must be less than 151 characters [json-pointer:/view/blocks/0/element/placeholder/text]
crossed lengths: must not be greater than max_length [json-pointer:/view/blocks/0/element/min_length]
a length above 3,000: must be no greater than 3000 [json-pointer:/view/blocks/0/element/max_length]
an initial value that is too long: must not be longer than max_length [json-pointer:/view/blocks/0/element/initial_value]
a number input that does not say: missing required field: is_decimal_allowed [json-pointer:/view/blocks/0/element]
a date that is none: must be a date as YYYY-MM-DD [json-pointer:/view/blocks/0/element/initial_date]
a file in a message: unsupported type: file_input [json-pointer:/blocks/0/element]
eleven files: must be no greater than 10 [json-pointer:/view/blocks/0/element/max_files]
an image without source: must have exactly one of image_url and slack_file [json-pointer:/blocks/0]
an image without alt_text: missing required field: alt_text [json-pointer:/blocks/0]
markdown in a modal: unsupported type: markdown [json-pointer:/view/blocks/0]
an alert in a message: unsupported type: alert [json-pointer:/blocks/0]
two tables: only one table allowed [json-pointer:/blocks]
101 rows: no more than 100 items allowed [json-pointer:/blocks/0/rows]
21 cells: no more than 20 items allowed [json-pointer:/blocks/0/rows/0]
uneven rows: must have the same number of cells in every row [json-pointer:/blocks/0/rows]
a header row in rich text: must not be rich_text in the header row [json-pointer:/blocks/0/rows/0/0]
focus in a message: focus_on_load is for views only [json-pointer:/blocks]
a lone surrogate: must be well-formed Unicode (it has a lone surrogate) [json-pointer:/blocks/0/text/text]
a long title: must be less than 25 characters [json-pointer:/view/title/text]
a view without title: missing required field: title [json-pointer:/view]
a view without type: unsupported type: none [json-pointer:/view]
an unknown view field: invalid additional property: submit_disabled [json-pointer:/view]
inputs without submit: missing required field: submit (the view has an input block) [json-pointer:/view]
a title on Home: invalid additional property: title [json-pointer:/view]
long private_metadata: must be less than 3001 characters [json-pointer:/view/private_metadata]
101 blocks: no more than 100 items allowed [json-pointer:/view/blocks]
two focused: only one element may have focus_on_load [json-pointer:/view/blocks]
a suggestion without options: must have exactly one of options and option_groups [json-pointer:]
101 suggestions: no more than 100 items allowed [json-pointer:/options]
`.trim();

describe('what Slack refuses', () => {
  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    'nothing to show': validateMessage({}),
    'a long section': message(section(long(3001))),
    'an empty text': message(section('')),
    'a text of blanks': validateMessage({ text: ' \n\t' }),
    'an attachment with nothing in it': validateMessage({ attachments: [{}, { color: '#fff' }] }),
    'blocks of blanks': message(
      section(' \n'),
      { type: 'header', text: plain(' ') },
      actions(button({ text: plain('\t') })),
    ),
    ...Object.fromEntries(
      ['foo:bar', 'data:image/png;base64,AAAA', 'https://', 'cat.png', 'https://e.com/a b.png'].map((url) => [
        `a picture at ${url}`,
        message({ ...image, image_url: url }, { ...section('s'), accessory: { ...image, image_url: url } }),
      ]),
    ),
    ...Object.fromEntries(
      ['javascript:alert(1)', 'data:text/html,x', 'e.com'].map((url) => [
        `a button to ${url}`,
        modal(actions(button({ url }))),
      ]),
    ),
    'a link of rich text that runs something': message({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'javascript:alert(1)' }] }],
    }),
    ...Object.fromEntries(
      ['static_select', 'radio_buttons', 'checkboxes'].map((type) => [
        `values of ${type} that repeat`,
        modal(input({ type, options: [option('a'), option('b'), { text: plain('other'), value: 'a' }] })),
      ]),
    ),
    'values that repeat in an overflow menu, and over groups': message(
      actions(
        { type: 'overflow', options: [option('a'), option('a')] },
        {
          type: 'static_select',
          option_groups: ['G', 'H'].map((name) => ({ label: plain(name), options: [option('a')] })),
        },
      ),
    ),
    'suggestions whose values repeat': validateSuggestion({ options: [option('a'), option('a')] }),
    'a long field': message({ type: 'section', fields: [mrkdwn(long(2001))] }),
    'eleven fields': message({ type: 'section', fields: many(11, mrkdwn('f')) }),
    'an empty section': message({ type: 'section' }),
    'a header in mrkdwn': message({ type: 'header', text: mrkdwn('h') }),
    'emoji on mrkdwn': message({ type: 'section', text: { ...mrkdwn('m'), emoji: true } }),
    'an unknown block': message({ type: 'banner' }),
    'a file block': message({ type: 'file', source: 'remote', external_id: 'x' }),
    'no block': message(null),
    'an unknown field': message({ type: 'divider', colour: 'red' }),
    '51 blocks': message(...many(51, divider())),
    'a repeated block_id': message(divider({ block_id: 'a' }), divider({ block_id: 'a' })),
    'a repeated action_id': message(actions(button({ action_id: 'a' }), button({ action_id: 'a' }))),
    'a long block_id': message(divider({ block_id: long(256) })),
    '26 buttons': message(actions(...many(26, button()))),
    'no buttons': message(actions()),
    'eleven context elements': message({ type: 'context', elements: many(11, plain('c')) }),
    'a long button text': message(actions(button({ text: plain(long(76)) }))),
    'a long button value': message(actions(button({ value: long(2001) }))),
    'a button style': message(actions(button({ style: 'green' }))),
    'a long confirm text': message(actions(button({ confirm: { ...confirm, text: plain(long(301)) } }))),
    '101 options': modal(select({ options: options(101) })),
    'a long option': modal(select({ options: [{ text: plain(long(76)), value: 'v' }] })),
    'a long option value': modal(select({ options: [{ text: plain('t'), value: long(76) }] })),
    'mrkdwn in a menu': modal(select({ options: [{ text: mrkdwn('t'), value: 'v' }] })),
    'a url outside overflow': modal(select({ options: [{ ...option('a'), url: 'https://e.com' }] })),
    'a stranger as initial option': modal(select({ options: options(2), initial_option: option('o9') })),
    'an initial option that differs': modal(
      select({ options: options(2), initial_option: { ...option('o1'), description: plain('d') } }),
    ),
    'options and groups': modal(
      select({ options: options(1), option_groups: [{ label: plain('g'), options: options(1) }] }),
    ),
    'eleven radio buttons': modal(input({ type: 'radio_buttons', options: options(11) })),
    'six overflow options': message(actions({ type: 'overflow', options: options(6) })),
    'an overflow as input': modal(input({ type: 'overflow', options: options(2) })),
    'a button as input': modal(input(button())),
    'an input element in actions': message(actions({ type: 'plain_text_input' })),
    'an input without label': modal({ type: 'input', element: { type: 'plain_text_input' } }),
    'a label in mrkdwn': modal({ ...typing(), label: mrkdwn('l') }),
    'a long placeholder': modal(typing({ placeholder: plain(long(151)) })),
    'crossed lengths': modal(typing({ min_length: 3, max_length: 2 })),
    'a length above 3,000': modal(typing({ max_length: 3001 })),
    'an initial value that is too long': modal(typing({ max_length: 2, initial_value: 'abc' })),
    'a number input that does not say': modal(input({ type: 'number_input' })),
    'a date that is none': modal(input({ type: 'datepicker', initial_date: '31.01.2026' })),
    'a file in a message': message(input({ type: 'file_input' })),
    'eleven files': modal(input({ type: 'file_input', max_files: 11 })),
    'an image without source': message({ type: 'image', alt_text: 'a' }),
    'an image without alt_text': message({ type: 'image', image_url: 'https://e.com/a.png' }),
    'markdown in a modal': modal({ type: 'markdown', text: 'm' }),
    'an alert in a message': message({ type: 'alert', text: plain('a') }),
    'two tables': message(tableOf([cell('a')]), tableOf([cell('a')])),
    '101 rows': message(tableOf(...many(101, [cell('a')]))),
    '21 cells': message(tableOf(many(21, cell('a')))),
    'uneven rows': message({ type: 'data_table', caption: 'c', rows: [[cell('a')], [cell('a'), cell('b')]] }),
    'a header row in rich text': message({
      type: 'data_table',
      caption: 'c',
      rows: [[richText], [cell('a')]],
    }),
    'focus in a message': message(typing({ focus_on_load: true })),
    'a lone surrogate': message(section('a\ud800')),
    'a long title': validateView(modalOf([], { title: plain(long(25)) })),
    'a view without title': validateView({ type: 'modal', blocks: [] }),
    'a view without type': validateView({ blocks: [] }),
    'an unknown view field': validateView(modalOf([], { submit_disabled: true })),
    'inputs without submit': validateView({ type: 'modal', title: plain('T'), blocks: [typing()] }),
    'a title on Home': validateView({ type: 'home', title: plain('T'), blocks: [] }),
    'long private_metadata': validateView(modalOf([], { private_metadata: long(3001) })),
    '101 blocks': modal(...many(101, divider())),
    'two focused': modal(...[1, 2].map(() => typing({ focus_on_load: true }))),
    'a suggestion without options': validateSuggestion({}),
    '101 suggestions': validateSuggestion({ options: options(101) }),
  };

  it('each of these, in these words', () => {
    const said = Object.entries(REFUSED).map(([what, problems]) => `${what}: ${problems.join('; ')}`);
    expect(said.join('\n')).toBe(SAID);
  });

  it('a chart whose series have no name or point of their own, and a card of four buttons or two icons', () => {
    const chart = (...series: readonly object[]) => ({
      type: 'data_visualization',
      title: 'V',
      chart: { type: 'bar', series, axis_config: { categories: ['a', 'b'] } },
    });
    const series = (name: string, ...labels: readonly string[]) => ({
      name,
      data: labels.map((label) => ({ label, value: 1 })),
    });
    const icons = { icon: image, slack_icon: { type: 'icon', name: 'rocket' } };
    expect(message(chart(series('One', 'a', 'b'), series('Two', 'b', 'a')))).toEqual([]);
    const refused = [
      chart(series('One', 'a', 'b'), series('One', 'a', 'b')),
      chart(series('One', 'a')),
      chart(series('One', 'a', 'a')),
      { type: 'card', actions: many(4, button()) },
      { type: 'card', title: mrkdwn('T'), ...icons },
    ];
    expect(refused.flatMap((one) => message(one))).toEqual([
      'must have another name for each series [json-pointer:/blocks/0/chart/series]',
      'must have a point for each category [json-pointer:/blocks/0/chart]',
      'must have a point for each category [json-pointer:/blocks/0/chart]',
      'no more than 3 items allowed [json-pointer:/blocks/0/actions]',
      'must have no more than one of icon and slack_icon [json-pointer:/blocks/0]',
    ]);
  });

  it('more than 12,000 characters in all blocks together', () => {
    const blocks = Array.from({ length: 5 }, () => section(long(2401)));
    expect(message(...blocks)).toEqual([
      'msg_blocks_too_long: 12005 characters of text, no more than 12000 allowed [json-pointer:/blocks]',
    ]);
  });

  it('a view of more than 250 KB', () => {
    const wide = Array.from({ length: 100 }, () => section(long(2600)));
    const view = modalOf(wide);
    const bytes = Buffer.byteLength(JSON.stringify(view));
    expect(validateView(view)).toEqual([
      `view_too_large: ${bytes} bytes, no more than 256000 allowed [json-pointer:/view]`,
    ]);
  });

  it('blocks of attachments, too', () => {
    const attachments = [{ blocks: [section('')] }];
    expect(validateMessage({ text: 't', attachments })).toEqual([
      'must be more than 0 characters [json-pointer:/attachments/0/blocks/0/text/text]',
    ]);
  });
});
