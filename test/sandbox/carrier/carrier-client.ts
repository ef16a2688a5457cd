import { type Carrier, type CarrierOptions, startCarrier } from '../../../sandbox/carrier/server.ts';
import type { CarrierFault } from '../../../sandbox/protocol.ts';

export const API_KEY = 'carrier-test-key';

const TEMPLATES: NonNullable<CarrierOptions['templates']> = [
  {
    channel: 'chatapp',
    name: 'login_code',
    variant: 'otp',
    placeholders: 1,
    languages: ['en_US', 'hi'],
    text: '{{1}} is your code.',
  },
  {
    channel: 'chatapp',
    name: 'order_update',
    variant: 'text',
    placeholders: 2,
    text: 'Hello {{1}}, order {{2}}.',
  },
  { channel: 'chatapp', name: 'invoice', variant: 'document', placeholders: 1 },
  { channel: 'chatapp', name: 'photo', variant: 'image', placeholders: 0 },
  { channel: 'chatapp', name: 'tour', variant: 'video', placeholders: 0, languages: ['en_US'] },
  { channel: 'rcs', name: 'appointment', variant: 'variables', placeholders: 2 },
  { channel: 'rcs', name: 'offers', variant: 'carousel-images', placeholders: 0, cards: 2 },
  { channel: 'rcs', name: 'store_open', variant: 'plain', placeholders: 0 },
];

export const FROM = '+919876543210';
export const TO = '+6591234567';

const chat = <Name extends string>(templateName: Name) =>
  ({ from: FROM, to: TO, templateName, type: 'template' }) as const;
const rcs = <Name extends string>(templateName: Name) =>
  ({ number: TO, templateName, botId: 'acme-bot', type: 'PRETRANS' }) as const;
const MAY = { link: 'https://files.example/may.pdf', filename: 'may.pdf' };

/** One good body a row of docs/wire.md; tests break one thing at a time. */
export const GOOD = {
  otp: { ...chat('login_code'), otp: '482913' },
  document: {
    ...chat('invoice'),
    components: { body: { params: ['May'] }, header: { type: 'document', document: MAY } },
  },
  image: {
    ...chat('photo'),
    components: {
      body: { params: [] },
      header: { type: 'image', image: { link: 'https://files.example/a.JPG?size=1' } },
    },
  },
  video: {
    ...{ ...chat('tour'), language: { code: 'en_US' } },
    components: {
      body: { params: [] },
      header: { type: 'video', video: { link: 'https://files.example/tour.mp4' } },
    },
  },
  text: { ...chat('order_update'), components: { body: { params: ['Asha', 'A-1'] } } },
  variables: { ...rcs('appointment'), content: [{ params: ['Monday', '10:00'] }] },
  carousel: {
    ...rcs('offers'),
    content: [{ fileUrl: 'https://files.example/1.png' }, { fileUrl: 'https://files.example/2.png' }],
  },
  plain: rcs('store_open'),
  sms: { sender: 'ACMEIN', to: ['6591234567', '919812345678'], text: 'Hello', type: 'TRANS', unicode: 0 },
  flash: { sender: 'ACMEIN', to: '6591234567', text: 'Hello', type: 'TRANS', flash: 1 },
} as const;

export const PATHS: Readonly<Record<keyof typeof GOOD, string>> = {
  ...{ otp: '/v1/chatapp', document: '/v1/chatapp', image: '/v1/chatapp', video: '/v1/chatapp' },
  ...{ text: '/v1/chatapp', variables: '/v1/rcs', carousel: '/v1/rcs', plain: '/v1/rcs' },
  ...{ sms: '/v1/sms', flash: '/sms' },
};

export const NOW = 1_700_000_000_000;

export function startTestCarrier(clock: CarrierOptions['clock'] = { now: () => NOW }): Promise<Carrier> {
  return startCarrier({
    port: 0,
    apiKey: API_KEY,
    templates: TEMPLATES,
    senders: { chatapp: [FROM], rcs: ['acme-bot'], sms: ['ACMEIN'] },
    clock,
  });
}

export function post(
  carrier: Carrier,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(carrier.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { apikey: API_KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function fault(does: CarrierFault['do']): CarrierFault[] {
  return [{ do: does, times: 1 }];
}
