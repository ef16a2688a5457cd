import { expect, it } from 'vitest';
import { interactiveText, spaceLeft } from '../../../src/messages/interactive/preview.ts';
import { buttonForm, changed, listForm } from '../interactive-samples.ts';

const lines = (...all: readonly string[]) => all.join('\n');
const header = (value: object) => changed(buttonForm(), 'interactive.header', value);
const frameOf = (entered: unknown) => interactiveText(entered).split('\n\n')[0];

it.each([
  ['nothing', undefined, lines('⟨text⟩', '', '[ ⟨button 1⟩ ]')],
  [
    'an empty list',
    { interactive: { type: 'list', header: { type: 'text' } } },
    lines('⟨header⟩', '', '⟨text⟩', '', '[ ☰ ⟨list button⟩ ]', '○ ⟨row 1⟩'),
  ],
  [
    'buttons',
    changed(
      changed(buttonForm(), 'interactive.action.buttons.1.reply.title', null),
      'interactive.body.text',
      'a\r\nb',
    ),
    lines('a', 'b', '', '[ Yes ]', '[ ⟨button 2⟩ ]', '[ Call me ]'),
  ],
  [
    'a list',
    changed(listForm(), 'interactive.action.sections.0.rows.1.title', ' '),
    lines(
      ...['Slots 🚚', '', 'Choose *a slot*.', '_Times are local._', '', '[ ☰ Choose ]'],
      ...['Today', '○ Morning – 9 to 12', '○ ⟨row 2⟩', 'Tomorrow', '○ Morning'],
    ),
  ],
])('shows %s', (_what, entered, text) => {
  expect(interactiveText(entered)).toBe(text);
});

it.each([
  [{ type: 'document', document: { filename: 'may.pdf', id: '1' } }, '[Document: may.pdf]'],
  [{ type: 'document' }, '[Document: ⟨file name⟩]'],
  [{ type: 'video', video: { id: '4711' } }, '[Video: 4711]'],
  [{ type: 'video', video: { link: 'https://files.example/a.mp4' } }, '[Video: https://files.example/a.mp4]'],
  [{ type: 'image' }, '[Image: ⟨link⟩]'],
])('shows the header %j', (value, line) => {
  expect(frameOf(header(value))).toBe(lines(line, 'Shall we deliver today?'));
});

it.each([
  ['nothing', undefined, 'text 1024 · footer 60 · button 1 20'],
  ['buttons', buttonForm(), 'text 1001 · footer 60 · button 1 17 · button 2 18 · button 3 13'],
  [
    'a list',
    listForm(),
    'header 52 · text 1008 · footer 42 · list button 14 · row 1.1 17 · row 1.2 17 · row 2.1 17',
  ],
  [
    'too much, with line breaks of Windows',
    changed(buttonForm(), 'interactive.body.text', 'a\r\n'.repeat(513)),
    'text -2 · footer 60 · button 1 17 · button 2 18 · button 3 13',
  ],
])('counts what is left for %s', (_what, entered, left) => {
  expect(spaceLeft(entered)).toBe(`Characters left: ${left}`);
});
