import { z } from 'zod';
import { given } from '../../core/given.ts';
import {
  campaignNameOf,
  chatappSender,
  type FormContext,
  type FormSchema,
  field,
  formSchema,
  group,
  optional,
  readLine,
  required,
  sequence,
} from '../form/form.ts';
import { recipientField } from '../form/recipient.ts';
import {
  BUTTON_ID_MAX_CHARACTERS,
  BUTTON_TITLE_MAX_CHARACTERS,
  LIST_BUTTON_MAX_CHARACTERS,
  MOST_BUTTONS,
  MOST_ROWS,
  MOST_SECTIONS,
  ROW_DESCRIPTION_MAX_CHARACTERS,
  ROW_ID_MAX_CHARACTERS,
  ROW_TITLE_MAX_CHARACTERS,
  SECTION_TITLE_MAX_CHARACTERS,
} from '../limits.ts';
import type { Draft } from '../submission.ts';
import { checkRepeats, madeOf, type Refuse } from '../transforms.ts';
import { frameFields, frameOf } from './frame.ts';
import {
  type Choice,
  type InteractiveAction,
  type InteractiveMessage,
  idFrom,
  type ListSection,
  sectionId,
  takeFreeId,
} from './message.ts';
import { atMost, emojiProblem, markdownProblem } from './plain-title.ts';
import { INTERACTIVE_TYPES, type InteractiveStructure, interactiveStructure } from './structure.ts';

const ID_HINT =
  'Comes back when the customer taps it. If empty, Herald makes one from the title that also names the send.';

/**
 * `{buttons: [{reply: {title, id?}}…]}`, 1 to 3, or `{button, sections: [{id?, title?, rows: [{id?, title,
 * description?}…]}…]}`, 1 to 10 sections and ten rows in all, as the structure says.
 */
function actionFields(structure: InteractiveStructure): z.ZodType<InteractiveAction> {
  return structure.type === 'button'
    ? buttonsGroup(structure).transform(
        madeOf((fields, refuse) => ({ type: 'button', buttons: buttonsOf(fields, refuse) })),
      )
    : sectionsGroup(structure).transform(
        madeOf((fields, refuse) => ({
          type: 'list',
          button: fields.button,
          sections: sectionsOf(fields, refuse),
        })),
      );
}

/** The leaf `id`, where the form asks for it. */
function idField({ ids }: InteractiveStructure, label: string, hint: string, most: number) {
  const asked = ids ? { id: optional({ label, hint }, readLine(label, atMost(most))) } : {};
  return asked as { readonly id: ReturnType<typeof optional<string>> };
}

function buttonsGroup(structure: InteractiveStructure) {
  const leaves = Array.from({ length: structure.buttons }, (_none, index) =>
    buttonFields(structure, index + 1),
  );
  return group({
    buttons: sequence(leaves, `A message has 1 to ${MOST_BUTTONS} buttons. Remove those that are too many.`),
  });
}

function buttonFields(structure: InteractiveStructure, number: number) {
  const label = `Button ${number} title`;
  const title = required(
    {
      label,
      hint: `1 to ${BUTTON_TITLE_MAX_CHARACTERS} characters, unlike every other title; no emoji, no markdown.`,
      affectsPreview: true,
    },
    'Enter the title of this button, or remove the button.',
    readLine(label, atMost(BUTTON_TITLE_MAX_CHARACTERS), emojiProblem, markdownProblem),
  );
  const id = idField(structure, `Button ${number} id`, ID_HINT, BUTTON_ID_MAX_CHARACTERS);
  return group({ reply: group({ title, ...id }) });
}

function sectionsGroup(structure: InteractiveStructure) {
  const label = 'List button';
  const button = required(
    {
      label,
      hint: `What opens the list: 1 to ${LIST_BUTTON_MAX_CHARACTERS} characters; an emoji counts as two or more.`,
      affectsPreview: true,
    },
    'Enter what stands on the button that opens the list.',
    readLine(label, atMost(LIST_BUTTON_MAX_CHARACTERS)),
  );
  const leaves = structure.sections.map((rows, index) => sectionFields(structure, index + 1, rows));
  return group({
    button,
    sections: sequence(leaves, `A list has 1 to ${MOST_SECTIONS} sections. Remove those that are too many.`),
  });
}

function sectionFields(structure: InteractiveStructure, number: number, rowCount: number) {
  const titleLabel = `Section ${number} title`;
  const rows = Array.from({ length: rowCount }, (_none, index) =>
    rowFields(structure, `${number}.${index + 1}`),
  );
  const idHint = 'Unlike every other section’s. Left empty, Herald makes one.';
  return group({
    title: optional(
      {
        label: titleLabel,
        hint: `At most ${SECTION_TITLE_MAX_CHARACTERS} characters. Needed as soon as there are two sections.`,
        affectsPreview: true,
      },
      readLine(titleLabel, atMost(SECTION_TITLE_MAX_CHARACTERS)),
    ),
    ...idField(structure, `Section ${number} id`, idHint, ROW_ID_MAX_CHARACTERS),
    rows: sequence(rows, `A list has at most ${MOST_ROWS} rows in all. Remove those that are too many.`),
  });
}

