import { describe, expect, it } from 'vitest';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Message } from '../../src/messages/kinds.ts';
import { API_KEY, ASHA, MEI, msisdn, openGateway, SMS } from './gateways.ts';
import { startHttpServer } from './servers.ts';

const FROM = msisdn('+6598765432');
const CHATAPP = { kind: 'chatapp', from: FROM, params: [] } as const;
const RCS = { kind: 'rcs', botId: 'acme-bot', type: 'PRETRANS' } as const;
const FLASH = { kind: 'flash', sender: 'ACMEIN', type: 'TRANS' } as const;

const IDS = { dltTemplateId: '1107160000000000001', entityId: '1101550000000000001' } as const;
const REGISTERED = { templateName: 'hello', params: [], ...IDS } as const;

const CONVERSATION = {
  recipient_type: 'individual',
  from: '+6598765432',
  to: '+919876543210',
  type: 'interactive',
} as const;
const BUTTONS = {
  kind: 'interactive',
  from: FROM,
  body: 'Come?',
  action: {
    type: 'button',
    buttons: [
      { id: 'yes~S-7K2M9QX4TB', proposed: true, title: 'Yes' },
      { id: 'no', proposed: false, title: 'No' },
    ],
  },
} as const;
const WIRED_BUTTONS = {
  buttons: [
    { type: 'reply', reply: { id: 'yes~S-7K2M9QX4TB', title: 'Yes' } },
    { type: 'reply', reply: { id: 'no', title: 'No' } },
  ],
};

const PATHS = {
  ...{ chatapp: '/v1/chatapp', interactive: '/v1/chatapp', address: '/v1/chatapp' },
  ...{ rcs: '/v1/rcs', sms: '/v1/sms', flash: '/sms' },
} as const satisfies Record<Message['kind'], string>;

const TEMPLATE = { from: '+6598765432', to: '+919876543210', type: 'template' } as const;
const BOT = { number: '+919876543210', botId: 'acme-bot', type: 'PRETRANS' } as const;

type Case = readonly [row: string, message: Message, body: unknown];

