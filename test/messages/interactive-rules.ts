import { buttonForm, changed, FROM, listForm, type Values } from './interactive-samples.ts';

/* Every rule of an interactive message, each broken alone and, where it is a limit, kept exactly. */

const BUTTON = 'interactive.action.buttons.0.reply';
const ROW = 'interactive.action.sections.0.rows.0';
const SECTION = 'interactive.action.sections.0';
export const of = (length: number): string => 'x'.repeat(length);
export const tooLong = (label: string, most: number) =>
  `${label} has ${most + 1} characters; at most ${most} are possible (an emoji counts as two or more). Shorten it by 1.`;

/** Each text with a limit: where, how it is called, how long it may be. */
export const LIMITED: readonly [form: () => Values, path: string, label: string, most: number][] = [
  [buttonForm, 'interactive.body.text', 'Body', 1024],
  [buttonForm, 'interactive.footer.text', 'Footer', 60],
  [listForm, 'interactive.header.text', 'Header text', 60],
  [buttonForm, `${BUTTON}.title`, 'Button 1 title', 20],
  [buttonForm, `${BUTTON}.id`, 'Button 1 id', 256],
  [listForm, 'interactive.action.button', 'List button', 20],
  [listForm, `${SECTION}.title`, 'Section 1 title', 24],
  [listForm, `${ROW}.title`, 'Row 1.1 title', 24],
  [listForm, `${ROW}.description`, 'Row 1.1 description', 72],
  [listForm, `${ROW}.id`, 'Row 1.1 id', 200],
];

const HEADER = 'interactive.header';
const imageForm = () =>
  changed(buttonForm(), HEADER, {
    type: 'image',
    image: { link: 'https://files.example/a.png', provider: { name: 'files' }, id: null },
  });
const videoForm = () =>
  changed(buttonForm(), HEADER, {
    type: 'video',
    video: { link: null, provider: { name: null }, id: '4711' },
  });
const documentForm = () =>
  changed(buttonForm(), HEADER, {
    type: 'document',
    document: { link: null, provider: { name: null }, id: '4711', filename: 'may.pdf' },
  });
const buttons = (...titles: string[]) => titles.map((title) => ({ reply: { title, id: null } }));
const rows = (count: number) => Array.from({ length: count }, (_none, index) => ({ title: `Row ${index}` }));
const LIST_HEADER =
  'A list message takes a text header or none. Choose one of these, or the type Reply buttons.';

