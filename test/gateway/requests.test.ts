import { describe, expect, it } from 'vitest';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Message } from '../../src/messages/kinds.ts';
import { API_KEY, ASHA, MEI, msisdn, openGateway, SMS } from './gateways.ts';
import { startHttpServer } from './servers.ts';

const FROM = msisdn('+6598765432');
const CHATAPP = { kind: 'chatapp', from: FROM, params: [] } as const;
const RCS = { kind: 'rcs', botId: 'acme-bot', type: 'PRETRANS' } as const;
const FLASH = { kind: 'flash', sender: 'ACMEIN', type: 'TRANS' } as const;

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

const CASES: readonly {
  readonly row: string;
  readonly message: Message;
  readonly path: string;
  readonly body: unknown;
}[] = [
  {
    row: '1, with language and campaign',
    message: {
      ...CHATAPP,
      variant: 'otp',
      templateName: 'login_code',
      otp: '482913',
      language: { code: 'hi' },
      campaignName: 'May',
    },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'login_code',
      type: 'template',
      otp: '482913',
      language: { code: 'hi' },
      campaignName: 'May',
    },
  },
  {
    row: '1, without them',
    message: { ...CHATAPP, variant: 'otp', templateName: 'login_code', otp: '482913' },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'login_code',
      type: 'template',
      otp: '482913',
    },
  },
  {
    row: '2',
    message: {
      ...CHATAPP,
      variant: 'document',
      templateName: 'invoice',
      params: ['May', '{{link}}'],
      header: { type: 'document', link: 'https://files.example/invoice.pdf', filename: 'invoice.pdf' },
    },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'invoice',
      type: 'template',
      components: {
        // A value that looks like a placeholder is the customer's text and stays as it is.
        body: { params: ['May', '{{link}}'] },
        header: {
          type: 'document',
          document: { link: 'https://files.example/invoice.pdf', filename: 'invoice.pdf' },
        },
      },
    },
  },
  {
    row: '2b',
    message: {
      ...CHATAPP,
      variant: 'image',
      templateName: 'festive_photo',
      header: { type: 'image', link: 'https://files.example/diwali.jpg' },
      campaignName: 'Diwali',
    },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'festive_photo',
      type: 'template',
      campaignName: 'Diwali',
      components: {
        body: { params: [] },
        header: { type: 'image', image: { link: 'https://files.example/diwali.jpg' } },
      },
    },
  },
  {
    row: '2c',
    message: {
      ...CHATAPP,
      variant: 'video',
      templateName: 'shop_tour',
      params: ['Acme'],
      header: { type: 'video', link: 'https://files.example/tour.mp4' },
    },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'shop_tour',
      type: 'template',
      components: {
        body: { params: ['Acme'] },
        header: { type: 'video', video: { link: 'https://files.example/tour.mp4' } },
      },
    },
  },
  {
    row: '3',
    message: { ...CHATAPP, variant: 'text', templateName: 'order_update', params: ['Asha', ''] },
    path: '/v1/chatapp',
    body: {
      from: '+6598765432',
      to: '+919876543210',
      templateName: 'order_update',
      type: 'template',
      components: { body: { params: ['Asha', ''] } },
    },
  },
  {
    row: '4',
    message: { ...RCS, variant: 'variables', templateName: 'appointment', params: ['Monday', '10:00'] },
    path: '/v1/rcs',
    body: {
      number: '+919876543210',
      templateName: 'appointment',
      botId: 'acme-bot',
      type: 'PRETRANS',
      content: [{ params: ['Monday', '10:00'] }],
    },
  },
  {
    row: '5',
    message: {
      ...RCS,
      variant: 'carousel-images',
      templateName: 'weekly_offers',
      fileUrls: ['https://files.example/1.png', 'https://files.example/2.png'],
      campaignName: 'Offers',
    },
    path: '/v1/rcs',
    body: {
      number: '+919876543210',
      templateName: 'weekly_offers',
      botId: 'acme-bot',
      type: 'PRETRANS',
      campaignName: 'Offers',
      content: [{ fileUrl: 'https://files.example/1.png' }, { fileUrl: 'https://files.example/2.png' }],
    },
  },
  ...(['plain', 'rich', 'carousel-fixed'] as const).map((variant, index) => ({
    row: String(6 + index),
    message: { ...RCS, variant, templateName: 'store_open' } as const,
    path: '/v1/rcs',
    body: { number: '+919876543210', templateName: 'store_open', botId: 'acme-bot', type: 'PRETRANS' },
  })),
  {
    row: '9',
    message: { ...SMS, campaignName: 'May' },
    path: '/v1/sms',
    body: {
      sender: 'ACMEIN',
      to: ['919876543210'],
      text: 'Your parcel is here.',
      type: 'TRANS',
      unicode: 0,
      campaignName: 'May',
    },
  },
  {
    row: '9, outside the plain alphabet',
    message: { ...SMS, text: 'नमस्ते', unicode: true },
    path: '/v1/sms',
    body: { sender: 'ACMEIN', to: ['919876543210'], text: 'नमस्ते', type: 'TRANS', unicode: 1 },
  },
  {
    row: '10',
    message: { ...FLASH, text: 'Hello World!', unicode: false },
    path: '/sms',
    body: { sender: 'ACMEIN', to: '919876543210', text: 'Hello World!', type: 'TRANS', flash: 1 },
  },
  {
    row: '10, outside the plain alphabet',
    message: { ...FLASH, text: '🔥', unicode: true },
    path: '/sms',
    body: { sender: 'ACMEIN', to: '919876543210', text: '🔥', type: 'TRANS', unicode: 1, flash: 1 },
  },
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
  ).map(([name, header, wired]) => ({
    row: `11, buttons under a header: ${name}`,
    message: { ...BUTTONS, header },
    path: '/v1/chatapp',
    body: {
      ...CONVERSATION,
      interactive: { type: 'button', header: wired, body: { text: 'Come?' }, action: WIRED_BUTTONS },
    },
  })),
  {
    row: '11, buttons without header, with footer and campaign',
    message: { ...BUTTONS, footer: 'Thanks', campaignName: 'May' },
    path: '/v1/chatapp',
    body: {
      ...CONVERSATION,
      campaignName: 'May',
      interactive: {
        type: 'button',
        body: { text: 'Come?' },
        footer: { text: 'Thanks' },
        action: WIRED_BUTTONS,
      },
    },
  },
  {
    row: '11, list',
    message: {
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
    path: '/v1/chatapp',
    body: {
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
  },
  {
    row: '12, Singapore, with header, footer and campaign',
    message: {
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
    path: '/v1/chatapp',
    body: {
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
  },
  {
    row: '12, India, with everything',
    message: {
      kind: 'address',
      from: FROM,
      country: 'IN',
      body: 'Where to?',
      values: { name: 'Asha', in_pin_code: '560001' },
      savedAddresses: [{ id: 'home', value: { city: 'Pune' } }],
      validationErrors: { in_pin_code: 'Not served' },
    },
    path: '/v1/chatapp',
    body: {
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
  },
  {
    row: '12, Singapore, with nothing filled in',
    message: {
      kind: 'address',
      from: FROM,
      country: 'SG',
      body: 'Where to?',
      values: {},
      savedAddresses: [],
      validationErrors: {},
    },
    path: '/v1/chatapp',
    body: {
      ...CONVERSATION,
      interactive: {
        type: 'address_message',
        body: { text: 'Where to?' },
        action: { name: 'address_message', parameters: { country: 'SG', values: {} } },
      },
    },
  },
];

describe('wire requests', () => {
  it.each(CASES)('row $row', async ({ message, path, body }) => {
    const server = await startHttpServer(() => ({ body: '{"code":200,"messageId":"m-1"}' }));
    const outcome = await openGateway(server.url).deliver(message, [ASHA]);
    expect(outcome).toEqual({ state: 'accepted', status: 200, messageId: 'm-1' });
    expect(server.requests).toEqual([
      {
        method: 'POST',
        path,
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
