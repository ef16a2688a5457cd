import type { ChatappMessage } from '../../messages/kinds/chatapp.ts';
import { formatted, type WireKind } from './row.ts';

/** Every request of the chat app: one account, one path. */
export const CHATAPP = {
  endpoint: 'base',
  path: '/v1/chatapp',
  numberFormat: 'e164',
  recipientsPerRequest: 1,
} as const;
const CHATAPP_ENVELOPE = {
  from: '{{from}}',
  to: '{{to}}',
  templateName: '{{templateName}}',
  type: 'template',
  campaignName: '{{campaignName}}',
} as const;
const CHATAPP_NAMES = ['from', 'to', 'templateName', 'campaignName'] as const;
const CHATAPP_REQUIRED = ['from', 'to', 'templateName'] as const;

/** Rows 2b and 2c: what the document describes beside row 2, but does not show. */
function mediaRow(type: 'image' | 'video') {
  return {
    ...CHATAPP,
    documented: false,
    settable: ['body'],
    body: {
      ...CHATAPP_ENVELOPE,
      components: { body: { params: '{{params}}' }, header: { type, [type]: { link: '{{link}}' } } },
    },
    rules: {
      allowed: [...CHATAPP_NAMES, 'params', 'link', 'language'],
      required: [...CHATAPP_REQUIRED, 'params', 'link'],
    },
  } as const;
}

export const ROW_NAMES = {
  otp: 'chatappOtp',
  text: 'chatappText',
  document: 'chatappDocument',
  image: 'chatappImage',
  video: 'chatappVideo',
} as const satisfies Record<ChatappMessage['variant'], string>;
type RowName = (typeof ROW_NAMES)[ChatappMessage['variant']];

/** Rows 1 to 3: chat-app template messages. */
export const chatapp: WireKind<ChatappMessage, RowName> = {
  rows: {
    chatappOtp: {
      ...CHATAPP,
      number: '1',
      title: 'Chat-app one-time password',
      documented: true,
      settable: [],
      body: { ...CHATAPP_ENVELOPE, otp: '{{otp}}', language: { code: '{{language}}' } },
      rules: { allowed: [...CHATAPP_NAMES, 'otp', 'language'], required: [...CHATAPP_REQUIRED, 'otp'] },
    },
    chatappDocument: {
      ...CHATAPP,
      number: '2',
      title: 'Chat-app template with a document header',
      documented: true,
      settable: [],
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
    chatappImage: { ...mediaRow('image'), number: '2b', title: 'Chat-app template with an image header' },
    chatappVideo: { ...mediaRow('video'), number: '2c', title: 'Chat-app template with a video header' },
    chatappText: {
      ...CHATAPP,
      number: '3',
      title: 'Chat-app template without header',
      documented: false,
      settable: ['body'],
      body: { ...CHATAPP_ENVELOPE, components: { body: { params: '{{params}}' } } },
      rules: {
        allowed: [...CHATAPP_NAMES, 'params', 'language'],
        required: [...CHATAPP_REQUIRED, 'params'],
      },
    },
  },
  rowName: ({ variant }) => ROW_NAMES[variant],
  values: ({ from, templateName, params, otp, language, header, campaignName }, [{ number }], format) => ({
    from,
    to: formatted(number, format),
    templateName,
    params,
    otp,
    language: language?.code,
    link: header?.link,
    filename: header?.type === 'document' ? header.filename : undefined,
    campaignName,
  }),
};
