import type { AddressMessage } from '../messages/address/message.ts';
import type {
  Choice,
  InteractiveAction,
  InteractiveHeader,
  InteractiveMessage,
} from '../messages/interactive/message.ts';
import type { JsonObject } from './json.ts';
import type { ShapeValues } from './shape.ts';

/** The interactive object of the interface document; what the message does not have has no key. */
export function interactiveObject({ header, body, footer, action }: InteractiveMessage): JsonObject {
  return {
    type: action.type,
    ...(header === undefined ? {} : { header: headerObject(header) }),
    body: { text: body },
    ...(footer === undefined ? {} : { footer: { text: footer } }),
    action: actionObject(action),
  };
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
  const sections = action.sections.map(({ id, title, rows }) => ({
    id,
    ...(title === undefined ? {} : { title }),
    rows: rows.map(rowObject),
  }));
  return { button: action.button, sections };
}

function rowObject({ id, title, description }: Choice): JsonObject {
  return { id, title, ...(description === undefined ? {} : { description }) };
}

/** Values for row 12; saved addresses and validation errors have no key where there are none. */
export function addressValues(message: AddressMessage): ShapeValues {
  const { from, country, body, values, savedAddresses, validationErrors } = message;
  return {
    from,
    country,
    text: body,
    values: { ...values },
    savedAddresses:
      savedAddresses.length === 0
        ? undefined
        : savedAddresses.map(({ id, value }) => ({ id, value: { ...value } })),
    validationErrors: Object.keys(validationErrors).length === 0 ? undefined : { ...validationErrors },
  };
}
