import { given } from '../../core/given.ts';
import type { AddressMessage } from '../../messages/address/message.ts';
import type {
  InteractiveAction,
  InteractiveHeader,
  InteractiveMessage,
} from '../../messages/interactive/message.ts';
import type { JsonObject } from '../json.ts';
import { formatted, OWN_SHAPE, row, type WireKind } from './row.ts';
import { CHATAPP } from './templates.ts';

/** The members around a message that is made of no template. */
const CONVERSATION_ENVELOPE = {
  recipient_type: 'individual',
  from: '{{from}}',
  to: '{{to}}',
  type: 'interactive',
  campaignName: '{{campaignName}}',
} as const;
/** Row 11: lists and reply buttons. A text without buttons goes as the account describes it. */
export const interactive: WireKind<InteractiveMessage, 'interactive' | 'sessionText'> = {
  rows: {
    interactive: row(
      CHATAPP,
      ['11', 'Interactive message (list or reply buttons)'],
      { ...CONVERSATION_ENVELOPE, interactive: '{{interactive}}' },
      { settable: OWN_SHAPE },
    ),
    sessionText: row(
      CHATAPP,
      ['11b', 'Text without buttons, where the account has one'],
      { ...CONVERSATION_ENVELOPE, type: 'text', text: { body: '{{text}}' } },
      { settable: OWN_SHAPE },
    ),
  },
  rowName: (message) => (isPlainText(message) ? 'sessionText' : 'interactive'),
  values: (message, [{ number }], format) => ({
    from: message.from,
    to: formatted(number, format),
    ...(isPlainText(message) ? { text: message.body } : { interactive: interactiveObject(message) }),
    campaignName: message.campaignName,
  }),
};

/** Row 12: address forms. Saved addresses and validation errors have no key where there are none. */
export const address: WireKind<AddressMessage, 'address'> = {
  rows: {
    address: row(
      CHATAPP,
      ['12', 'Address message'],
      {
        ...CONVERSATION_ENVELOPE,
        interactive: {
          type: 'address_message',
          header: '{{header}}',
          body: { text: '{{text}}' },
          footer: { text: '{{footer}}' },
          action: {
            name: 'address_message',
            parameters: {
              country: '{{country}}',
              values: '{{values}}',
              saved_addresses: '{{savedAddresses}}',
              validation_errors: '{{validationErrors}}',
            },
          },
        },
      },
      {
        settable: [...OWN_SHAPE, 'fields'],
        optional: ['header', 'footer', 'values', 'savedAddresses', 'validationErrors'],
      },
    ),
  },
  rowName: ({ kind }) => kind,
  values: (
    { from, country, header, body, footer, values, savedAddresses, validationErrors, campaignName },
    [{ number }],
    format,
  ) => ({
    from,
    to: formatted(number, format),
    country,
    header: header && headerObject(header),
    text: body,
    footer,
    campaignName,
    values,
    savedAddresses: savedAddresses.length === 0 ? undefined : savedAddresses,
    validationErrors: Object.keys(validationErrors).length === 0 ? undefined : validationErrors,
  }),
};

function isPlainText({ header, footer, action }: InteractiveMessage): boolean {
  return !header && !footer && action.type === 'button' && action.buttons.length === 0;
}

/** The interactive object of the interface document; what the message does not have has no key. */
function interactiveObject({ header, body, footer, action }: InteractiveMessage): JsonObject {
  return given({
    type: action.type,
    header: header && headerObject(header),
    body: { text: body },
    footer: footer === undefined ? undefined : { text: footer },
    action: actionObject(action),
  });
}

function headerObject(header: InteractiveHeader): JsonObject {
  if (header.type === 'text') return { type: header.type, text: header.text };
  const filename = header.type === 'document' ? { filename: header.filename } : {};
  return { type: header.type, [header.type]: { ...header.media, ...filename } };
}

function actionObject(action: InteractiveAction): JsonObject {
  if (action.type === 'button') {
    const buttons = action.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }));
    return { buttons };
  }
  const sections = action.sections.map(({ id, title, rows }) => {
    const choices = rows.map((choice) =>
      given({ id: choice.id, title: choice.title, description: choice.description }),
    );
    return given({ id, title, rows: choices });
  });
  return { button: action.button, sections };
}
