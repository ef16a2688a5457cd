import type { ChatappMessage } from '../../messages/kinds/chatapp.ts';
import type { RcsMessage } from '../../messages/kinds/rcs.ts';
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

export const CHATAPP_ROWS = {
  otp: 'chatappOtp',
  text: 'chatappText',
  document: 'chatappDocument',
  image: 'chatappImage',
  video: 'chatappVideo',
} as const satisfies Record<ChatappMessage['variant'], string>;

/** Rows 1 to 3: chat-app template messages. */
export const chatapp: WireKind<ChatappMessage, (typeof CHATAPP_ROWS)[ChatappMessage['variant']]> = {
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
  rowName: ({ variant }) => CHATAPP_ROWS[variant],
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

const RCS = { endpoint: 'base', path: '/v1/rcs', numberFormat: 'e164', recipientsPerRequest: 1 } as const;

const RCS_ENVELOPE = {
  number: '{{number}}',
  templateName: '{{templateName}}',
  botId: '{{botId}}',
  type: '{{type}}',
  campaignName: '{{campaignName}}',
} as const;

const RCS_ROWS = {
  plain: 'rcsPlain',
  rich: 'rcsRich',
  variables: 'rcsVariables',
  'carousel-fixed': 'rcsCarouselFixed',
  'carousel-images': 'rcsCarouselImages',
} as const satisfies Record<RcsMessage['variant'], string>;

/** Rows 4 to 8: RCS messages. */
export const rcs: WireKind<RcsMessage, (typeof RCS_ROWS)[RcsMessage['variant']]> = {
  rows: {
    rcsVariables: row(RCS, ['4', 'RCS text with variables'], {
      ...RCS_ENVELOPE,
      content: [{ params: '{{params}}' }],
    }),
    rcsCarouselImages: row(RCS, ['5', 'RCS carousel with changeable images'], {
      ...RCS_ENVELOPE,
      content: '{{cards}}',
    }),
    // These differ by the template only; they carry no content key at all.
    rcsPlain: row(RCS, ['6', 'RCS plain text'], RCS_ENVELOPE),
    rcsRich: row(RCS, ['7', 'RCS rich text'], RCS_ENVELOPE),
    rcsCarouselFixed: row(RCS, ['8', 'RCS carousel with fixed images'], RCS_ENVELOPE),
  },
  rowName: ({ variant }) => RCS_ROWS[variant],
  values: ({ templateName, botId, type, params, fileUrls, campaignName }, [{ number }], format) => ({
    number: formatted(number, format),
    templateName,
    botId,
    type,
    params: params ?? [],
    cards: fileUrls?.map((fileUrl) => ({ fileUrl })),
    campaignName,
  }),
};
