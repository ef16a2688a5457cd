import type { FormContext } from '../../src/messages/form/form.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { ChatappTemplate, RcsTemplate, SmsTemplate } from '../../src/messages/templates/template.ts';

/** SMS senders, some for some countries only. */
export const BY_COUNTRY = [
  { id: 'ACMEIN', label: 'ACMEIN', type: 'TRANS', countries: ['IN'] },
  { id: 'ACMEPR', label: 'ACMEPR', type: 'PROMO', countries: ['IN'] },
  { id: 'ACMEAE', label: 'ACMEAE', type: 'TRANS', countries: ['AE'] },
  { id: 'ACME', label: 'ACME', type: 'TRANS' },
] as const satisfies FormContext['senders']['sms'];

const NOTHING = { languages: [], placeholders: [], cards: 0 };

export const TEMPLATES = {
  otp: {
    ...NOTHING,
    name: 'login_code',
    label: 'Login code',
    channel: 'chatapp',
    variant: 'otp',
    languages: ['en', 'hi'],
    placeholders: [{ name: 'value 1' }],
    text: '{{1}} is your code.',
  },
  text: {
    ...NOTHING,
    name: 'order_update',
    label: 'Order update',
    channel: 'chatapp',
    variant: 'text',
    placeholders: [
      { name: 'customer', example: 'Asha' },
      { name: 'order' },
      { name: 'note', optional: true },
    ],
    text: 'Hello {{1}}, your order {{2}} is on its way. {{3}}',
  },
  document: {
    ...NOTHING,
    name: 'invoice',
    label: 'Invoice',
    channel: 'chatapp',
    variant: 'document',
    placeholders: [{ name: 'month' }],
    text: 'Your invoice for {{1}}.',
  },
  image: {
    ...NOTHING,
    name: 'festive_photo',
    label: 'Festive greeting',
    channel: 'chatapp',
    variant: 'image',
    text: 'Happy Diwali!',
  },
  video: {
    ...NOTHING,
    name: 'shop_tour',
    label: 'Shop tour',
    channel: 'chatapp',
    variant: 'video',
    placeholders: [{ name: 'shop' }],
    text: 'See {{1}} from inside.',
  },
} as const satisfies Record<string, ChatappTemplate>;

export const RCS_TEMPLATES = {
  plain: { ...NOTHING, name: 'store_open', label: 'Store', channel: 'rcs', variant: 'plain', text: 'Open.' },
  rich: { ...NOTHING, name: 'rate_us', label: 'Rate us', channel: 'rcs', variant: 'rich' },
  variables: {
    ...NOTHING,
    name: 'appointment',
    label: 'Appointment',
    channel: 'rcs',
    variant: 'variables',
    placeholders: [{ name: 'day' }, { name: 'hour' }],
    text: 'See you {{1}} at {{2}}.',
  },
  'carousel-fixed': {
    ...NOTHING,
    name: 'catalogue_fixed',
    label: 'Catalogue',
    channel: 'rcs',
    variant: 'carousel-fixed',
  },
  'carousel-images': {
    ...NOTHING,
    name: 'weekly_offers',
    label: 'Weekly offers',
    channel: 'rcs',
    variant: 'carousel-images',
    cards: 3,
  },
} as const satisfies Record<string, RcsTemplate>;

export const SMS_TEMPLATE = {
  ...NOTHING,
  name: 'order_shipped',
  label: 'Order shipped',
  channel: 'sms',
  variant: 'text',
  languages: ['en'],
  placeholders: [
    { name: 'customer', example: 'Asha' },
    { name: 'order', maxLength: 8 },
  ],
  text: 'Dear {{1}}, your order {{2}} is on its way. - Acme',
  dltTemplateId: '1107160000000000001',
  entityId: '1101550000000000001',
} as const satisfies SmsTemplate;

export const CONTEXT: FormContext = {
  senders: {
    chatapp: [
      { number: '+919876543210' as Msisdn, label: 'Support' },
      { number: '+919812345678' as Msisdn, label: 'Sales' },
    ],
    rcs: [
      { botId: 'acme-bot', label: 'Acme', type: 'PRETRANS' },
      { botId: 'promo-bot', label: 'Acme offers', type: 'PREPROMO' },
    ],
    sms: [
      { id: 'ACMEIN', label: 'Acme', type: 'TRANS' },
      { id: '6598765432', label: 'Acme SG', type: 'PROMO' },
    ],
  },
  defaultCountry: 'IN',
};
