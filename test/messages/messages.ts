import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import { RCS_TEMPLATES, SMS_TEMPLATE, TEMPLATES } from './samples.ts';

export const FROM = '+919876543210' as Msisdn;
const chatapp = { kind: 'chatapp', from: FROM, params: [] } as const;
const interactive = { kind: 'interactive', from: FROM, body: 'Hello {{name}},\nwhich one?' } as const;
const action = {
  type: 'button',
  buttons: [
    { id: 'yes', proposed: true, title: 'Yes' },
    { id: 'no-thanks', proposed: false, title: 'No' },
  ],
} as const;
const address = { kind: 'address', from: FROM, country: 'IN', body: 'Where to,\n{{name}}?' } as const;
const NO_ENDING = 'https://files.example/photo';

/** One of every shape, with the template it is made from. */
export const MESSAGES: readonly (readonly [what: string, message: Message, template?: Template])[] = [
  [
    'a one-time password',
    {
      ...chatapp,
      variant: 'otp',
      templateName: 'login_code',
      otp: '493021',
      language: { code: 'hi' },
      campaignName: 'Logins',
    },
    TEMPLATES.otp,
  ],
  [
    'a text',
    { ...chatapp, variant: 'text', templateName: 'order_update', params: ['{{name}}', 'A-1', ''] },
    TEMPLATES.text,
  ],
  [
    'a document whose template has left',
    {
      ...chatapp,
      variant: 'document',
      templateName: 'invoice',
      params: ['May'],
      header: { type: 'document', link: 'https://files.example/may', filename: 'May.pdf' },
    },
  ],
  [
    'an image',
    {
      ...chatapp,
      variant: 'image',
      templateName: 'festive_photo',
      header: { type: 'image', link: NO_ENDING },
    },
    TEMPLATES.image,
  ],
  [
    'RCS with values',
    {
      kind: 'rcs',
      variant: 'variables',
      templateName: 'appointment',
      botId: 'acme-bot',
      type: 'PRETRANS',
      params: ['{{name}}', '10:00'],
    },
    RCS_TEMPLATES.variables,
  ],
  [
    'a carousel',
    {
      kind: 'rcs',
      variant: 'carousel-images',
      templateName: 'weekly_offers',
      botId: 'acme-bot',
      type: 'PREPROMO',
      fileUrls: ['https://files.example/1.png', 'https://files.example/2.png'],
      campaignName: 'Spring',
    },
  ],
  [
    'an SMS',
    {
      kind: 'sms',
      sender: 'ACMEIN',
      text: 'Dear {{name}},\nhello.',
      type: 'PROMO',
      unicode: false,
      campaignName: 'Spring',
    },
  ],
  [
    'an SMS of a template',
    {
      kind: 'sms',
      sender: 'ACMEIN',
      text: 'Dear {{name}}, your order A-1 is on its way. - Acme',
      templateName: 'order_shipped',
      params: ['{{name}}', 'A-1'],
      dltTemplateId: '1107160000000000001',
      entityId: '1101550000000000001',
      type: 'TRANS',
      unicode: false,
    },
    SMS_TEMPLATE,
  ],
  [
    'a password of a template',
    {
      kind: 'flash',
      sender: 'ACMEIN',
      text: 'Dear Asha, 4711 is your code.',
      templateName: 'code',
      params: ['Asha', '4711'],
      type: 'OTP',
      unicode: false,
    },
  ],
  ['a flash SMS', { kind: 'flash', sender: 'ACMEIN', text: '[1]€ é 漢😀', type: 'OTP', unicode: true }],
  [
    'an image above buttons',
    {
      ...interactive,
      header: { type: 'image', media: { link: NO_ENDING, provider: { name: 'acme_cdn' } } },
      footer: 'For {{name}}',
      action,
      campaignName: 'Spring',
    },
  ],
  [
    'a video by id above buttons',
    { ...interactive, header: { type: 'video', media: { id: '4711' } }, action },
  ],
  [
    'a document above buttons',
    {
      ...interactive,
      header: { type: 'document', media: { link: 'https://files.example/a.png' }, filename: 'a.pdf' },
      action,
    },
  ],
  [
    'a list',
    {
      ...interactive,
      header: { type: 'text', text: 'For {{name}}' },
      action: {
        type: 'list',
        button: 'Choose',
        sections: [
          {
            id: 'section-1',
            title: 'Today',
            rows: [
              { id: 'am', proposed: false, title: 'Morning', description: '9 to 12' },
              { id: 'evening', proposed: true, title: 'Evening' },
            ],
          },
          { id: 'later', rows: [{ id: 'any', proposed: true, title: 'Any time' }] },
        ],
      },
    },
  ],
  ['an address', { ...address, values: {}, savedAddresses: [], validationErrors: {} }],
  [
    'an address with everything',
    {
      ...address,
      header: { type: 'image', media: { link: 'https://files.example/a.png' } },
      footer: 'Thanks,\n{{name}}',
      values: { name: '{{name}}', city: 'Pune' },
      savedAddresses: [
        { id: 'home', value: { city: 'Pune', state: 'MH' } },
        { id: 'work', value: { city: 'Goa' } },
      ],
      validationErrors: { in_pin_code: 'Six digits.' },
      campaignName: 'Spring',
    },
  ],
];