/** One broken rule a line: the form, what is changed, and what is said where. */
export const BROKEN: readonly [rule: string, form: Values, path: string, sentence: string][] = [
  [
    'a type',
    changed(buttonForm(), 'interactive.type', 'poll'),
    'interactive.type',
    'Choose reply buttons or a list.',
  ],
  [
    'a body',
    changed(buttonForm(), 'interactive.body.text', ' '),
    'interactive.body.text',
    'Enter the text of the message.',
  ],
  [
    'a known header',
    changed(buttonForm(), `${HEADER}.type`, 'audio'),
    `${HEADER}.type`,
    'The header is one of none, text, image, video, document.',
  ],
  [
    'the header’s text',
    changed(listForm(), `${HEADER}.text`, null),
    `${HEADER}.text`,
    'Enter the header’s text, or choose no header.',
  ],
  [
    'no markdown in the header',
    changed(listForm(), `${HEADER}.text`, 'Our *best* slots'),
    `${HEADER}.text`,
    'Header text is formatted with markdown (*…*), and it must be plain text. Remove the marks.',
  ],
  [
    'no image above a list',
    changed(listForm(), HEADER, { type: 'image', image: { id: '1' } }),
    `${HEADER}.type`,
    LIST_HEADER,
  ],
  [
    'media from somewhere',
    changed(imageForm(), `${HEADER}.image.link`, null),
    `${HEADER}.image.link`,
    'Enter the image’s URL, or its id below.',
  ],
  [
    'a link or an id',
    changed(imageForm(), `${HEADER}.image.id`, '4711'),
    `${HEADER}.image.id`,
    'Give either the image’s id, or its URL and provider, not both.',
  ],
  [
    'an id or a provider',
    changed(changed(imageForm(), `${HEADER}.image.id`, '4711'), `${HEADER}.image.link`, null),
    `${HEADER}.image.id`,
    'Give either the image’s id, or its URL and provider, not both.',
  ],
  [
    'an id or a link',
    changed(changed(imageForm(), `${HEADER}.image.id`, '4711'), `${HEADER}.image.provider.name`, null),
    `${HEADER}.image.id`,
    'Give either the image’s id, or its URL and provider, not both.',
  ],
  [
    'a provider on one line',
    changed(imageForm(), `${HEADER}.image.provider.name`, 'a\nb'),
    `${HEADER}.image.provider.name`,
    'Provider name must be one line, without line breaks.',
  ],
  [
    'an id on one line',
    changed(videoForm(), `${HEADER}.video.id`, 'a\nb'),
    `${HEADER}.video.id`,
    'Video id must be one line, without line breaks.',
  ],
  [
    'a header on one line',
    changed(listForm(), `${HEADER}.text`, 'a\nb'),
    `${HEADER}.text`,
    'Header text must be one line, without line breaks.',
  ],
  [
    'whole characters in the body',
    changed(buttonForm(), 'interactive.body.text', 'a\uD83D'),
    'interactive.body.text',
    'Body contains half of a character, often a cut emoji. Delete it and type it again.',
  ],
  [
    'a title on one line',
    changed(buttonForm(), `${BUTTON}.title`, 'a\nb'),
    `${BUTTON}.title`,
    'Button 1 title must be one line, without line breaks.',
  ],
  [
    'http or https',
    changed(imageForm(), `${HEADER}.image.link`, 'ftp://files.example/a.png'),
    `${HEADER}.image.link`,
    'Image URL must start with http:// or https://.',
  ],
  [
    'a JPG, JPEG or PNG',
    changed(imageForm(), `${HEADER}.image.link`, 'https://files.example/a.gif'),
    `${HEADER}.image.link`,
    'Image URL must lead to an image whose name ends in .jpg, .jpeg or .png.',
  ],
  [
    'a video from somewhere',
    changed(videoForm(), `${HEADER}.video.id`, null),
    `${HEADER}.video.link`,
    'Enter the video’s URL, or its id below.',
  ],
  [
    'a file name',
    changed(documentForm(), `${HEADER}.document.filename`, null),
    `${HEADER}.document.filename`,
    'Enter the document’s file name, such as invoice.pdf.',
  ],
  [
    'a button',
    changed(buttonForm(), 'interactive.action.buttons', []),
    `${BUTTON}.title`,
    'Enter the title of this button, or remove the button.',
  ],
  [
    'three buttons at most',
    changed(buttonForm(), 'interactive.action.buttons', buttons('A', 'B', 'C', 'D')),
    'interactive.action.buttons',
    'A message has 1 to 3 buttons. Remove those that are too many.',
  ],
  [
    'a title on each button',
    changed(buttonForm(), `${BUTTON}.title`, ''),
    `${BUTTON}.title`,
    'Enter the title of this button, or remove the button.',
  ],
  [
    'titles of their own',
    changed(buttonForm(), 'interactive.action.buttons.2.reply.title', 'Yes'),
    'interactive.action.buttons.2.reply.title',
    'Button 1 has this title. Every button needs its own.',
  ],
  [
    'titles that look different',
    changed(
      changed(buttonForm(), `${BUTTON}.title`, 'Café'),
      'interactive.action.buttons.2.reply.title',
      'Cafe\u0301\u200f',
    ),
    'interactive.action.buttons.2.reply.title',
    'Button 1 has this title. Every button needs its own.',
  ],
  [
    'ids of their own',
    changed(buttonForm(), 'interactive.action.buttons.2.reply.id', 'no-thanks'),
    'interactive.action.buttons.2.reply.id',
    'Button 2 has this id. Every button needs its own.',
  ],
  [
    'no emoji on a button',
    changed(buttonForm(), `${BUTTON}.title`, 'Yes 👍🏽'),
    `${BUTTON}.title`,
    'Button 1 title has an emoji (👍), and none may stand here. Remove it.',
  ],
  [
    'no markdown on a button',
    changed(buttonForm(), `${BUTTON}.title`, '_Yes_'),
    `${BUTTON}.title`,
    'Button 1 title is formatted with markdown (_…_), and it must be plain text. Remove the marks.',
  ],
  [
    'a list button',
    changed(listForm(), 'interactive.action.button', null),
    'interactive.action.button',
    'Enter what stands on the button that opens the list.',
  ],
  [
    'a section with a row',
    changed(listForm(), 'interactive.action.sections', []),
    `${ROW}.title`,
    'Enter the title of this row, or remove the row.',
  ],
  [
    'ten sections at most',
    changed(
      listForm(),
      'interactive.action.sections',
      Array.from({ length: 11 }, (_none, index) => ({ title: `S${index}`, rows: rows(1) })),
    ),
    'interactive.action.sections',
    'A list has 1 to 10 sections. Remove those that are too many.',
  ],
  [
    'a title for each of two sections',
    changed(listForm(), `${SECTION}.title`, null),
    `${SECTION}.title`,
    'Enter a title: a list with more than one section needs one for each.',
  ],
  [
    'section ids of their own',
    changed(listForm(), `${SECTION}.id`, 'tomorrow'),
    'interactive.action.sections.1.id',
    'Section 1 has this id. Every section needs its own.',
  ],
  [
    'row ids of their own',
    changed(listForm(), 'interactive.action.sections.1.rows.0.id', 'today-evening'),
    'interactive.action.sections.1.rows.0.id',
    'Row 1.2 has this id. Every row needs its own.',
  ],
  [
    'ten rows in all',
    changed(listForm(), `${SECTION}.rows`, rows(10)),
    'interactive.action.sections.1.rows.0.title',
    'A list has at most 10 rows in all; this is one too many. Remove 1.',
  ],
  [
    'ten rows in one section',
    changed(listForm(), `${SECTION}.rows`, rows(11)),
    `${SECTION}.rows`,
    'A list has at most 10 rows in all. Remove those that are too many.',
  ],
  [
    'another number than the sender’s',
    changed(buttonForm(), 'to', FROM),
    'to',
    'This is the number that sends the message. Enter the recipient’s number.',
  ],
];

export const TAKEN: readonly [what: string, form: Values][] = [
  ['three buttons', buttonForm()],
  ['one button', changed(buttonForm(), 'interactive.action.buttons', buttons('Yes'))],
  ['a list', listForm()],
  ['a list with no header', changed(listForm(), HEADER, { type: 'none' })],
  ['a video by link', changed(videoForm(), `${HEADER}.video`, { link: 'https://files.example/a.gif' })],
  ['one section without a title', changed(listForm(), 'interactive.action.sections', [{ rows: rows(10) }])],
  [
    'ten sections of a row',
    changed(
      listForm(),
      'interactive.action.sections',
      Array.from({ length: 10 }, (_none, index) => ({ title: `S${index}`, rows: rows(1) })),
    ),
  ],
  ['emoji in header, and markdown in body and footer', listForm()],
  ['a title of one character', changed(buttonForm(), `${BUTTON}.title`, '好')],
  ['digits, # and * in a title', changed(buttonForm(), `${BUTTON}.title`, '2 * 3 #1 snake_case')],
  ['an image by link', imageForm()],
  ['a video by id', videoForm()],
  ['a document by id', documentForm()],
];
