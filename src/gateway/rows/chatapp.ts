import type { ChatappMessage } from '../../messages/kinds/chatapp.ts';
import { formatted, row, type WireKind } from './row.ts';

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

/** Rows 2b, 2c and 3: what the document describes beside row 2, but does not show. */
const UNSEEN = { settable: ['body'], also: ['language'] } as const;

function mediaBody(type: 'image' | 'video') {
  const header = { type, [type]: { link: '{{link}}' } };
  return { ...CHATAPP_ENVELOPE, components: { body: { params: '{{params}}' }, header } };
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
    chatappOtp: row(CHATAPP, ['1', 'Chat-app one-time password'], {
      ...CHATAPP_ENVELOPE,
      otp: '{{otp}}',
      language: { code: '{{language}}' },
    }),
    chatappDocument: row(CHATAPP, ['2', 'Chat-app template with a document header'], {
      ...CHATAPP_ENVELOPE,
      components: {
        body: { params: '{{params}}' },
        header: { type: 'document', document: { link: '{{link}}', filename: '{{filename}}' } },
      },
    }),
    chatappImage: row(CHATAPP, ['2b', 'Chat-app template with an image header'], mediaBody('image'), UNSEEN),
    chatappVideo: row(CHATAPP, ['2c', 'Chat-app template with a video header'], mediaBody('video'), UNSEEN),
    chatappText: row(
      CHATAPP,
      ['3', 'Chat-app template without header'],
      { ...CHATAPP_ENVELOPE, components: { body: { params: '{{params}}' } } },
      UNSEEN,
    ),
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
