import type { RcsMessage } from '../../messages/kinds/rcs.ts';
import { formatted, row, type WireKind } from './row.ts';

const RCS = { endpoint: 'base', path: '/v1/rcs', numberFormat: 'e164', recipientsPerRequest: 1 } as const;

const RCS_ENVELOPE = {
  number: '{{number}}',
  templateName: '{{templateName}}',
  botId: '{{botId}}',
  type: '{{type}}',
  campaignName: '{{campaignName}}',
} as const;

const ROW_NAMES = {
  plain: 'rcsPlain',
  rich: 'rcsRich',
  variables: 'rcsVariables',
  'carousel-fixed': 'rcsCarouselFixed',
  'carousel-images': 'rcsCarouselImages',
} as const satisfies Record<RcsMessage['variant'], string>;
type RowName = (typeof ROW_NAMES)[RcsMessage['variant']];

/** Rows 4 to 8: RCS messages. */
export const rcs: WireKind<RcsMessage, RowName> = {
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
  rowName: ({ variant }) => ROW_NAMES[variant],
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
