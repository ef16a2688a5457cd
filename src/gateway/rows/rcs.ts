import type { RcsMessage } from '../../messages/kinds/rcs.ts';
import { formatted, type WireKind } from './row.ts';

const RCS = { endpoint: 'base', path: '/v1/rcs', numberFormat: 'e164', recipientsPerRequest: 1 } as const;

const RCS_ENVELOPE = {
  number: '{{number}}',
  templateName: '{{templateName}}',
  botId: '{{botId}}',
  type: '{{type}}',
  campaignName: '{{campaignName}}',
} as const;
const RCS_NAMES = ['number', 'templateName', 'botId', 'type', 'campaignName'] as const;
const RCS_REQUIRED = ['number', 'templateName', 'botId', 'type'] as const;

/** Rows 6 to 8 differ by the template only; they carry no content key at all. */
const RCS_WITHOUT_CONTENT = {
  ...RCS,
  documented: true,
  settable: [],
  body: RCS_ENVELOPE,
  rules: { allowed: RCS_NAMES, required: RCS_REQUIRED },
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
    rcsVariables: {
      ...RCS,
      number: '4',
      title: 'RCS text with variables',
      documented: true,
      settable: [],
      body: { ...RCS_ENVELOPE, content: [{ params: '{{params}}' }] },
      rules: { allowed: [...RCS_NAMES, 'params'], required: [...RCS_REQUIRED, 'params'] },
    },
    rcsCarouselImages: {
      ...RCS,
      number: '5',
      title: 'RCS carousel with changeable images',
      documented: true,
      settable: [],
      body: { ...RCS_ENVELOPE, content: '{{cards}}' },
      rules: { allowed: [...RCS_NAMES, 'cards'], required: [...RCS_REQUIRED, 'cards'] },
    },
    rcsPlain: { ...RCS_WITHOUT_CONTENT, number: '6', title: 'RCS plain text' },
    rcsRich: { ...RCS_WITHOUT_CONTENT, number: '7', title: 'RCS rich text' },
    rcsCarouselFixed: { ...RCS_WITHOUT_CONTENT, number: '8', title: 'RCS carousel with fixed images' },
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
