import { table } from '../table.ts';
import { brokenRules, buttonForm, changed, FROM, listForm, type Values } from './interactive-samples.ts';

/* Every rule of an interactive message, each broken alone and, where it is a limit, kept exactly. */

const BUTTON = 'interactive.action.buttons.0.reply';
const ROW = 'interactive.action.sections.0.rows.0';
const SECTION = 'interactive.action.sections.0';
export const of = (length: number): string => 'x'.repeat(length);
export const tooLong = (label: string, most: number) =>
  `${label} has ${most + 1} characters; at most ${most} are possible (an emoji counts as two or more). Shorten it by 1.`;

/** Each text with a limit: where, how it is called, how long it may be. */
export const LIMITED: readonly [form: () => Values, path: string, label: string, most: number][] = [
  [buttonForm, 'interactive.body.text', 'Text', 1024],
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
const mediaForm = (type: string, media: object) => () =>
  changed(buttonForm(), HEADER, { type, [type]: media });
const BY_ID = { link: null, provider: { name: null }, id: '4711' };
const BY_LINK = { link: 'https://files.example/a.png', provider: { name: 'files' }, id: null };
const imageForm = mediaForm('image', BY_LINK);
const videoForm = mediaForm('video', BY_ID);
const documentForm = mediaForm('document', { ...BY_ID, filename: 'may.pdf' });
const buttons = (...titles: string[]) => titles.map((title) => ({ reply: { title, id: null } }));
const rows = (count: number) => Array.from({ length: count }, (_none, index) => ({ title: `Row ${index}` }));
const sections = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ title: `S${index}`, rows: rows(1) }));
const json = JSON.stringify;
const EITHER = 'Give either the image’s id, or its URL and provider, not both.';
const LIST_HEADER =
  'A list message takes a text header or none. Choose one of these, or the type Reply buttons.';

export const BROKEN = brokenRules(
  { button: buttonForm, list: listForm, image: imageForm, video: videoForm, document: documentForm },
  table`
button | interactive.type = "poll" | Choose reply buttons or a list.
button | interactive.body.text = " " | Enter the text of the message.
button | interactive.body.text = "a\uD83D" | Text contains half of a character, often a cut emoji. Delete it and type it again.
button | interactive.header.type = "audio" | The header is one of none, text, image, video, document.
list | interactive.header.text = null | Enter the header’s text, or choose no header.
list | interactive.header.text = "Our *best* slots" | Header text is formatted with markdown (*…*), and it must be plain text. Remove the marks.
list | interactive.header.text = "a\nb" | Header text must be one line, without line breaks.
list | interactive.header = { "type": "image", "image": { "id": "1" } } | interactive.header.type | ${LIST_HEADER}
image | interactive.header.image.link = null | Enter the image’s URL, or its id below.
image | interactive.header.image.id = "4711" | ${EITHER}
image | interactive.header.image = { "id": "4711", "provider": { "name": "files" } } | interactive.header.image.id | ${EITHER}
image | interactive.header.image = { "id": "4711", "link": "https://files.example/a.png" } | interactive.header.image.id | ${EITHER}
image | interactive.header.image.provider.name = "a\nb" | Provider name must be one line, without line breaks.
image | interactive.header.image.link = "ftp://files.example/a.png" | Image URL must start with http:// or https://.
image | interactive.header.image.link = "https://files.example/a.gif" | Image URL must lead to an image whose name ends in .jpg, .jpeg or .png.
video | interactive.header.video.id = "a\nb" | Video id must be one line, without line breaks.
video | interactive.header.video.id = null | interactive.header.video.link | Enter the video’s URL, or its id below.
document | interactive.header.document.filename = null | Enter the document’s file name, such as invoice.pdf.
button | interactive.action.buttons = [] | ${BUTTON}.title | Enter the title of this button, or remove the button.
button | interactive.action.buttons = ${json(buttons('A', 'B', 'C', 'D'))} | A message has 1 to 3 buttons. Remove those that are too many.
button | ${BUTTON}.title = "" | Enter the title of this button, or remove the button.
button | ${BUTTON}.title = "a\nb" | Button 1 title must be one line, without line breaks.
button | ${BUTTON}.title = "Yes 👍🏽" | Button 1 title has an emoji (👍), and none may stand here. Remove it.
button | ${BUTTON}.title = "_Yes_" | Button 1 title is formatted with markdown (_…_), and it must be plain text. Remove the marks.
button | interactive.action.buttons.2.reply.title = "Yes" | Button 1 has this title. Every button needs its own.
button | interactive.action.buttons.2.reply.title = "Ye\u200fs" | Button 1 has this title. Every button needs its own.
button | interactive.action.buttons = ${json(buttons('Café', 'Cafe\u0301'))} | interactive.action.buttons.1.reply.title | Button 1 has this title. Every button needs its own.
button | interactive.action.buttons.2.reply.id = "no-thanks" | Button 2 has this id. Every button needs its own.
list | interactive.action.button = null | Enter what stands on the button that opens the list.
list | interactive.action.sections = [] | ${ROW}.title | Enter the title of this row, or remove the row.
list | interactive.action.sections = ${json(sections(11))} | A list has 1 to 10 sections. Remove those that are too many.
list | ${SECTION}.title = null | Enter a title: a list with more than one section needs one for each.
list | ${SECTION}.id = "tomorrow" | interactive.action.sections.1.id | Section 1 has this id. Every section needs its own.
list | interactive.action.sections.1.rows.0.id = "today-evening" | Row 1.2 has this id. Every row needs its own.
list | ${SECTION}.rows = ${json(rows(10))} | interactive.action.sections.1.rows.0.title | A list has at most 10 rows in all; this is one too many. Remove 1.
list | ${SECTION}.rows = ${json(rows(11))} | A list has at most 10 rows in all. Remove those that are too many.
button | to = "${FROM}" | This is the number that sends the message. Enter the recipient’s number.`,
);

export const TAKEN: readonly [what: string, form: Values][] = [
  ['three buttons', buttonForm()],
  ['one button', changed(buttonForm(), 'interactive.action.buttons', buttons('Yes'))],
  ['a list', listForm()],
  ['a list with no header', changed(listForm(), HEADER, { type: 'none' })],
  ['a video by link', changed(videoForm(), `${HEADER}.video`, { link: 'https://files.example/a.gif' })],
  ['one section without a title', changed(listForm(), 'interactive.action.sections', [{ rows: rows(10) }])],
  ['ten sections of a row', changed(listForm(), 'interactive.action.sections', sections(10))],
  ['emoji in header, and markdown in body and footer', listForm()],
  ['a title of one character', changed(buttonForm(), `${BUTTON}.title`, '好')],
  ['digits, # and * in a title', changed(buttonForm(), `${BUTTON}.title`, '2 * 3 #1 snake_case')],
  ['an image by link', imageForm()],
  ['a video by id', videoForm()],
  ['a document by id', documentForm()],
];
