import { ADDRESS_FIELDS } from '../messages/address/fields.ts';
import type { JsonObject } from './json.ts';
import type { ShapeRules } from './shape.ts';

/** How a recipient's number is written: `+919876543210` or `919876543210`. */
export const NUMBER_FORMATS = ['e164', 'digits'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export type RowName =
  | 'chatappOtp'
  | 'chatappDocument'
  | 'chatappImage'
  | 'chatappText'
  | 'rcsVariables'
  | 'rcsCarouselImages'
  | 'rcsPlain'
  | 'rcsRich'
  | 'rcsCarouselFixed'
  | 'sms'
  | 'flash'
  | 'interactive'
  | 'address';

/** One row of the interface document's list of endpoints, as data. */
export interface RowDefinition {
  /** The document's number for it; `2b` is the image header that the document describes but does not show. */
  readonly number: string;
  readonly title: string;
  /** Which of the two hosts takes it. */
  readonly endpoint: 'base' | 'flash';
  readonly path: string;
  /** True when the interface document shows this body; false when it is Herald's default and can be overridden. */
  readonly documented: boolean;
  readonly body: JsonObject;
  readonly rules: ShapeRules;
  readonly numberFormat: NumberFormat;
  readonly recipientsPerRequest: number;
  /** Documented names inside a placeholder's value, which an answer may blame like the body's own. */
  readonly fieldNames?: readonly string[];
}

/** The interface document gives no limit for bulk SMS: how many share a request is the team's, in `pacing.sms`. */
const SMS_RECIPIENTS_PER_REQUEST = Number.POSITIVE_INFINITY;

const CHATAPP_ENVELOPE = {
  from: '{{from}}',
  to: '{{to}}',
  templateName: '{{templateName}}',
  type: 'template',
  campaignName: '{{campaignName}}',
} as const;
const CHATAPP_NAMES = ['from', 'to', 'templateName', 'campaignName'] as const;
const CHATAPP_REQUIRED = ['from', 'to', 'templateName'] as const;

/** Of the messages that are made of no template. */
const CONVERSATION_ENVELOPE = {
  recipient_type: 'individual',
  from: '{{from}}',
  to: '{{to}}',
  type: 'interactive',
} as const;
const CONVERSATION_NAMES = ['from', 'to'] as const;

/** Inside `interactive` (interface document, "Interactive object"; wire.md for lists). */
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

const RCS_ENVELOPE = {
  number: '{{number}}',
  templateName: '{{templateName}}',
  botId: '{{botId}}',
  type: '{{type}}',
  campaignName: '{{campaignName}}',
} as const;
const RCS_NAMES = ['number', 'templateName', 'botId', 'type', 'campaignName'] as const;
const RCS_REQUIRED = ['number', 'templateName', 'botId', 'type'] as const;

const CHATAPP = {
  endpoint: 'base',
  path: '/v1/chatapp',
  numberFormat: 'e164',
  recipientsPerRequest: 1,
} as const;
const RCS = { endpoint: 'base', path: '/v1/rcs', numberFormat: 'e164', recipientsPerRequest: 1 } as const;

/** Rows 6 to 8 differ by the template only; they carry no content key at all. */
const RCS_WITHOUT_CONTENT = {
  ...RCS,
  documented: true,
  body: RCS_ENVELOPE,
  rules: { allowed: RCS_NAMES, required: RCS_REQUIRED },
} as const;

/** Every request that Herald can make: rows 1 to 10 of the interface document, and two for what it describes without an endpoint. */
export const ROWS: Readonly<Record<RowName, RowDefinition>> = {
  chatappOtp: {
    ...CHATAPP,
    number: '1',
    title: 'Chat-app one-time password',
    documented: true,
    body: { ...CHATAPP_ENVELOPE, otp: '{{otp}}', language: { code: '{{language}}' } },
    rules: { allowed: [...CHATAPP_NAMES, 'otp', 'language'], required: [...CHATAPP_REQUIRED, 'otp'] },
  },
  chatappDocument: {
    ...CHATAPP,
    number: '2',
    title: 'Chat-app template with a document header',
    documented: true,
    body: {
      ...CHATAPP_ENVELOPE,
      components: {
        body: { params: '{{params}}' },
        header: { type: 'document', document: { link: '{{link}}', filename: '{{filename}}' } },
      },
    },
    rules: {
      allowed: [...CHATAPP_NAMES, 'params', 'link', 'filename'],
      required: [...CHATAPP_REQUIRED, 'params', 'link', 'filename'],
    },
  },
  chatappImage: {
    ...CHATAPP,
    number: '2b',
    title: 'Chat-app template with an image header',
    documented: false,
    body: {
      ...CHATAPP_ENVELOPE,
      components: {
        body: { params: '{{params}}' },
        header: { type: 'image', image: { link: '{{link}}' } },
      },
    },
    rules: {
      allowed: [...CHATAPP_NAMES, 'params', 'link', 'language'],
      required: [...CHATAPP_REQUIRED, 'params', 'link'],
    },
  },
  chatappText: {
    ...CHATAPP,
    number: '3',
    title: 'Chat-app template without header',
    documented: false,
    body: { ...CHATAPP_ENVELOPE, components: { body: { params: '{{params}}' } } },
    rules: {
      allowed: [...CHATAPP_NAMES, 'params', 'language'],
      required: [...CHATAPP_REQUIRED, 'params'],
    },
  },
  rcsVariables: {
    ...RCS,
    number: '4',
    title: 'RCS text with variables',
    documented: true,
    body: { ...RCS_ENVELOPE, content: [{ params: '{{params}}' }] },
    rules: { allowed: [...RCS_NAMES, 'params'], required: [...RCS_REQUIRED, 'params'] },
  },
  rcsCarouselImages: {
    ...RCS,
    number: '5',
    title: 'RCS carousel with changeable images',
    documented: true,
    body: { ...RCS_ENVELOPE, content: '{{cards}}' },
    rules: { allowed: [...RCS_NAMES, 'cards'], required: [...RCS_REQUIRED, 'cards'] },
  },
  rcsPlain: { ...RCS_WITHOUT_CONTENT, number: '6', title: 'RCS plain text' },
  rcsRich: { ...RCS_WITHOUT_CONTENT, number: '7', title: 'RCS rich text' },
  rcsCarouselFixed: { ...RCS_WITHOUT_CONTENT, number: '8', title: 'RCS carousel with fixed images' },
  sms: {
    number: '9',
    title: 'Bulk SMS',
    endpoint: 'base',
    path: '/v1/sms',
    documented: false,
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
  flash: {
    number: '10',
    title: 'Flash SMS',
    endpoint: 'flash',
    path: '/sms',
    documented: false,
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
  interactive: {
    ...CHATAPP,
    number: '11',
    title: 'Interactive message (list or reply buttons)',
    documented: false,
    body: { ...CONVERSATION_ENVELOPE, interactive: '{{interactive}}' },
    rules: {
      allowed: [...CONVERSATION_NAMES, 'interactive'],
      required: [...CONVERSATION_NAMES, 'interactive'],
    },
    fieldNames: INTERACTIVE_FIELD_NAMES,
  },
  address: {
    ...CHATAPP,
    number: '12',
    title: 'Address message',
    documented: false,
    body: {
      ...CONVERSATION_ENVELOPE,
      interactive: {
        type: 'address_message',
        body: { text: '{{text}}' },
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
      allowed: [...CONVERSATION_NAMES, 'text', 'country', 'values', 'savedAddresses', 'validationErrors'],
      required: [...CONVERSATION_NAMES, 'text', 'country'],
    },
    fieldNames: Object.keys(ADDRESS_FIELDS),
  },
};
