import { z } from 'zod';
import { given } from '../../core/given.ts';
import {
  campaignNameOf,
  chatappSender,
  type Draft,
  type FormContext,
  type FormSchema,
  field,
  formSchema,
  group,
  optionalLine,
  readLine,
  required,
  requiredLine,
  sequence,
} from '../form/form.ts';
import { recipientField } from '../form/recipient.ts';
import { INTERACTIVE_LIMITS } from '../limits.ts';
import { checkRepeats, madeOf, type Read, type Refuse } from '../transforms.ts';
import { frameFields, frameOf } from './frame.ts';
import {
  type InteractiveAction,
  type InteractiveMessage,
  idFrom,
  type ListSection,
  sectionId,
  takeFreeId,
} from './message.ts';
import { atMost, emojiProblem, markdownProblem } from './plain-title.ts';
import { INTERACTIVE_TYPES, type InteractiveStructure, interactiveStructure } from './structure.ts';

function actionFields(structure: InteractiveStructure): z.ZodType<InteractiveAction> {
  return structure.type === 'button'
    ? buttonsGroup(structure).transform(madeOf(buttonsOf))
    : sectionsGroup(structure).transform(madeOf(listOf));
}

/** The leaf `id`, where the form asks for it. */
function idField({ ids }: InteractiveStructure, label: string, most: number) {
  const asked = ids ? { id: optionalLine({ label }, atMost(most)) } : {};
  return asked as { readonly id: ReturnType<typeof optionalLine> };
}

function buttonsGroup(structure: InteractiveStructure) {
  const leaves = Array.from({ length: structure.buttons }, (_none, index) =>
    buttonFields(structure, index + 1),
  );
  const tooMany = `A message has 1 to ${INTERACTIVE_LIMITS.buttons} buttons. Remove those that are too many.`;
  return group({ buttons: sequence(leaves, tooMany) });
}

/** What stands on a reply button. */
export function buttonTitle(label: string): Read<string> {
  return readLine(label, atMost(INTERACTIVE_LIMITS.buttonTitle), emojiProblem, markdownProblem);
}

function buttonFields(structure: InteractiveStructure, number: number) {
  const label = `Button ${number} title`;
  const title = required(
    { label, affectsPreview: true },
    'Enter the title of this button, or remove the button.',
    buttonTitle(label),
  );
  const id = idField(structure, `Button ${number} id`, INTERACTIVE_LIMITS.buttonId);
  return group({ reply: group({ title, ...id }) });
}

function sectionsGroup(structure: InteractiveStructure) {
  const button = requiredLine(
    { label: 'List button', affectsPreview: true },
    'Enter what stands on the button that opens the list.',
    atMost(INTERACTIVE_LIMITS.listButton),
  );
  const leaves = structure.sections.map((rows, index) => sectionFields(structure, index + 1, rows));
  const tooMany = `A list has 1 to ${INTERACTIVE_LIMITS.sections} sections. Remove those that are too many.`;
  return group({ button, sections: sequence(leaves, tooMany) });
}

function sectionFields(structure: InteractiveStructure, number: number, rowCount: number) {
  const rows = Array.from({ length: rowCount }, (_none, index) =>
    rowFields(structure, `${number}.${index + 1}`),
  );
  const tooMany = `A list has at most ${INTERACTIVE_LIMITS.rows} rows in all. Remove those that are too many.`;
  return group({
    title: optionalLine(
      { label: `Section ${number} title`, affectsPreview: true },
      atMost(INTERACTIVE_LIMITS.sectionTitle),
    ),
    ...idField(structure, `Section ${number} id`, INTERACTIVE_LIMITS.rowId),
    rows: sequence(rows, tooMany),
  });
}

function rowFields(structure: InteractiveStructure, number: string) {
  return group({
    title: requiredLine(
      { label: `Row ${number} title`, affectsPreview: true },
      'Enter the title of this row, or remove the row.',
      atMost(INTERACTIVE_LIMITS.rowTitle),
    ),
    description: optionalLine(
      { label: `Row ${number} description`, affectsPreview: true },
      atMost(INTERACTIVE_LIMITS.rowDescription),
    ),
    ...idField(structure, `Row ${number} id`, INTERACTIVE_LIMITS.rowId),
  });
}

type ButtonsAction = z.output<ReturnType<typeof buttonsGroup>>;
type ListAction = z.output<ReturnType<typeof sectionsGroup>>;

