import type { Message, MessageKind } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';

const FROM = '+919876543210' as Msisdn;
/** Whatever formatting could swallow, and as long as an input takes. */
const TRICKY = 'https://acme.test/_a_*b*~c~`d`?x=1&y=%3C2%3E&to=<!channel>#';

const interactive = { kind: 'interactive', from: FROM, body: 'Look.' } as const;
const action = { type: 'button', buttons: [{ id: 'yes', proposed: false, title: 'Yes' }] } as const;

/** Messages with something in every field that leads somewhere; a new kind has to be added here to compile. */
export const LINKED: Readonly<Record<MessageKind, readonly Message[]>> = {
  chatapp: [
    {
      kind: 'chatapp',
      variant: 'document',
      from: FROM,
      templateName: 'invoice',
      params: ['May'],
      header: { type: 'document', link: `${TRICKY}document`, filename: '_May_ *final*.pdf' },
    },
    {
      kind: 'chatapp',
      variant: 'image',
      from: FROM,
      templateName: 'festive_photo',
      params: [],
      header: { type: 'image', link: `${TRICKY}/a.png` },
    },
    {
      kind: 'chatapp',
      variant: 'video',
      from: FROM,
      templateName: 'shop_tour',
      params: [],
      header: { type: 'video', link: `${TRICKY}/tour.mp4` },
    },
  ],
  rcs: [
    {
      kind: 'rcs',
      variant: 'carousel-images',
      templateName: 'weekly_offers',
      botId: 'acme-bot',
      type: 'PREPROMO',
      fileUrls: Array.from({ length: 10 }, (_none, card) => `${TRICKY}card-${card + 1}.png`),
    },
  ],
  sms: [
    {
      kind: 'sms',
      sender: 'ACMEIN',
      text: `${'Read this first. '.repeat(171)}${TRICKY}sms`,
      type: 'PROMO',
      unicode: false,
    },
  ],
  flash: [{ kind: 'flash', sender: 'ACMEIN', text: `Go to ${TRICKY}flash`, type: 'TRANS', unicode: false }],
  interactive: [
    {
      ...interactive,
      action,
      header: { type: 'image', media: { link: `${TRICKY}b.png`, provider: { name: 'acme_cdn' } } },
    },
    { ...interactive, action, header: { type: 'video', media: { id: 'video_4711' } } },
    {
      ...interactive,
      action,
      header: {
        type: 'document',
        filename: 'Price_list_.pdf',
        media: { link: `${TRICKY}prices`, provider: { name: 'acme_cdn' } },
      },
    },
  ],
  address: [
    {
      kind: 'address',
      from: FROM,
      country: 'IN',
      body: `Where to? ${TRICKY}address`,
      values: { city: 'https://city.test/' },
      savedAddresses: [],
      validationErrors: { city: 'See https://cities.test/' },
    },
    {
      kind: 'address',
      from: FROM,
      country: 'SG',
      header: { type: 'document', filename: 'Area_.pdf', media: { link: `${TRICKY}area` } },
      body: 'Where to?',
      footer: 'Look at https://areas.test/',
      values: {},
      savedAddresses: [],
      validationErrors: {},
    },
  ],
};

/** Everything in a message by which a customer is led somewhere, or given something, found without knowing its kind. */
export function leadsIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') {
    if (key === 'filename' || value.startsWith('video_') || value === 'acme_cdn') return [value];
    return value.match(/https?:\/\/\S+/g) ?? [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => leadsIn(item, name));
}
