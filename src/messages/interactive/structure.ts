import {
  type Arrangeable,
  type Control,
  type ControlGroup,
  controlsOfEntries,
  entryControls,
} from '../form/arrangement.ts';
import { read, readList } from '../form/partial-values.ts';
import { INTERACTIVE_LIMITS } from '../limits.ts';
import type { InteractiveAction, InteractiveHeader } from './message.ts';

export const INTERACTIVE_TYPES = ['button', 'list'] as const satisfies readonly InteractiveAction['type'][];
export const HEADER_TYPES = ['none', 'text', 'image', 'video', 'document'] as const;
export type HeaderType = 'none' | InteractiveHeader['type'];

const BUTTONS = 'interactive.action.buttons';
const SECTIONS = 'interactive.action.sections';

/** Which fields an interactive form has. */
export type InteractiveStructure = ReturnType<typeof interactiveStructure>;

/** Derived from a form's unchecked values; entries over the limits have no fields and are refused by the form. */
export function interactiveStructure(entered: unknown) {
  const type = read(entered, 'interactive', 'type');
  const action = read(entered, 'interactive', 'action');
  const sections = readList(action, 'sections').slice(0, INTERACTIVE_LIMITS.sections);
  const buttons = read(action, 'buttons');
  return {
    type: INTERACTIVE_TYPES.find((one) => one === type) ?? ('button' as const),
    header: headerTypeIn(read(entered, 'interactive')),
    // None only where the form holds an empty list of them.
    buttons: Array.isArray(buttons) ? Math.min(buttons.length, INTERACTIVE_LIMITS.buttons) : 1,
    // The number of rows of each.
    sections: sections.length === 0 ? [1] : sections.map(rowsOf),
    // Otherwise Herald makes them.
    ids: hasIds(action),
  };
}

/** True once a place for an id is there, even an empty one. */
function hasIds(action: unknown): boolean {
  const buttons = readList(action, 'buttons').map((button) => read(button, 'reply'));
  const sections = readList(action, 'sections');
  const choices = [...buttons, ...sections, ...sections.flatMap((section) => readList(section, 'rows'))];
  return choices.some((choice) => read(choice, 'id') !== undefined);
}

/** @param frame what a form holds at the header's parent */
export function headerTypeIn(frame: unknown): HeaderType {
  const type = read(frame, 'header', 'type');
  return HEADER_TYPES.find((one) => one === type) ?? 'none';
}

/** How many rows of a section have fields: one at least. */
function rowsOf(section: unknown): number {
  return Math.min(Math.max(readList(section, 'rows').length, 1), INTERACTIVE_LIMITS.rows);
}

/** Buttons, sections and rows are added, removed and moved. */
export const INTERACTIVE_PARTS: Arrangeable = {
  help: 'Below the preview you see how many characters each field has left; an emoji takes two or more. Only the text may have markdown, and reply buttons have no emoji. With several sections, each needs a title. Ids come back when the customer taps; left empty, Herald makes them.',
  roots: ['interactive'],
  controls: (entered) => {
    const structure = interactiveStructure(entered);
    return structure.type === 'button' ? buttonControls(structure) : sectionControls(structure);
  },
  blank: (path) => (path === SECTIONS ? { rows: [{}] } : {}),
};

/** Makes place for a first id, after which there is one for each. */
function idsControl({ ids }: InteractiveStructure, path: string): readonly Control[] {
  return ids ? [] : [{ does: 'open', path, label: 'Set ids myself' }];
}

function buttonControls(structure: InteractiveStructure): readonly ControlGroup[] {
  const count = structure.buttons;
  const entries = controlsOfEntries(BUTTONS, count, (number) => `button ${number}`, 1);
  const left = INTERACTIVE_LIMITS.buttons - count;
  const add = { does: 'add' as const, path: BUTTONS, label: `Add a button (${left} left)` };
  const ids = idsControl(structure, `${BUTTONS}.0.reply.id`);
  return [...entries, { after: BUTTONS, controls: [...(left > 0 ? [add] : []), ...ids] }];
}

function sectionControls(structure: InteractiveStructure): readonly ControlGroup[] {
  const { sections } = structure;
  const rowsLeft = INTERACTIVE_LIMITS.rows - sections.reduce((sum, rows) => sum + rows, 0);
  const sectionsLeft = INTERACTIVE_LIMITS.sections - sections.length;
  const perSection = sections.flatMap((rows, index): readonly ControlGroup[] => {
    const path = `${SECTIONS}.${index}`;
    const list = `${path}.rows`;
    const perRow = controlsOfEntries(list, rows, (number) => `row ${index + 1}.${number}`, 1);
    const label = `Add a row to section ${index + 1} (${rowsLeft} left)`;
    const add = { does: 'add' as const, path: list, label };
    const own = entryControls(SECTIONS, index, sections.length, `section ${index + 1}`, 1);
    return [...perRow, { after: path, controls: [...(rowsLeft > 0 ? [add] : []), ...own] }];
  });
  const add = { does: 'add' as const, path: SECTIONS, label: `Add a section (${sectionsLeft} left)` };
  // A new section begins with a row, so that it needs room for one.
  const more = rowsLeft > 0 ? [add] : [];
  const ids = idsControl(structure, `${SECTIONS}.0.rows.0.id`);
  return [...perSection, { after: SECTIONS, controls: [...more, ...ids] }];
}
