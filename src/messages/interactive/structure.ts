import { type Arrangeable, type Control, type ControlGroup, entryControls } from '../form/arrangement.ts';
import { read, readList } from '../form/partial-values.ts';
import { MOST_BUTTONS, MOST_ROWS, MOST_SECTIONS } from '../limits.ts';
import type { InteractiveAction, InteractiveHeader } from './message.ts';

export const INTERACTIVE_TYPES = ['button', 'list'] as const satisfies readonly InteractiveAction['type'][];
export const HEADER_TYPES = ['none', 'text', 'image', 'video', 'document'] as const;
export type HeaderType = 'none' | InteractiveHeader['type'];

const BUTTONS = 'interactive.action.buttons';
const SECTIONS = 'interactive.action.sections';

/** Which fields an interactive form has. */
export interface InteractiveStructure {
  readonly type: InteractiveAction['type'];
  readonly header: HeaderType;
  /** Number of buttons, at least 1. */
  readonly buttons: number;
  /** Number of rows by section; at least one section with one row. */
  readonly sections: readonly number[];
  /** Whether ids are asked for; otherwise Herald makes them. */
  readonly ids: boolean;
}

/** Derived from a form's unchecked values; entries over the limits have no fields and are refused by the form. */
export function interactiveStructure(entered: unknown): InteractiveStructure {
  const type = read(entered, 'interactive', 'type');
  const sections = readList(entered, 'interactive', 'action', 'sections').slice(0, MOST_SECTIONS);
  const buttons = readList(entered, 'interactive', 'action', 'buttons').length;
  return {
    type: INTERACTIVE_TYPES.find((one) => one === type) ?? 'button',
    header: headerTypeIn(read(entered, 'interactive')),
    buttons: Math.min(Math.max(buttons, 1), MOST_BUTTONS),
    sections: sections.length === 0 ? [1] : sections.map(rowsOf),
    ids: hasIds(read(entered, 'interactive', 'action')),
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

function rowsOf(section: unknown): number {
  return Math.min(Math.max(readList(section, 'rows').length, 1), MOST_ROWS);
}

/** Buttons, sections and rows are added, removed and moved. */
export const INTERACTIVE_PARTS: Arrangeable = {
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
  const entries = Array.from({ length: count }, (_none, index) => ({
    after: `${BUTTONS}.${index}`,
    controls: entryControls(BUTTONS, index, count, `button ${index + 1}`, 1),
  }));
  const left = MOST_BUTTONS - count;
  const add = { does: 'add' as const, path: BUTTONS, label: `Add a button (${left} left)` };
  const ids = idsControl(structure, `${BUTTONS}.0.reply.id`);
  return [...entries, { after: BUTTONS, controls: [...(left > 0 ? [add] : []), ...ids] }];
}

function sectionControls(structure: InteractiveStructure): readonly ControlGroup[] {
  const { sections } = structure;
  const rowsLeft = MOST_ROWS - sections.reduce((sum, rows) => sum + rows, 0);
  const sectionsLeft = MOST_SECTIONS - sections.length;
  const perSection = sections.flatMap((rows, index): readonly ControlGroup[] => {
    const path = `${SECTIONS}.${index}`;
    const perRow = Array.from({ length: rows }, (_none, row) => ({
      after: `${path}.rows.${row}`,
      controls: entryControls(`${path}.rows`, row, rows, `row ${index + 1}.${row + 1}`, 1),
    }));
    const add = {
      does: 'add' as const,
      path: `${path}.rows`,
      label: `Add a row to section ${index + 1} (${rowsLeft} left)`,
    };
    const own = entryControls(SECTIONS, index, sections.length, `section ${index + 1}`, 1);
    return [...perRow, { after: path, controls: [...(rowsLeft > 0 ? [add] : []), ...own] }];
  });
  const add = { does: 'add' as const, path: SECTIONS, label: `Add a section (${sectionsLeft} left)` };
  // A new section begins with a row, so that it needs room for one.
  const more = rowsLeft > 0 ? [add] : [];
  const ids = idsControl(structure, `${SECTIONS}.0.rows.0.id`);
  return [...perSection, { after: SECTIONS, controls: [...more, ...ids] }];
}