const CASES: readonly Case[] = [
  [
    '1, with language and campaign',
    {
      ...CHATAPP,
      variant: 'otp',
      templateName: 'login_code',
      otp: '482913',
      language: { code: 'hi' },
      campaignName: 'May',
    },
    {
      ...TEMPLATE,
      templateName: 'login_code',
      otp: '482913',
      language: { code: 'hi' },
      campaignName: 'May',
    },
  ],
  [
    '1, without them',
    { ...CHATAPP, variant: 'otp', templateName: 'login_code', otp: '482913' },
    {
      ...TEMPLATE,
      templateName: 'login_code',
      otp: '482913',
    },
  ],
  [
    '2',
    {
      ...CHATAPP,
      variant: 'document',
      templateName: 'invoice',
      params: ['May', '{{link}}'],
      header: { type: 'document', link: 'https://files.example/invoice.pdf', filename: 'invoice.pdf' },
    },
    {
      ...TEMPLATE,
      templateName: 'invoice',
      components: {
        // A value that looks like a placeholder is the customer's text and stays as it is.
        body: { params: ['May', '{{link}}'] },
        header: {
          type: 'document',
          document: { link: 'https://files.example/invoice.pdf', filename: 'invoice.pdf' },
        },
      },
    },
  ],
  [
    '2b',
    {
      ...CHATAPP,
      variant: 'image',
      templateName: 'festive_photo',
      header: { type: 'image', link: 'https://files.example/diwali.jpg' },
      campaignName: 'Diwali',
    },
    {
      ...TEMPLATE,
      templateName: 'festive_photo',
      campaignName: 'Diwali',
      components: {
        body: { params: [] },
        header: { type: 'image', image: { link: 'https://files.example/diwali.jpg' } },
      },
    },
  ],
  [
    '2c',
    {
      ...CHATAPP,
      variant: 'video',
      templateName: 'shop_tour',
      params: ['Acme'],
      header: { type: 'video', link: 'https://files.example/tour.mp4' },
    },
    {
      ...TEMPLATE,
      templateName: 'shop_tour',
      components: {
        body: { params: ['Acme'] },
        header: { type: 'video', video: { link: 'https://files.example/tour.mp4' } },
      },
    },
  ],
  [
    '3',
    { ...CHATAPP, variant: 'text', templateName: 'order_update', params: ['Asha', ''] },
    {
      ...TEMPLATE,
      templateName: 'order_update',
      components: { body: { params: ['Asha', ''] } },
    },
  ],
  [
    '4',
    { ...RCS, variant: 'variables', templateName: 'appointment', params: ['Monday', '10:00'] },
    {
      ...BOT,
      templateName: 'appointment',
      content: [{ params: ['Monday', '10:00'] }],
    },
  ],
  [
    '5',
    {
      ...RCS,
      variant: 'carousel-images',
      templateName: 'weekly_offers',
      fileUrls: ['https://files.example/1.png', 'https://files.example/2.png'],
      campaignName: 'Offers',
    },
    {
      ...BOT,
      templateName: 'weekly_offers',
      campaignName: 'Offers',
      content: [{ fileUrl: 'https://files.example/1.png' }, { fileUrl: 'https://files.example/2.png' }],
    },
  ],
  ...(['plain', 'rich', 'carousel-fixed'] as const).map(
    (variant, index): Case => [
      String(6 + index),
      { ...RCS, variant, templateName: 'store_open' },
      { ...BOT, templateName: 'store_open' },
    ],
  ),
  [
    '9',
    { ...SMS, campaignName: 'May' },
    {
      sender: 'ACMEIN',
      to: ['919876543210'],
      text: 'Your parcel is here.',
      type: 'TRANS',
      unicode: 0,
      campaignName: 'May',
    },
  ],
  [
    '9, outside the plain alphabet',
    { ...SMS, text: 'नमस्ते', unicode: true },
    { sender: 'ACMEIN', to: ['919876543210'], text: 'नमस्ते', type: 'TRANS', unicode: 1 },
  ],
  [
    '9, of a template that is registered',
    { ...SMS, ...REGISTERED },
    {
      sender: 'ACMEIN',
      to: ['919876543210'],
      text: 'Your parcel is here.',
      type: 'TRANS',
      unicode: 0,
      ...IDS,
    },
  ],
  [
    '10, of a template that is registered',
    { ...FLASH, text: 'Hello World!', unicode: false, ...REGISTERED },
    {
      sender: 'ACMEIN',
      to: '919876543210',
      text: 'Hello World!',
      type: 'TRANS',
      flash: 1,
      ...IDS,
    },
  ],
  [
    '10',
    { ...FLASH, text: 'Hello World!', unicode: false },
    { sender: 'ACMEIN', to: '919876543210', text: 'Hello World!', type: 'TRANS', flash: 1 },
  ],
  [
    '10, outside the plain alphabet',
    { ...FLASH, text: '🔥', unicode: true },
    { sender: 'ACMEIN', to: '919876543210', text: '🔥', type: 'TRANS', unicode: 1, flash: 1 },
  ],
  ...(
    [
      ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
      [
        'image by link',
        { type: 'image', media: { link: 'https://files.example/a.png', provider: { name: 'files' } } },
        { type: 'image', image: { link: 'https://files.example/a.png', provider: { name: 'files' } } },
      ],
      [
        'image by link, without a provider',
        { type: 'image', media: { link: 'https://files.example/a.png' } },
        { type: 'image', image: { link: 'https://files.example/a.png' } },
      ],
      ['image by id', { type: 'image', media: { id: '4711' } }, { type: 'image', image: { id: '4711' } }],
      ['video', { type: 'video', media: { id: '4711' } }, { type: 'video', video: { id: '4711' } }],
      [
        'document',
        {
          type: 'document',
          filename: 'may.pdf',
          media: { link: 'https://files.example/may.pdf', provider: { name: 'files' } },
        },
        {
          type: 'document',
          document: {
            link: 'https://files.example/may.pdf',
            provider: { name: 'files' },
            filename: 'may.pdf',
          },
        },
      ],
    ] as const
  ).map(
    ([name, header, wired]): Case => [
      `11, buttons under a header: ${name}`,
      { ...BUTTONS, header },
      {
        ...CONVERSATION,
        interactive: { type: 'button', header: wired, body: { text: 'Come?' }, action: WIRED_BUTTONS },
      },
    ],
  ),
  [
    '11b',
    { ...BUTTONS, action: { type: 'button', buttons: [] } },
    { ...CONVERSATION, type: 'text', text: { body: 'Come?' } },
  ],
  [
    '11, buttons without header, with footer and campaign',
    { ...BUTTONS, footer: 'Thanks', campaignName: 'May' },
    {
      ...CONVERSATION,
      campaignName: 'May',
      interactive: {
        type: 'button',
        body: { text: 'Come?' },
        footer: { text: 'Thanks' },
        action: WIRED_BUTTONS,
      },
    },
  ],
  [
    '11, list',
    {
      kind: 'interactive',
      from: FROM,
      header: { type: 'text', text: 'Slots' },
      body: 'Choose.',
      footer: 'Local times',
      action: {
        type: 'list',
        button: 'Choose',
        sections: [
          {
            id: 'today',
            title: 'Today',
            rows: [
              { id: 'am', proposed: false, title: 'Morning', description: '9 to 12' },
              { id: 'pm', proposed: true, title: 'Evening' },
            ],
          },
          { id: 'other', rows: [{ id: 'none', proposed: true, title: 'Another day' }] },
        ],
      },
    },
    {
      ...CONVERSATION,
      interactive: {
        type: 'list',
        header: { type: 'text', text: 'Slots' },
        body: { text: 'Choose.' },
        footer: { text: 'Local times' },
        action: {
          button: 'Choose',
          sections: [
            {
              id: 'today',
              title: 'Today',
              rows: [
                { id: 'am', title: 'Morning', description: '9 to 12' },
                { id: 'pm', title: 'Evening' },
              ],
            },
            { id: 'other', rows: [{ id: 'none', title: 'Another day' }] },
          ],
        },
      },
    },
  ],
  [
    '12, Singapore, with header, footer and campaign',
    {
      kind: 'address',
      from: FROM,
      country: 'SG',
      header: { type: 'image', media: { link: 'https://files.example/van.png' } },
      body: 'Where to?',
      footer: 'Thanks',
      campaignName: 'May',
      values: {},
      savedAddresses: [],
      validationErrors: {},
    },
    {
      ...CONVERSATION,
      campaignName: 'May',
      interactive: {
        type: 'address_message',
        header: { type: 'image', image: { link: 'https://files.example/van.png' } },
        body: { text: 'Where to?' },
        footer: { text: 'Thanks' },
        action: { name: 'address_message', parameters: { country: 'SG', values: {} } },
      },
    },
  ],
  [
    '12, India, with everything',
    {
      kind: 'address',
      from: FROM,
      country: 'IN',
      body: 'Where to?',
      values: { name: 'Asha', in_pin_code: '560001' },
      savedAddresses: [{ id: 'home', value: { city: 'Pune' } }],
      validationErrors: { in_pin_code: 'Not served' },
    },
    {
      ...CONVERSATION,
      interactive: {
        type: 'address_message',
        body: { text: 'Where to?' },
        action: {
          name: 'address_message',
          parameters: {
            country: 'IN',
            values: { name: 'Asha', in_pin_code: '560001' },
            saved_addresses: [{ id: 'home', value: { city: 'Pune' } }],
            validation_errors: { in_pin_code: 'Not served' },
          },
        },
      },
    },
  ],
  [
    '12, Singapore, with nothing filled in',
    {
      kind: 'address',
      from: FROM,
      country: 'SG',
      body: 'Where to?',
      values: {},
      savedAddresses: [],
      validationErrors: {},
    },
    {
      ...CONVERSATION,
      interactive: {
        type: 'address_message',
        body: { text: 'Where to?' },
        action: { name: 'address_message', parameters: { country: 'SG', values: {} } },
      },
    },
  ],
];

