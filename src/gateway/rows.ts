import type { FlashMessage } from '../messages/kinds/flash.ts';
import type { SmsMessage } from '../messages/kinds/sms.ts';
import type { Message, MessageKind } from '../messages/kinds.ts';
import { chatapp } from './rows/chatapp.ts';
import { address, interactive } from './rows/conversation.ts';
import { rcs } from './rows/rcs.ts';
import { formatted, type RowDefinition, type WireKind } from './rows/row.ts';

/** The interface document gives no limit for bulk SMS: how many share a request is the team's, in `pacing.sms`. */
const SMS_RECIPIENTS_PER_REQUEST = Number.POSITIVE_INFINITY;

/** Row 9: SMS, many to a request. */
const sms: WireKind<SmsMessage, 'sms'> = {
  rows: {
    sms: {
      number: '9',
      title: 'Bulk SMS',
      endpoint: 'base',
      path: '/v1/sms',
      documented: false,
      settable: ['path', 'body', 'numberFormat'],
      body: {
        sender: '{{sender}}',
        to: '{{recipients}}',
        text: '{{text}}',
        type: '{{type}}',
        unicode: '{{unicode}}',
        campaignName: '{{campaignName}}',
      },
      rules: {
        allowed: ['sender', 'recipients', 'to', 'text', 'type', 'unicode', 'campaignName'],
        required: [['recipients', 'to'], 'text'],
      },
      numberFormat: 'digits',
      recipientsPerRequest: SMS_RECIPIENTS_PER_REQUEST,
    },
  },
  rowName: ({ kind }) => kind,
  values: ({ sender, text, type, unicode, campaignName }, to, format) => {
    const recipients = to.map(({ number }) => formatted(number, format));
    return { sender, text, type, recipients, to: recipients[0], unicode: unicode ? 1 : 0, campaignName };
  },
};

/** Row 10. The provider's own example of a flash SMS in the plain alphabet has no `unicode` at all. */
const flash: WireKind<FlashMessage, 'flash'> = {
  rows: {
    flash: {
      number: '10',
      title: 'Flash SMS',
      endpoint: 'flash',
      path: '/sms',
      documented: false,
      settable: ['path', 'body', 'numberFormat'],
      body: {
        sender: '{{sender}}',
        to: '{{to}}',
        text: '{{text}}',
        type: '{{type}}',
        unicode: '{{unicode}}',
        flash: 1,
      },
      rules: { allowed: ['sender', 'to', 'text', 'type', 'unicode'], required: ['to', 'text'] },
      numberFormat: 'digits',
      recipientsPerRequest: 1,
    },
  },
  rowName: ({ kind }) => kind,
  values: ({ sender, text, type, unicode }, [{ number }], format) => ({
    sender,
    text,
    type,
    to: formatted(number, format),
    unicode: unicode ? 1 : undefined,
  }),
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

export const MESSAGE_KINDS = Object.keys(WIRE_KINDS) as readonly MessageKind[];

export function kindOfRow(name: RowName): MessageKind {
  return MESSAGE_KINDS.find((kind) => name in WIRE_KINDS[kind].rows) ?? 'chatapp';
}

/** How messages of this one's kind become requests. */
export function wireKindOf(message: Message): Omit<WireKind<Message, RowName>, 'rows'> {
  return WIRE_KINDS[message.kind];
}
