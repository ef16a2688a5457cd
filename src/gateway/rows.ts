import type { FlashMessage } from '../messages/kinds/flash.ts';
import type { SmsMessage } from '../messages/kinds/sms.ts';
import { MESSAGE_KINDS, type Message, type MessageKind } from '../messages/kinds.ts';
import { senderFor } from '../messages/senders.ts';
import { address, interactive } from './rows/conversation.ts';
import { formatted, OWN_SHAPE, type RowDefinition, row, type WireKind } from './rows/row.ts';
import { chatapp, rcs } from './rows/templates.ts';

/** The interface document gives no limit for bulk SMS: how many share a request is the team's, in `pacing.sms`. */
const SMS_RECIPIENTS_PER_REQUEST = Number.POSITIVE_INFINITY;

/** What both say alike. The ids of India's operators belong to a template; without one they have no key. */
const TEXT_BODY = {
  text: '{{text}}',
  type: '{{type}}',
  unicode: '{{unicode}}',
  dltTemplateId: '{{dltTemplateId}}',
  entityId: '{{entityId}}',
} as const;
const TEXT_REQUESTS = { endpoint: 'base', path: '/v1/sms', numberFormat: 'digits' } as const;

const textValues: WireKind<Omit<SmsMessage, 'kind'>>['values'] = (message, numbers, format) => {
  const { text, type, dltTemplateId, entityId, campaignName } = message;
  const [sender, ...others] = new Set(numbers.map(({ number }) => senderFor(message, number)));
  if (others.length > 0) throw new RangeError('One request has one SMS sender.');
  const recipients = numbers.map(({ number }) => formatted(number, format));
  const unicode = message.unicode ? 1 : undefined;
  const rest = { recipients, to: recipients[0], unicode, campaignName };
  return { sender, text, type, dltTemplateId, entityId, ...rest };
};

/** Row 9: SMS, many to a request. */
const sms: WireKind<SmsMessage, 'sms'> = {
  rows: {
    sms: row(
      { ...TEXT_REQUESTS, recipientsPerRequest: SMS_RECIPIENTS_PER_REQUEST },
      ['9', 'Bulk SMS'],
      { sender: '{{sender}}', to: '{{recipients}}', ...TEXT_BODY, campaignName: '{{campaignName}}' },
      { settable: OWN_SHAPE, also: ['to'], required: [['recipients', 'to'], 'text'] },
    ),
  },
  rowName: ({ kind }) => kind,
  values: (message, ...to) => ({ ...textValues(message, ...to), unicode: message.unicode ? 1 : 0 }),
};

/** Row 10. The provider's own example of a flash SMS in the plain alphabet has no `unicode` at all. */
const flash: WireKind<FlashMessage, 'flash'> = {
  rows: {
    flash: row(
      { ...TEXT_REQUESTS, endpoint: 'flash', path: '/sms', recipientsPerRequest: 1 },
      ['10', 'Flash SMS'],
      { sender: '{{sender}}', to: '{{to}}', ...TEXT_BODY, flash: 1 },
      { settable: OWN_SHAPE, required: ['to', 'text'] },
    ),
  },
  rowName: ({ kind }) => kind,
  values: textValues,
};

/** How each kind goes over the wire: a new kind is a row here. */
const WIRE_KINDS = { chatapp, rcs, sms, flash, interactive, address } satisfies {
  readonly [K in MessageKind]: WireKind<Extract<Message, { readonly kind: K }>>;
};

type WireKinds = typeof WIRE_KINDS;
export type RowName = { [K in keyof WireKinds]: keyof WireKinds[K]['rows'] }[keyof WireKinds];

/** Every request that Herald can make, in the order of the interface document. */
export const ROWS: Readonly<Record<RowName, RowDefinition>> = Object.assign(
  {},
  ...Object.values(WIRE_KINDS).map(({ rows }) => rows),
);

export function kindOfRow(name: RowName): MessageKind {
  return MESSAGE_KINDS.find((kind) => name in WIRE_KINDS[kind].rows) ?? 'chatapp';
}

/** How messages of this one's kind become requests. */
export function wireKindOf(message: Message): Omit<WireKind<Message, RowName>, 'rows'> {
  return WIRE_KINDS[message.kind];
}
