import { given } from '../../core/given.ts';
import type { AddressMessage } from '../../messages/address/message.ts';
import type {
  Choice,
  InteractiveAction,
  InteractiveHeader,
  InteractiveMessage,
} from '../../messages/interactive/message.ts';
import type { JsonObject } from '../json.ts';
import { CHATAPP } from './chatapp.ts';
import { formatted, type WireKind } from './row.ts';

/** Of the messages that are made of no template. */
const CONVERSATION_ENVELOPE = {
  recipient_type: 'individual',
  from: '{{from}}',
  to: '{{to}}',
  type: 'interactive',
  campaignName: '{{campaignName}}',
} as const;
const CONVERSATION_REQUIRED = ['from', 'to'] as const;
const CONVERSATION_NAMES = [...CONVERSATION_REQUIRED, 'campaignName'] as const;

/** Inside `interactive` (interface document, "Interactive object"; docs/wire.md for lists). */
const INTERACTIVE_FIELD_NAMES = [
  ...['type', 'header', 'body', 'footer', 'action', 'text', 'image', 'video', 'document', 'id', 'link'],
  ...[
    'provider',
    'name',
    'filename',
    'buttons',
    'reply',
    'title',
    'button',
    'sections',
    'rows',
    'description',
  ],
] as const;

/** Row 11: lists and reply buttons. */
export const interactive: WireKind<InteractiveMessage, 'interactive'> = {
  rows: {
    interactive: {
      ...CHATAPP,
      number: '11',
      title: 'Interactive message (list or reply buttons)',
      documented: false,
      settable: ['path', 'body', 'numberFormat'],
      body: { ...CONVERSATION_ENVELOPE, interactive: '{{interactive}}' },
      rules: {
        allowed: [...CONVERSATION_NAMES, 'interactive'],
        required: [...CONVERSATION_REQUIRED, 'interactive'],
      },
      fieldNames: INTERACTIVE_FIELD_NAMES,
    },
  },
  rowName: ({ kind }) => kind,
  values: (message, [{ number }], format) => ({
    from: message.from,
    to: formatted(number, format),
    interactive: interactiveObject(message),
    campaignName: message.campaignName,
  }),
};

/** Row 12: address forms. Saved addresses and validation errors have no key where there are none. */
export const address: WireKind<AddressMessage, 'address'> = {
  rows: {
    address: {
      ...CHATAPP,
      number: '12',
      title: 'Address message',
      documented: false,
      settable: ['path', 'body', 'numberFormat', 'fields'],
      body: {
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
      rules: {
        allowed: [
          ...[...CONVERSATION_NAMES, 'header', 'text', 'footer'],
          ...['country', 'values', 'savedAddresses', 'validationErrors'],
        ],
        required: [...CONVERSATION_REQUIRED, 'text', 'country'],
      },
    },
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
    values: { ...values },
    savedAddresses:
      savedAddresses.length === 0
        ? undefined
        : savedAddresses.map(({ id, value }) => ({ id, value: { ...value } })),
    validationErrors: Object.keys(validationErrors).length === 0 ? undefined : { ...validationErrors },
  }),
};

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
  const sections = action.sections.map(({ id, title, rows }) =>
    given({ id, title, rows: rows.map(rowObject) }),
  );
  return { button: action.button, sections };
}

function rowObject({ id, title, description }: Choice): JsonObject {
  return given({ id, title, description });
}
