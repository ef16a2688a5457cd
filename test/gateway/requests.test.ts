import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Message } from '../../src/messages/kinds.ts';
import { FROM, MESSAGES } from '../messages/messages.ts';
import { API_KEY, ASHA, MEI, openGateway, SMS } from './gateways.ts';
import { startHttpServer } from './servers.ts';

const CHATAPP = { kind: 'chatapp', from: FROM, params: [] } as const;
const RCS = { kind: 'rcs', botId: 'acme-bot', type: 'PRETRANS' } as const;
const FLASH = { kind: 'flash', sender: 'ACMEIN', type: 'TRANS', text: 'Hi', unicode: false } as const;

const IDS = { dltTemplateId: '1107160000000000001', entityId: '1101550000000000001' } as const;
const REGISTERED = { templateName: 'hello', params: [], ...IDS } as const;

/** What is sent of `SMS`, besides from whom and to whom. */
const BODY = { text: 'Your parcel is here.', type: 'TRANS', unicode: 0 };

const link = 'https://files.example/a';
const action = {
  type: 'button',
  buttons: [{ id: 'yes~S-7K2M9QX4TB', proposed: true, title: 'Yes' }],
} as const;
const BUTTONS = { kind: 'interactive', from: FROM, body: 'Come?', action } as const;

/** Besides those that kinds are asked about. */
const MORE: readonly (readonly [what: string, message: Message])[] = [
  [
    'a one-time password of one language',
    { ...CHATAPP, variant: 'otp', templateName: 'login_code', otp: '482913' },
  ],
  [
    'a video, and a value that looks like a placeholder, which is the customer’s text',
    {
      ...CHATAPP,
      variant: 'video',
      templateName: 'tour',
      params: ['{{link}}'],
      header: { type: 'video', link },
    },
  ],
  ...(['plain', 'rich', 'carousel-fixed'] as const).map(
    (variant) => [`RCS, ${variant}`, { ...RCS, variant, templateName: 'store_open' }] as const,
  ),
  ['an SMS outside the plain alphabet', { ...SMS, text: 'नमस्ते', unicode: true }],
  ['a flash SMS in the plain alphabet', { ...FLASH, text: 'Hello World!' }],
  ['a flash SMS that is registered', { ...FLASH, text: 'Hello World!', ...REGISTERED }],
  ['a text above buttons', { ...BUTTONS, header: { type: 'text', text: 'Hi' } }],
  ['an image by id above buttons', { ...BUTTONS, header: { type: 'image', media: { id: '4711' } } }],
  [
    'a document of a provider above buttons',
    {
      ...BUTTONS,
      header: { type: 'document', filename: 'may.pdf', media: { link, provider: { name: 'files' } } },
    },
  ],
  [
    'an address in Singapore',
    {
      ...{ kind: 'address', from: FROM, country: 'SG', body: 'Where to?' },
      ...{ values: {}, savedAddresses: [], validationErrors: {} },
    },
  ],
  ['a text without buttons', { ...BUTTONS, action: { type: 'button', buttons: [] } }],
];

