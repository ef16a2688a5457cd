import { z } from 'zod';
import { fail } from '../../core/result.ts';
import { type FormSchema, field } from '../form/field.ts';
import {
  chatappSender,
  type FormContext,
  formSchema,
  given,
  group,
  optional,
  type Read,
  readText,
  required,
} from '../form/form.ts';
import { recipientField, SENDER_IS_RECIPIENT } from '../form/recipient.ts';
import { INTERACTIVE_BODY_MAX_CHARACTERS, INTERACTIVE_FOOTER_MAX_CHARACTERS } from '../limits.ts';
import type { Draft } from '../submission.ts';
import { actionFields } from './action.ts';
import { headerFields, readHeaderText } from './header.ts';
import type { InteractiveAction, InteractiveMessage } from './message.ts';
import { lengthProblem } from './plain-title.ts';
import { INTERACTIVE_TYPES, interactiveStructure } from './structure.ts';

const BODY = 'Body';
const FOOTER = 'Footer';
const TYPE_LABELS = { button: 'Reply buttons', list: 'List' } as const satisfies Record<
  InteractiveAction['type'],
  string
>;

/** Text of several lines with emoji and markdown (interface document, "Interactive object"). */
export const readBody: Read<string> = (typed) => readLimited(typed, BODY, INTERACTIVE_BODY_MAX_CHARACTERS);
const readFooter: Read<string> = (typed) => readLimited(typed, FOOTER, INTERACTIVE_FOOTER_MAX_CHARACTERS);

function readLimited(typed: string, label: string, most: number) {
  const text = readText(label)(typed);
  if (!text.ok) return text;
  const problem = lengthProblem(text.value, label, most);
  return problem === undefined ? text : fail(problem);
}

/** The texts that may differ from recipient to recipient, by form path, each with its rule. */
export const INTERACTIVE_TEXTS: Readonly<Record<string, Read<string>>> = {
  'interactive.header.text': readHeaderText,
  'interactive.body.text': readBody,
  'interactive.footer.text': readFooter,
};

/**
 * The form of an interactive message; docs/wire.md row 11.
 *
 * In: `{interactive: {type, header: {type, …}, body: {text}, footer: {text?}, action}, to, from}`, where `action` is
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
    header: headerFields(structure),
    body: group({ text: bodyField() }),
    footer: group({ text: footerField() }),
    action: actionFields(structure),
  });
  const shape = { interactive, to: recipientField(context), from: chatappSender(context) };
  return formSchema(shape, ({ interactive: { header, body, footer, action }, to, from }, refuse) => {
    if (from === to) refuse(['to'], SENDER_IS_RECIPIENT);
    return {
      to,
      message: {
        kind: 'interactive',
        from,
        ...given('header', header),
        body: body.text,
        ...given('footer', footer.text),
        action: action(refuse),
      },
    };
  });
}

function bodyField() {
  return required(
    {
      label: BODY,
      input: 'multiline',
      hint: `1 to ${INTERACTIVE_BODY_MAX_CHARACTERS} characters; an emoji counts as two or more. Markdown is welcome.`,
      affectsPreview: true,
    },
    'Enter the text of the message.',
    readBody,
  );
}

function footerField() {
  return optional(
    {
      label: FOOTER,
      hint: `At most ${INTERACTIVE_FOOTER_MAX_CHARACTERS} characters; an emoji counts as two or more.`,
      affectsPreview: true,
    },
    readFooter,
  );
}