describe('wire requests', () => {
  it.each(CASES)('row %s', async (_row, message, body) => {
    const server = await startHttpServer(() => ({ body: '{"code":200,"messageId":"m-1"}' }));
    const outcome = await openGateway(server.url).deliver(message, [ASHA]);
    expect(outcome).toEqual({ state: 'accepted', status: 200, messageId: 'm-1' });
    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: PATHS[message.kind],
        headers: {
          host: new URL(server.url).host,
          connection: 'keep-alive',
          apikey: API_KEY,
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': 'Herald',
          'content-length': String(Buffer.byteLength(JSON.stringify(server.requests[0]?.body))),
        },
        body,
      },
    ]);
  });

  it('puts several recipients into one SMS request', async () => {
    const server = await startHttpServer();
    await openGateway(server.url).deliver(SMS, [ASHA, MEI]);
    expect(server.requests.map(({ body }) => body)).toEqual([
      {
        sender: 'ACMEIN',
        to: ['919876543210', '6591234567'],
        text: 'Your parcel is here.',
        type: 'TRANS',
        unicode: 0,
      },
    ]);
  });

  it('puts as many recipients into one SMS request as the team lets share one, be it thousands', async () => {
    const server = await startHttpServer();
    await openGateway(server.url).deliver(
      SMS,
      Array.from({ length: 2_500 }, () => ASHA),
    );
    expect(server.requests.map(({ body }) => (body as { to: unknown[] }).to.length)).toEqual([2_500]);
  });

  it('names the sender of the country, refuses as a bug one that has several, and sends nothing without', async () => {
    const server = await startHttpServer();
    const gateway = openGateway(server.url);
    const { sender: _sender, ...unsent } = SMS;
    const senders = { IN: 'ACMEIN' };
    await gateway.deliver({ ...SMS, sender: 'ACME', senders }, [ASHA]);
    await gateway.deliver({ ...SMS, sender: 'ACME', senders }, [MEI]);
    await gateway.deliver({ ...FLASH, text: 'Hi', unicode: false, senders }, [ASHA]);
    const body = { text: 'Your parcel is here.', type: 'TRANS', unicode: 0 };
    expect(server.requests.map((request) => request.body)).toEqual([
      { ...body, sender: 'ACMEIN', to: ['919876543210'] },
      { ...body, sender: 'ACME', to: ['6591234567'] },
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
    const flash = { ...FLASH, text: 'Hi', unicode: false };
    await expect(gateway.deliver(flash, [ASHA, MEI])).rejects.toThrow(
      new RangeError('A flash request takes 1 to 1 recipients, not 2.'),
    );
    await expect(gateway.deliver(SMS, [])).rejects.toThrow(RangeError);
    expect(server.requests).toEqual([]);
  });

  it('keeps the path of the address and ignores its trailing slash', async () => {
    const server = await startHttpServer();
    const gateway = openGateway(server.url, {
      baseUrl: `${server.url}/messaging/`,
      flashUrl: `${server.url}/flash//`,
    });
    await gateway.deliver(SMS, [ASHA]);
    await gateway.deliver({ ...FLASH, text: 'Hi', unicode: false }, [ASHA]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/messaging/v1/sms', '/flash/sms']);
  });

  it('sends flash SMS to the flash host', async () => {
    const base = await startHttpServer();
    const flash = await startHttpServer();
    const gateway = openGateway(base.url, { flashUrl: flash.url });
    await gateway.deliver({ ...FLASH, text: 'Hi', unicode: false }, [ASHA]);
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
    const outcomes = [
      await gateway.deliver({ ...FLASH, text: 'Hi', unicode: false }, [ASHA]),
      await gateway.deliver(SMS, [ASHA]),
    ];
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
    const gateway = openGateway(server.url, { wire });
    await gateway.deliver({ ...SMS, ...REGISTERED }, [{ ...ASHA, sendId: 'S-7K2M9QX4TB', row: 12 }]);
    await gateway.deliver(SMS, [ASHA]);
    expect(server.requests.map((request) => request.body)).toEqual([
      [
        {
          to: '919876543210',
          text: 'Your parcel is here.',
          ref: 'S-7K2M9QX4TB-12',
          dlt: '1107160000000000001',
        },
      ],
      [{ to: '919876543210', text: 'Your parcel is here.' }],
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
    const wire = wireSchema.parse({
      chatapp: { numberFormat: 'digits' },
      rcs: { numberFormat: 'digits' },
      chatappText: {
        body: {
          from: '{{from}}',
          to: '{{to}}',
          template: { name: '{{templateName}}', values: '{{params}}' },
          tag: '{{campaignName}}',
        },
      },
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
        body: { from: '+6598765432', to: '919876543210', template: { name: 'order_update', values: [] } },
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
    const outcome = await openGateway(server.url).deliver(
      { ...CHATAPP, variant: 'otp', templateName: 'login_code' },
      [ASHA],
    );
    expect(outcome).toEqual({
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
