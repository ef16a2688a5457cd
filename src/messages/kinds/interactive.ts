import { given } from '../../core/given.ts';
import { interactiveForm } from '../interactive/form.ts';
import { framed, frameValues } from '../interactive/frame.ts';
import {
  type Choice,
  type InteractiveMessage,
  sectionId,
  withReplyReference,
} from '../interactive/message.ts';
import { buttonLine, interactiveText, listButtonLine, spaceLeft } from '../interactive/preview.ts';
import { INTERACTIVE_PARTS } from '../interactive/structure.ts';
import { formatNumber } from '../numbers/phone-number.ts';
import { fact, type Kind } from './kind.ts';

export const interactive: Kind<InteractiveMessage, 'chatapp'> = {
  // What can be tapped comes back by its id and title, so it reads the same for everyone.
  ...framed<InteractiveMessage>('interactive.'),
  noun: 'an interactive message',
  title: 'Interactive message',
  purpose: 'Reply buttons or a list, to who wrote in the last 24 hours',
  command: { builds: 'a message with up to three reply buttons, or a list of up to ten rows.' },
  textValues: (button) => ({
    interactive: {
      type: 'button',
      action: { buttons: button === undefined ? [] : [{ reply: { title: button } }] },
    },
  }),
  parts: INTERACTIVE_PARTS,
  form: interactiveForm,
  formValues,
  preview: (value) => ({ text: interactiveText(value), spaceLeft: spaceLeft(value) }),
  facts: ({ from, header, action, campaignName }) => [
    { label: 'From', value: formatNumber(from) },
    action.type === 'button'
      ? { label: 'Reply buttons', value: String(action.buttons.length) }
      : {
          label: 'List',
          value: `${counted(action.sections.flatMap(({ rows }) => rows).length, 'row')} in ${counted(action.sections.length, 'section')}`,
        },
    ...fact('Header', header?.type),
    ...fact('Campaign', campaignName),
  ],
  text: (message) => interactiveText(formValues(message)),
  buttonLines: ({ action }) =>
    action.type === 'button'
      ? action.buttons.map(({ title }) => buttonLine(title))
      : [listButtonLine(action.button)],
  withReplyReference,
};

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function formValues(message: InteractiveMessage) {
  const { from, action, campaignName } = message;
  const interactive = {
    type: action.type,
    ...frameValues(message),
    action:
      action.type === 'button'
        ? { buttons: action.buttons.map((choice) => ({ reply: { title: choice.title, id: ownId(choice) } })) }
        : {
            button: action.button,
            sections: action.sections.map(({ id, title, rows }, index) => ({
              id: id === sectionId(index) ? undefined : id,
              title,
              rows: rows.map((row) => ({ title: row.title, description: row.description, id: ownId(row) })),
            })),
          },
  };
  return { from, interactive, ...given({ campaignName }) };
}

/** An id that Herald made is made again: it may have to name another send. */
function ownId({ id, proposed }: Choice): string | undefined {
  return proposed ? undefined : id;
}