function rowFields(structure: InteractiveStructure, number: string) {
  const titleLabel = `Row ${number} title`;
  const descriptionLabel = `Row ${number} description`;
  return group({
    title: required(
      {
        label: titleLabel,
        hint: `1 to ${ROW_TITLE_MAX_CHARACTERS} characters; an emoji counts as two or more.`,
        affectsPreview: true,
      },
      'Enter the title of this row, or remove the row.',
      readLine(titleLabel, atMost(ROW_TITLE_MAX_CHARACTERS)),
    ),
    description: optional(
      {
        label: descriptionLabel,
        hint: `At most ${ROW_DESCRIPTION_MAX_CHARACTERS} characters.`,
        affectsPreview: true,
      },
      readLine(descriptionLabel, atMost(ROW_DESCRIPTION_MAX_CHARACTERS)),
    ),
    ...idField(structure, `Row ${number} id`, ID_HINT, ROW_ID_MAX_CHARACTERS),
  });
}

type ButtonsAction = z.output<ReturnType<typeof buttonsGroup>>;
type ListAction = z.output<ReturnType<typeof sectionsGroup>>;

/** The buttons with an id each. Titles and ids must be unique. */
function buttonsOf({ buttons }: ButtonsAction, refuse: Refuse): readonly Choice[] {
  const path = (index: number, key: string) => ['buttons', index, 'reply', key];
  checkRepeats(
    buttons.map(({ reply }) => looks(reply.title)),
    (index, first) =>
      refuse(path(index, 'title'), `Button ${first + 1} has this title. Every button needs its own.`),
  );
  checkRepeats(
    buttons.map(({ reply }) => reply.id),
    (index, first) =>
      refuse(path(index, 'id'), `Button ${first + 1} has this id. Every button needs its own.`),
  );
  const taken = new Set(buttons.flatMap(({ reply }) => reply.id ?? []));
  return buttons.map(({ reply: { title, id } }) => ({ ...identified(id, title, 'button', taken), title }));
}

/** Returns the same text for titles that look the same. */
function looks(title: string): string {
  return title.normalize().replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** The sections with an id each. Ids must be unique; more than one section needs titles; ten rows in all. */
function sectionsOf({ sections }: ListAction, refuse: Refuse): readonly ListSection[] {
  const at = (...rest: readonly (string | number)[]) => ['sections', ...rest];
  checkRepeats(
    sections.map(({ id }) => id),
    (index, first) =>
      refuse(at(index, 'id'), `Section ${first + 1} has this id. Every section needs its own.`),
  );
  for (const [index, { title }] of sections.entries()) {
    if (sections.length > 1 && title === undefined)
      refuse(at(index, 'title'), 'Enter a title: a list with more than one section needs one for each.');
  }
  const rows = sections.flatMap((section, index) =>
    section.rows.map((row, place) => ({ ...row, name: `${index + 1}.${place + 1}`, index, place })),
  );
  checkRepeats(
    rows.map(({ id }) => id),
    (index, first) => {
      const row = rows[index];
      if (row)
        refuse(
          at(row.index, 'rows', row.place, 'id'),
          `Row ${rows[first]?.name} has this id. Every row needs its own.`,
        );
    },
  );
  const surplus = rows[MOST_ROWS];
  if (surplus) {
    refuse(
      at(surplus.index, 'rows', surplus.place, 'title'),
      `A list has at most ${MOST_ROWS} rows in all; this is one too many. Remove ${rows.length - MOST_ROWS}.`,
    );
  }
  return withIds(sections);
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
 * The form of an interactive message; docs/wire.md row 11.
 *
 * In: `{interactive: {type, header: {type, …}, body: {text}, footer: {text?}, action}, to, from,
 * campaignName?}`, where `action` is
 * `{buttons: [{reply: {title, id?}}]}` or `{button, sections: [{id?, title?, rows: [{id?, title, description?}]}]}`.
 * How many buttons, sections and rows have fields follows from `context.entered`. Out: the message and its recipient. Rules
 * are the interface document's "Interactive object" and the list limits of docs/wire.md.
 */
export function interactiveForm(context: FormContext): FormSchema<Draft<InteractiveMessage>> {
  const structure = interactiveStructure(context.entered);
  const interactive = group({
    type: z
      .enum(INTERACTIVE_TYPES, { error: 'Choose reply buttons or a list.' })
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