/** The buttons with an id each. Titles and ids must be unique. */
function buttonsOf({ buttons }: ButtonsAction, refuse: Refuse): InteractiveAction {
  const titles = buttons.map(({ reply }) => looks(reply.title));
  const ids = buttons.map(({ reply }) => reply.id);
  for (const [key, texts] of Object.entries({ title: titles, id: ids }))
    checkRepeats(texts, (index, first) =>
      refuse(
        ['buttons', index, 'reply', key],
        `Button ${first + 1} has this ${key}. Every button needs its own.`,
      ),
    );
  const taken = new Set(ids.flatMap((id) => id ?? []));
  const choices = buttons.map(({ reply: { title, id } }) => ({
    ...identified(id, title, 'button', taken),
    title,
  }));
  return { type: 'button', buttons: choices };
}

/** The same for titles that look the same. */
function looks(title: string): string {
  return title.normalize().replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** The sections with an id each. Ids must be unique; more than one section needs titles; ten rows in all. */
function listOf({ button, sections }: ListAction, refuse: Refuse): InteractiveAction {
  const rows = sections.flatMap((section, index) =>
    section.rows.map(({ id }, place) => ({
      id,
      name: `${index + 1}.${place + 1}`,
      path: ['sections', index, 'rows', place],
    })),
  );
  const sectionIds = sections.map(({ id }) => id);
  checkRepeats(sectionIds, (index, first) =>
    refuse(['sections', index, 'id'], `Section ${first + 1} has this id. Every section needs its own.`),
  );
  const untitled = 'Enter a title: a list with more than one section needs one for each.';
  for (const [index, { title }] of sections.entries())
    if (sections.length > 1 && title === undefined) refuse(['sections', index, 'title'], untitled);
  const rowIds = rows.map(({ id }) => id);
  checkRepeats(rowIds, (index, first) => {
    const said = `Row ${rows[first]?.name} has this id. Every row needs its own.`;
    refuse([...(rows[index]?.path ?? []), 'id'], said);
  });
  const surplus = rows[INTERACTIVE_LIMITS.rows];
  if (surplus)
    refuse(
      [...surplus.path, 'title'],
      `A list has at most ${INTERACTIVE_LIMITS.rows} rows in all; this is one too many. Remove ${rows.length - INTERACTIVE_LIMITS.rows}.`,
    );
  return { type: 'list', button, sections: withIds(sections) };
}

function withIds(sections: ListAction['sections']): readonly ListSection[] {
  const sectionIds = new Set(sections.flatMap(({ id }) => id ?? []));
  const rowIds = new Set(sections.flatMap(({ rows }) => rows.flatMap(({ id }) => id ?? [])));
  return sections.map(({ id, title, rows }, index) => ({
    id: id ?? takeFreeId(sectionId(index), sectionIds),
    ...given({ title }),
    rows: rows.map((row) => ({
      ...identified(row.id, row.title, 'row', rowIds),
      title: row.title,
      ...given({ description: row.description }),
    })),
  }));
}

function identified(id: string | undefined, title: string, otherwise: string, taken: Set<string>) {
  return id === undefined
    ? { id: takeFreeId(idFrom(title, otherwise), taken), proposed: true }
    : { id, proposed: false };
}

const TYPE_LABELS = { button: 'Reply buttons', list: 'List' } as const satisfies Record<
  InteractiveAction['type'],
  string
>;

/**
 * By the interface document’s "Interactive object" and the list limits of docs/wire.md. How many buttons, sections and rows have
 * fields follows from `context.entered`.
 */
export function interactiveForm(context: FormContext): FormSchema<Draft<InteractiveMessage>> {
  const entered = interactiveStructure(context.entered);
  const fewest = context.terms?.plainText ? 0 : 1;
  const structure = { ...entered, buttons: Math.max(entered.buttons, fewest) };
  const interactive = group({
    type: z
      .enum(INTERACTIVE_TYPES, 'Choose reply buttons or a list.')
      .meta(field({ label: 'Type', optionLabels: TYPE_LABELS, initial: structure.type, reshapes: true })),
    ...frameFields(structure),
    action: actionFields(structure),
  });
  const shape = {
    interactive,
    to: recipientField(context),
    from: chatappSender(context),
    ...campaignNameOf(context, 'interactive'),
  };
  return formSchema(shape, ({ interactive: { action, ...frame }, to, from, campaignName }) => {
    const message = { kind: 'interactive', from, ...frameOf(frame), action } as const;
    return { to, message: { ...message, ...given({ campaignName }) } };
  });
}
