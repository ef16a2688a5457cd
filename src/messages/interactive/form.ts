import { z } from 'zod';
import { given } from '../../core/given.ts';
import { type FormSchema, field } from '../form/field.ts';
import { campaignNameOf, chatappSender, type FormContext, formSchema, group } from '../form/form.ts';
import { recipientField } from '../form/recipient.ts';
import type { Draft } from '../submission.ts';
import { actionFields } from './action.ts';
import { frameFields, frameOf } from './frame.ts';
import type { InteractiveAction, InteractiveMessage } from './message.ts';
import { INTERACTIVE_TYPES, interactiveStructure } from './structure.ts';

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
