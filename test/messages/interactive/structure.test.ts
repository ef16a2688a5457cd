import { expect, it } from 'vitest';
import { INTERACTIVE_PARTS, interactiveStructure } from '../../../src/messages/interactive/structure.ts';
import { buttonForm, changed, listForm, type Values } from '../interactive-samples.ts';

const BUTTONS = 'interactive.action.buttons';
const SECTIONS = 'interactive.action.sections';

/** Where controls stand and what they do: `after: does path, label`. */
function controlsOf(form: Values): readonly string[] {
  return INTERACTIVE_PARTS.controls(form).flatMap(({ after, controls }) =>
    controls.map(({ does, path, label }) => `${after}: ${does} ${path}, ${label}`),
  );
}

const titled = (count: number, more = {}) =>
  Array.from({ length: count }, () => ({ reply: { title: 'A', ...more } }));
const list = (...rows: readonly number[]) => ({
  interactive: {
    type: 'list',
    action: {
      sections: rows.map((count) => ({ rows: Array.from({ length: count }, () => ({ title: 'A' })) })),
    },
  },
});

it.each<[string, unknown, object]>([
  ['nothing', undefined, { type: 'button', header: 'none', buttons: 1, sections: [1], ids: false }],
  ['buttons', buttonForm(), { type: 'button', header: 'none', buttons: 3, sections: [1], ids: true }],
  ['a list', listForm(), { type: 'list', header: 'text', buttons: 1, sections: [2, 1], ids: true }],
  [
    'more than there is room for',
    changed(list(11, 0, ...Array(9).fill(1)), BUTTONS, titled(4)),
    { type: 'list', header: 'none', buttons: 3, sections: [10, 1, 1, 1, 1, 1, 1, 1, 1, 1], ids: false },
  ],
  [
    'types that nobody knows',
    { interactive: { type: 'poll', header: { type: 'audio' } } },
    { type: 'button', header: 'none', buttons: 1, sections: [1], ids: false },
  ],
])('reads from %s which fields there are', (_what, entered, expected) => {
  expect(interactiveStructure(entered)).toEqual(expected);
});

it.each([
  ['an empty id of a button', changed({}, BUTTONS, titled(1, { id: null })), true],
  ['the id of a section', changed({}, SECTIONS, [{ id: '' }]), true],
  ['the id of a row', changed({}, SECTIONS, [{}, { rows: [{}, { id: 'x' }] }]), true],
  ['no id', changed(changed({}, SECTIONS, [{ rows: [{ title: 'A' }] }]), BUTTONS, titled(1)), false],
])('asks for ids once there is a place for one: %s', (_what, entered, ids) => {
  expect(interactiveStructure(entered).ids).toBe(ids);
});

it('offers to add, move and remove buttons', () => {
  expect(controlsOf({})).toEqual([
    `${BUTTONS}: add ${BUTTONS}, Add a button (2 left)`,
    `${BUTTONS}: open ${BUTTONS}.0.reply.id, Set ids myself`,
  ]);
  expect(controlsOf(changed({}, BUTTONS, titled(2)))).toEqual([
    `${BUTTONS}.0: down ${BUTTONS}.0, Move button 1 down`,
    `${BUTTONS}.0: remove ${BUTTONS}.0, Remove button 1`,
    `${BUTTONS}.1: up ${BUTTONS}.1, Move button 2 up`,
    `${BUTTONS}.1: remove ${BUTTONS}.1, Remove button 2`,
    `${BUTTONS}: add ${BUTTONS}, Add a button (1 left)`,
    `${BUTTONS}: open ${BUTTONS}.0.reply.id, Set ids myself`,
  ]);
  expect(controlsOf(buttonForm()).at(-1)).toBe(`${BUTTONS}.2: remove ${BUTTONS}.2, Remove button 3`);
});

it('offers to add, move and remove sections and rows', () => {
  const [first, second] = [`${SECTIONS}.0`, `${SECTIONS}.1`];
  expect(controlsOf(list(2, 1))).toEqual([
    `${first}.rows.0: down ${first}.rows.0, Move row 1.1 down`,
    `${first}.rows.0: remove ${first}.rows.0, Remove row 1.1`,
    `${first}.rows.1: up ${first}.rows.1, Move row 1.2 up`,
    `${first}.rows.1: remove ${first}.rows.1, Remove row 1.2`,
    `${first}: add ${first}.rows, Add a row to section 1 (7 left)`,
    `${first}: down ${first}, Move section 1 down`,
    `${first}: remove ${first}, Remove section 1`,
    `${second}: add ${second}.rows, Add a row to section 2 (7 left)`,
    `${second}: up ${second}, Move section 2 up`,
    `${second}: remove ${second}, Remove section 2`,
    `${SECTIONS}: add ${SECTIONS}, Add a section (8 left)`,
    `${SECTIONS}: open ${SECTIONS}.0.rows.0.id, Set ids myself`,
  ]);
});

it('offers no room that is not there', () => {
  const added = (...rows: readonly number[]) =>
    controlsOf(list(...rows)).filter((one) => one.includes(': add '));
  expect(added(9)).toEqual([
    `${SECTIONS}.0: add ${SECTIONS}.0.rows, Add a row to section 1 (1 left)`,
    `${SECTIONS}: add ${SECTIONS}, Add a section (9 left)`,
  ]);
  expect(added(10)).toEqual([]);
  expect(added(10, 10)).toEqual([]);
  expect(added(...Array<number>(10).fill(1))).toEqual([]);
});

it('begins a section with one row, and everything else with nothing', () => {
  expect(INTERACTIVE_PARTS.blank(SECTIONS)).toEqual({ rows: [{}] });
  expect(INTERACTIVE_PARTS.blank(BUTTONS)).toEqual({});
});