describe('wire requests', () => {
  it('are those of requests.txt, byte for byte', async () => {
    const server = await startHttpServer(() => ({ body: '{"code":200,"messageId":"m-1"}' }));
    const gateway = openGateway(server.url);
    const texts: string[] = [];
    for (const [what, message] of [...MESSAGES, ...MORE]) {
      const outcome = await gateway.deliver(message, [MEI]);
      expect(outcome).toEqual({ state: 'accepted', status: 200, messageId: 'm-1' });
      const { method, path, headers, text } = server.requests.at(-1) ?? expect.fail('no request');
      expect(headers).toEqual({
        host: new URL(server.url).host,
        connection: 'keep-alive',
        apikey: API_KEY,
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Herald',
        'content-length': String(Buffer.byteLength(text)),
      });
      texts.push([what, `${method} ${path}`, text, ''].join('\n'));
    }
    expect(server.requests).toHaveLength(texts.length);
    const requests = texts.join('\n');
    expect(requests).toBe(readFileSync(join(import.meta.dirname, 'requests.txt'), 'utf8'));
  });

  it('puts several recipients into one SMS request', async () => {
    const server = await startHttpServer();
    await openGateway(server.url).deliver(SMS, [ASHA, MEI]);
    expect(server.requests.map(({ body }) => body)).toEqual([
      { ...BODY, sender: 'ACMEIN', to: ['919876543210', '6591234567'] },
    ]);
  });

  it('puts as many recipients into one SMS request as the team lets share one, be it thousands', async () => {
    const server = await startHttpServer();
    await openGateway(server.url).deliver(SMS, Array(2_500).fill(ASHA));
    expect(server.requests.map(({ body }) => (body as { to: unknown[] }).to.length)).toEqual([2_500]);
  });

  it('names the sender of the country, refuses as a bug one that has several, and sends nothing without', async () => {
    const server = await startHttpServer();
    const gateway = openGateway(server.url);
    const { sender: _sender, ...unsent } = SMS;
    const senders = { IN: 'ACMEIN' };
    await gateway.deliver({ ...SMS, sender: 'ACME', senders }, [ASHA]);
    await gateway.deliver({ ...SMS, sender: 'ACME', senders }, [MEI]);
    await gateway.deliver({ ...FLASH, senders }, [ASHA]);
    expect(server.requests.map((request) => request.body)).toEqual([
      { ...BODY, sender: 'ACMEIN', to: ['919876543210'] },
      { ...BODY, sender: 'ACME', to: ['6591234567'] },
      { sender: 'ACMEIN', to: '919876543210', text: 'Hi', type: 'TRANS', flash: 1 },
    ]);
    const both = gateway.deliver({ ...SMS, sender: 'ACME', senders }, [ASHA, MEI]);
    await expect(both).rejects.toThrow('One request has one SMS sender.');
    expect(await gateway.deliver({ ...unsent, senders }, [MEI])).toMatchObject({
      state: 'rejected',
      failure: { what: expect.stringContaining('it has no value for the sender of its country') },
    });
    expect(server.requests).toHaveLength(3);
  });

  it('refuses as a bug more recipients than a request can carry, and none', async () => {
    const server = await startHttpServer();
    const gateway = openGateway(server.url);
    await expect(gateway.deliver(FLASH, [ASHA, MEI])).rejects.toThrow(
      new RangeError('A flash request takes 1 to 1 recipients, not 2.'),
    );
    await expect(gateway.deliver(SMS, [])).rejects.toThrow(RangeError);
    expect(server.requests).toEqual([]);
  });

  it('keeps the path of the address and ignores its trailing slash', async () => {
    const server = await startHttpServer();
    const [baseUrl, flashUrl] = [`${server.url}/messaging/`, `${server.url}/flash//`];
    const gateway = openGateway(server.url, { baseUrl, flashUrl });
    await gateway.deliver(SMS, [ASHA]);
    await gateway.deliver(FLASH, [ASHA]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/messaging/v1/sms', '/flash/sms']);
  });

  it('sends flash SMS to the flash host', async () => {
    const base = await startHttpServer();
    const flash = await startHttpServer();
    const gateway = openGateway(base.url, { flashUrl: flash.url });
    await gateway.deliver(FLASH, [ASHA]);
    await gateway.deliver(SMS, [ASHA]);
    expect([base.requests.length, flash.requests.length]).toEqual([1, 1]);
  });

  it.each([
    [{ Authorization: 'Bearer {{apiKey}}' }, { authorization: `Bearer ${API_KEY}` }],
    [{ Authorization: 'Basic {{basic}}' }, { authorization: `Basic ${btoa(API_KEY)}` }],
    [
      { 'X-Account': '17', 'X-Key': '{{apiKey}}' },
      { 'x-account': '17', 'x-key': API_KEY },
    ],
  ])('shows the key as the account wants it: %o', async (headers, expected) => {
    const server = await startHttpServer();
    await openGateway(server.url, { wire: wireSchema.parse({ headers }) }).deliver(SMS, [ASHA]);
    const { host: _host, 'content-length': _length, ...sent } = server.requests[0]?.headers ?? {};
    expect(sent).toEqual({
      connection: 'keep-alive',
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Herald',
      ...expected,
    });
  });

  it('shows the flash host its own key, and neither key to a person', async () => {
    const echo = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => ({
      status: 400,
      body: JSON.stringify({ error: `bad key ${headers.apikey} (${btoa(String(headers.apikey))})` }),
    });
    const server = await startHttpServer(echo);
    const gateway = openGateway(server.url, { flashApiKey: 'flash-key-77' });
    const outcomes = [await gateway.deliver(FLASH, [ASHA]), await gateway.deliver(SMS, [ASHA])];
    expect(server.requests.map(({ headers }) => headers.apikey)).toEqual(['flash-key-77', API_KEY]);
    expect(JSON.stringify(outcomes)).toContain('bad key ••• (•••)');
    expect(() => openGateway(server.url, { flashApiKey: 'a key' })).toThrow(
      'MESSAGING_FLASH_API_KEY is empty',
    );
  });

  it('puts a reference of the recipient, and a list at the top, into a body of the account’s own', async () => {
    const server = await startHttpServer();
    const body = [{ to: '{{to}}', text: '{{text}}', ref: '{{reference}}', dlt: '{{dltTemplateId}}' }];
    const wire = wireSchema.parse({ sms: { body } });
    expect(wire.rows.sms.recipientsPerRequest).toBe(1);
    const many = { to: '{{recipients}}', text: '{{text}}', ref: '{{reference}}' };
    expect(wireSchema.parse({ sms: { body: many } }).rows.sms.recipientsPerRequest).toBe(1);
    const gateway = openGateway(server.url, { wire });
    await gateway.deliver({ ...SMS, ...REGISTERED }, [{ ...ASHA, sendId: 'S-7K2M9QX4TB', row: 12 }]);
    await gateway.deliver(SMS, [ASHA]);
    const one = { to: '919876543210', text: 'Your parcel is here.' };
    expect(server.requests.map((request) => request.body)).toEqual([
      [{ ...one, ref: 'S-7K2M9QX4TB-12', dlt: '1107160000000000001' }],
      [one],
    ]);
  });

  it.each([
    [{ apikey: 'x' }, 'No header holds the key'],
    [{ 'Content-Type': '{{apiKey}}' }, 'Write headers that Herald does not write itself'],
    [{ 'api key': '{{apiKey}}' }, 'Write headers that Herald does not write itself'],
    [{ apikey: '{{apiKey}}\r\nx: y' }, 'Write plain ASCII on one line'],
  ])('does not take the headers %o', (headers, expected) => {
    expect(wireSchema.safeParse({ headers }).error?.issues[0]?.message).toContain(expected);
  });

  it('follows the operator’s overrides', async () => {
    const server = await startHttpServer();
    const template = { name: '{{templateName}}', values: '{{params}}' };
    const wire = wireSchema.parse({
      chatapp: { numberFormat: 'digits' },
      rcs: { numberFormat: 'digits' },
      chatappText: { body: { from: '{{from}}', to: '{{to}}', template, tag: '{{campaignName}}' } },
      sms: { path: '/v2/bulk', numberFormat: 'e164', body: { to: '{{to}}', message: '{{text}}' } },
    });
    const gateway = openGateway(server.url, { wire });
    await gateway.deliver({ ...CHATAPP, variant: 'text', templateName: 'order_update' }, [ASHA]);
    await gateway.deliver({ ...RCS, variant: 'plain', templateName: 'appointment' }, [ASHA]);
    await gateway.deliver(SMS, [ASHA]);
    await expect(gateway.deliver(SMS, [ASHA, MEI])).rejects.toThrow(RangeError);
    expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: '/v1/chatapp',
        body: { from: FROM, to: '919876543210', template: { name: 'order_update', values: [] } },
      },
      {
        path: '/v1/rcs',
        body: { number: '919876543210', templateName: 'appointment', botId: 'acme-bot', type: 'PRETRANS' },
      },
      { path: '/v2/bulk', body: { to: '+919876543210', message: 'Your parcel is here.' } },
    ]);
  });

  it('does not send a one-time password message whose password is gone', async () => {
    const server = await startHttpServer();
    const otp = { ...CHATAPP, variant: 'otp', templateName: 'login_code' } as const;
    expect(await openGateway(server.url).deliver(otp, [ASHA])).toEqual({
      state: 'rejected',
      failure: {
        what: 'Herald did not send this message, because it has no value for otp.',
        next: 'Fill it in and send the message again.',
        scope: 'recipient',
      },
    });
    expect(server.requests).toEqual([]);
  });
});
