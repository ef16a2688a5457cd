import { describe, expect, it } from 'vitest';
import { NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import type { WebhookEvent } from '../../../src/sends/replies/event.ts';

/*
 * Webhooks of public documentation, in the smallest form that still has its shape: what must be read of each. Names are of
 * the services that publish such a shape.
 */

const WHO = '+919812345678';
const who = '919812345678';
const US = '+14155550100';
const us = '14155550100';

function decode(body: unknown, ours: readonly string[] = []): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return decodeWebhook({ bytes: Buffer.from(text) }, NO_SECRETS, new Set(ours)).map(told);
}

function told(event: WebhookEvent): string {
  if (event.kind === 'report') {
    const { messageId, otherIds = [], status, number, failure } = event;
    const ids = [messageId, ...otherIds].join('/');
    return `${status} ${ids} ${number ?? '?'}${failure?.code === undefined ? '' : ` code ${failure.code}`}`;
  }
  const from = event.from ?? 'nobody';
  if (event.kind === 'text') return `${event.asksToStop ? 'stop' : 'text'} ${from}: ${event.text}`;
  if (event.kind === 'reply') return `tap ${from}: ${event.replyId} ${event.title ?? ''}`.trim();
  return `${event.kind} ${from}`;
}

type Shape = readonly [string, unknown, readonly string[]];
const STOP = [`text ${WHO}: STOP`];
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const INBOUND: readonly Shape[] = [
  [
    'the chat app',
    {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: us, phone_number_id: '5' },
                contacts: [{ profile: { name: 'A' }, wa_id: who }],
                messages: [
                  { from: who, id: 'wamid.1', timestamp: '1', text: { body: 'STOP' }, type: 'text' },
                ],
              },
            },
          ],
        },
      ],
    },
    STOP,
  ],
  [
    '360dialog',
    {
      contacts: [{ profile: { name: 'A' }, wa_id: who }],
      messages: [{ from: who, id: 'A', text: { body: 'STOP' }, timestamp: '1', type: 'text' }],
    },
    STOP,
  ],
  [
    'a quoted message',
    { messages: [{ from: who, id: 'w', context: { from: us, id: 'wamid.9' }, text: { body: 'STOP' } }] },
    STOP,
  ],
  [
    'an early status beside a stop word',
    { id: 'a', from: who, to: us, text: 'STOP', status: 'accepted' },
    STOP,
  ],
  [
    'voipex',
    { id: '7', from: who, to: us, text: 'STOP', direction: 'IN', state: 'DELIVERED', createdAt: 'x' },
    STOP,
  ],
  ['voipex, failed', { id: '7', from: who, to: us, text: 'STOP', direction: 'IN', state: 'FAILED' }, STOP],
  [
    'a status of delivery beside a text',
    { id: 'a', from: who, to: us, text: 'STOP', status: 'delivered' },
    STOP,
  ],
  ['sent', { id: 'a', from: who, message: 'STOP', status: 'sent' }, STOP],
  ['read', { messageId: 'a', from: who, body: 'STOP', status: 'read' }, STOP],
  ['processed', { id: 'a', sender: who, content: 'STOP', status: 'processed' }, STOP],
  [
    'Kaleyra',
    {
      description: 'Message has been sent',
      id: '9',
      kid: '9',
      recipient: US,
      source: who,
      status: 'SENT',
      status_trace: 'SENT',
      message: 'STOP',
      keyword: 'SAMPLE',
      operator: 'JIO',
      timestamp: 'x',
    },
    STOP,
  ],
  [
    'Callr',
    {
      id: 'a',
      sid: 'p',
      type: 'v2.sms.inbound.received',
      try: 0,
      payload: {
        direction: 'inbound',
        sid: 'c',
        from: WHO,
        to: US,
        body: { text: 'STOP' },
        status: 'delivered',
        error: '',
        statusHistory: [{ after: 'delivered', before: 'sent' }],
      },
    },
    STOP,
  ],
  [
    'Waspy',
    {
      event: 'message.received',
      data: {
        id: 'u',
        conversationId: 'c',
        direction: 'inbound',
        type: 'text',
        content: { body: 'STOP' },
        status: 'delivered',
        waMessageId: 'wamid',
        errorCode: null,
        contact: { id: 'u', name: 'A', phoneNumber: WHO },
      },
    },
    STOP,
  ],
  [
    'Twilio',
    form({
      ToCountry: 'US',
      SmsMessageSid: 'SM1',
      NumMedia: '0',
      SmsSid: 'SM1',
      SmsStatus: 'received',
      Body: 'STOP',
      To: US,
      MessageSid: 'SM1',
      AccountSid: 'AC',
      From: WHO,
      ApiVersion: '2010',
    }),
    STOP,
  ],
  [
    'Twilio WhatsApp',
    form({
      SmsMessageSid: 'SM1',
      ProfileName: 'A',
      WaId: who,
      SmsStatus: 'received',
      Body: 'STOP',
      To: `whatsapp:${US}`,
      MessageSid: 'SM1',
      From: `whatsapp:${WHO}`,
    }),
    STOP,
  ],
  [
    'Vonage',
    {
      msisdn: who,
      to: us,
      messageId: '0A',
      text: 'STOP',
      type: 'text',
      keyword: 'STOP',
      'message-timestamp': 'x',
    },
    STOP,
  ],
  [
    'Vonage Messages',
    {
      message_uuid: 'a',
      to: us,
      from: who,
      timestamp: 'x',
      channel: 'sms',
      message_type: 'text',
      text: 'STOP',
      sms: { num_messages: '1', keyword: 'STOP' },
    },
    STOP,
  ],
  [
    'Infobip',
    {
      results: [
        {
          messageId: '8',
          from: who,
          to: us,
          text: 'STOP',
          cleanText: 'STOP',
          keyword: 'STOP',
          receivedAt: 'x',
          smsCount: 1,
          price: { pricePerMessage: 0 },
        },
      ],
      messageCount: 1,
      pendingMessageCount: 0,
    },
    STOP,
  ],
  [
    'Infobip WhatsApp',
    {
      results: [
        {
          from: who,
          to: us,
          integrationType: 'WHATSAPP',
          receivedAt: 'x',
          messageId: 'A',
          message: { text: 'STOP', type: 'TEXT' },
          contact: { name: 'A' },
        },
      ],
    },
    STOP,
  ],
  [
    'Infobip RCS',
    {
      results: [
        {
          sender: who,
          to: 'Bot',
          integrationType: 'RCS',
          messageId: 'A',
          message: { text: 'STOP', type: 'TEXT' },
        },
      ],
    },
    STOP,
  ],
  [
    'Sinch',
    { body: 'STOP', from: who, id: '0', operator_id: '1', received_at: 'x', to: us, type: 'mo_text' },
    STOP,
  ],
  [
    'Sinch Conversation',
    {
      app_id: 'a',
      project_id: 'p',
      message: {
        id: 'm',
        direction: 'TO_APP',
        contact_message: { text_message: { text: 'STOP' } },
        channel_identity: { channel: 'WHATSAPP', identity: who, app_id: '' },
        conversation_id: 'c',
        contact_id: 'c',
      },
    },
    STOP,
  ],
  [
    'MessageBird',
    form({ id: 'f', recipient: us, originator: who, body: 'STOP', createdDatetime: 'x' }),
    STOP,
  ],
  [
    'MessageBird Conversations',
    {
      type: 'message.created',
      contact: { id: 'c', msisdn: Number(who) },
      conversation: { id: 'c', status: 'active' },
      message: {
        id: 'm',
        channelId: 'c',
        platform: 'whatsapp',
        to: US,
        from: WHO,
        direction: 'received',
        status: 'received',
        type: 'text',
        content: { text: 'STOP' },
      },
    },
    STOP,
  ],
  [
    'Bird',
    {
      service: 'channels',
      event: 'sms.inbound',
      payload: {
        id: 'm',
        channelId: 'c',
        sender: { contact: { id: 'c', identifierKey: 'phonenumber', identifierValue: WHO } },
        receiver: { connector: { id: 'x' } },
        body: { type: 'text', text: { text: 'STOP' } },
        status: 'delivered',
        direction: 'incoming',
      },
    },
    STOP,
  ],
  ['Plivo', form({ From: who, To: us, Type: 'sms', Text: 'STOP', MessageUUID: 'p', TotalRate: '0' }), STOP],
  [
    'Telnyx',
    {
      data: {
        event_type: 'message.received',
        id: 'evt',
        payload: {
          direction: 'inbound',
          from: { carrier: '', phone_number: WHO, status: 'webhook_delivered' },
          id: 't',
          to: [{ carrier: 'T', phone_number: US, status: 'webhook_delivered' }],
          text: 'STOP',
          type: 'SMS',
          errors: [],
        },
        record_type: 'event',
      },
      meta: { attempt: 1 },
    },
    STOP,
  ],
  [
    'Bandwidth',
    [
      {
        type: 'message-received',
        time: 'x',
        description: 'Incoming message received',
        to: US,
        message: { id: 'b', owner: US, direction: 'in', to: [US], from: WHO, text: 'STOP', segmentCount: 1 },
      },
    ],
    STOP,
  ],
  [
    'Bandwidth’s first',
    {
      eventType: 'sms',
      direction: 'in',
      messageId: 'm-a',
      from: WHO,
      to: US,
      text: 'STOP',
      state: 'received',
    },
    STOP,
  ],
  [
    'Clickatell',
    {
      integrationId: 'i',
      messageId: 'm',
      replyMessageId: 'r',
      fromNumber: who,
      toNumber: us,
      timestamp: 1,
      text: 'STOP',
      charset: 'UTF-8',
    },
    STOP,
  ],
  [
    'Clickatell One',
    {
      event: {
        moText: [{ channel: 'whatsapp', messageId: 'm', from: who, to: us, timestamp: 1, content: 'STOP' }],
      },
    },
    STOP,
  ],
  [
    'Pinpoint',
    {
      originationNumber: WHO,
      destinationNumber: US,
      messageKeyword: 'KEYWORD_1',
      messageBody: 'STOP',
      inboundMessageId: 'i',
      previousPublishedMessageId: 'p',
    },
    STOP,
  ],
  [
    'Pinpoint in a notification',
    {
      Type: 'Notification',
      MessageId: 'sns',
      TopicArn: 'arn',
      Message: JSON.stringify({
        originationNumber: WHO,
        destinationNumber: US,
        messageBody: 'STOP',
        inboundMessageId: 'i',
      }),
    },
    STOP,
  ],
  [
    'AWS for the chat app',
    {
      Message: JSON.stringify({
        context: {},
        whatsAppWebhookEntry: JSON.stringify({
          id: '3',
          changes: [{ value: { messages: [{ from: who, id: 'w', type: 'text', text: { body: 'STOP' } }] } }],
        }),
      }),
    },
    STOP,
  ],
  ['RCS', { senderPhoneNumber: WHO, messageId: 'M', sendTime: 'x', text: 'STOP', agentId: 'a' }, STOP],
  [
    'RCS, wrapped',
    {
      message: {
        data: Buffer.from(JSON.stringify({ senderPhoneNumber: WHO, messageId: 'M', text: 'STOP' })).toString(
          'base64',
        ),
        messageId: '77',
        attributes: { type: 'message' },
      },
      subscription: 's',
    },
    STOP,
  ],
  [
    'Gupshup',
    {
      app: 'D',
      timestamp: 1,
      version: 2,
      type: 'message',
      payload: {
        id: 'ABE',
        source: who,
        type: 'text',
        payload: { text: 'STOP' },
        sender: { phone: who, name: 'A', country_code: '91', dial_code: '9812345678' },
      },
    },
    STOP,
  ],
  [
    'Karix',
    {
      channel: 'WABA',
      appDetails: { type: 'LIVE' },
      events: { eventType: 'User initiated', timestamp: '1', mid: 'k' },
      eventContent: { message: { from: who, id: 'w', text: { body: 'STOP' }, to: us, contentType: 'text' } },
    },
    STOP,
  ],
  [
    'MSG91',
    {
      uuid: 'u',
      integratedNumber: us,
      customerNumber: who,
      direction: 'inbound',
      contentType: 'text',
      content: '{"text":"STOP"}',
      status: 'delivered',
    },
    STOP,
  ],
  [
    '8x8',
    {
      namespace: 'SMS',
      eventType: 'inbound_message_received',
      description: 'Inbound SMS',
      payload: { umid: 'u', source: WHO, destination: US, body: 'STOP' },
    },
    STOP,
  ],
  [
    '8x8 Messaging Apps',
    {
      namespace: 'Messaging Apps',
      eventType: 'inbound_message_received',
      payload: {
        umid: 'u',
        user: { msisdn: WHO, userId: 'u', name: 'A' },
        recipient: { channel: 'whatsapp', channelId: 'c' },
        type: 'Text',
        content: { text: 'STOP' },
      },
    },
    STOP,
  ],
  [
    'Interakt',
    {
      version: '1.0',
      timestamp: 'x',
      type: 'message_received',
      data: {
        customer: { id: 'u', channel_phone_number: who, traits: { name: 'A' } },
        message: {
          id: 'i',
          chat_message_type: 'CustomerMessage',
          channel_failure_reason: null,
          message_status: 'Sent',
          message_content_type: 'Text',
          message: 'STOP',
          channel_error_code: null,
        },
      },
    },
    STOP,
  ],
  [
    'Wati',
    {
      id: '6',
      created: 'x',
      whatsappMessageId: 'w',
      conversationId: 'c',
      text: 'STOP',
      type: 'text',
      owner: false,
      eventType: 'message',
      statusString: 'SENT',
      waId: who,
      senderName: 'A',
    },
    STOP,
  ],
  [
    'Zenvia',
    {
      id: 'z',
      type: 'MESSAGE',
      channel: 'sms',
      direction: 'IN',
      message: {
        id: 'm',
        from: who,
        to: us,
        direction: 'IN',
        contents: [{ type: 'text', text: 'STOP' }],
        visitor: { name: 'A' },
      },
    },
    STOP,
  ],
  [
    'CM.com',
    {
      messageContext: '',
      from: { number: `00${who}`, name: 'A' },
      to: { number: `00${us}` },
      message: { text: 'STOP', media: { mediaUri: '' }, custom: {} },
      reference: 'r',
      channel: 'SMS',
    },
    STOP,
  ],
  [
    'seven',
    {
      webhook_event: 'sms_mo',
      data: { id: 7, sender: who, system: us, text: 'STOP', time: '1' },
      webhook_timestamp: 'x',
    },
    STOP,
  ],
  [
    'MessageMedia',
    {
      message_id: 'm',
      reply_id: 'r',
      content: 'STOP',
      source_number: WHO,
      destination_number: US,
      date_received: 'x',
      metadata: {},
    },
    STOP,
  ],
  [
    'tyntec',
    {
      event: 'MoMessage',
      channel: 'whatsapp',
      messageId: 't',
      from: who,
      to: us,
      content: { contentType: 'text', text: 'STOP' },
      receivedAt: 'x',
    },
    STOP,
  ],
  [
    'Africa’s Talking',
    form({ date: 'x', from: WHO, id: 'a', linkId: 'l', text: 'STOP', to: '22384', networkCode: '6' }),
    STOP,
  ],
  ['Exotel', form({ SmsSid: 'x', From: WHO, To: US, Date: 'x', Body: 'STOP' }), STOP],
  ['Textlocal', form({ sender: who, content: 'STOP', inNumber: us, credits: '1', comments: '' }), STOP],
  ['SMSGlobal', form({ to: us, from: who, msg: 'STOP', userfield: '', date: 'x' }), STOP],
  [
    '46elks',
    form({ direction: 'incoming', id: 's', from: WHO, to: US, created: 'x', message: 'STOP' }),
    STOP,
  ],
  [
    'ClickSend',
    form({
      originalsenderid: us,
      body: 'STOP',
      message: 'STOP',
      to: US,
      original_message_id: 'o',
      from: WHO,
      user_id: '1',
      originalmessage: 'Hello',
      message_id: 'm',
    }),
    STOP,
  ],
  [
    'LOX24',
    {
      id: 'd',
      name: 'sms.incoming',
      attempt_total: 1,
      data: { id: 'e', to: US, from: WHO, text: 'STOP', received_at: 1, msg_uuid: 'a' },
    },
    STOP,
  ],
  [
    'mailslurp',
    {
      message_id: 'm',
      event_name: 'NEW_SMS',
      sms_id: 's',
      phone_number: US,
      to_number: US,
      from_number: WHO,
      body: 'STOP',
      read: false,
    },
    STOP,
  ],
  [
    'Ongair',
    form({ notification_type: 'MessageReceived', phone_number: who, text: 'STOP', account: us }),
    STOP,
  ],
  ['Brevo', { contactNumber: who, event: 'reply', messageId: 'm', body: 'STOP', date: 'x' }, STOP],
  [
    'YCloud',
    {
      id: 'evt',
      type: 'whatsapp.inbound_message.received',
      whatsappInboundMessage: {
        id: 'i',
        wamid: 'w',
        from: WHO,
        to: US,
        type: 'text',
        text: { body: 'STOP' },
      },
    },
    STOP,
  ],
  [
    'green-api',
    {
      typeWebhook: 'incomingMessageReceived',
      instanceData: { idInstance: 1101000001, wid: `${us}@c.us` },
      idMessage: 'F',
      senderData: { chatId: `${who}@c.us`, sender: `${who}@c.us`, senderName: 'A' },
      messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'STOP' } },
    },
    STOP,
  ],
  [
    'Webex',
    {
      specversion: '1.0',
      type: 'com.interact.messages.sms.opt.out',
      source: 'https://x',
      id: 'evt',
      data: {
        status: 'opt_out',
        channel: 'sms',
        message: 'STOP',
        type: 'keyword',
        phone_number: WHO,
        inbound_number: US,
      },
    },
    [`stop ${WHO}: STOP`],
  ],
  [
    'Netcore',
    {
      incoming_message: [
        {
          from: who,
          from_name: 'A',
          message_id: 'n',
          message_type: 'TEXT',
          text_type: { text: 'STOP' },
          to: us,
        },
      ],
    },
    STOP,
  ],
  [
    'Exotel for the chat app',
    {
      whatsapp: {
        messages: [
          {
            callback_type: 'icm',
            sid: 's',
            from: who,
            to: us,
            content: { type: 'text', text: { body: 'STOP' } },
          },
        ],
      },
    },
    STOP,
  ],
  ['BulkSMS', { id: '1', type: 'RECEIVED', from: who, to: us, body: 'STOP', encoding: 'TEXT' }, STOP],
  ['GatewayAPI', { id: 1, msisdn: Number(who), receiver: Number(us), message: 'STOP', senttime: 1 }, STOP],
  ['Burst', form({ mobile: who, longcode: us, response: 'STOP', message_id: 'm' }), STOP],
];

const TAPS: readonly Shape[] = [
  [
    'the chat app',
    {
      messages: [
        {
          from: who,
          id: 'w',
          context: { from: us, id: 'm' },
          type: 'interactive',
          interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
        },
      ],
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'a template’s button',
    { messages: [{ from: who, id: 'w', type: 'button', button: { payload: 'yes', text: 'Yes' } }] },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'Gupshup',
    {
      type: 'message',
      payload: {
        id: 'A',
        source: who,
        type: 'button_reply',
        payload: { title: 'Yes', id: 'yes', reply: 'Yes 1' },
        sender: { phone: who },
      },
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'Infobip',
    {
      results: [
        {
          from: who,
          to: us,
          messageId: 'A',
          message: { type: 'INTERACTIVE_BUTTON_REPLY', id: 'yes', title: 'Yes' },
          contact: { name: 'A' },
        },
      ],
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'Vonage',
    {
      from: who,
      to: us,
      message_uuid: 'a',
      message_type: 'reply',
      reply: { id: 'yes', title: 'Yes' },
      channel: 'whatsapp',
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'Twilio',
    form({
      From: `whatsapp:${WHO}`,
      To: `whatsapp:${US}`,
      MessageSid: 'SM',
      Body: 'Yes',
      ButtonText: 'Yes',
      ButtonPayload: 'yes',
    }),
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'RCS',
    {
      senderPhoneNumber: WHO,
      messageId: 'M',
      suggestionResponse: { postbackData: 'yes', text: 'Yes', type: 'REPLY' },
      agentId: 'a',
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'Infobip RCS',
    {
      results: [
        {
          sender: who,
          to: 'Bot',
          messageId: 'M',
          message: { type: 'SUGGESTION', postbackData: 'yes', text: 'Yes' },
        },
      ],
    },
    [`tap ${WHO}: yes Yes`],
  ],
  [
    'green-api',
    {
      typeWebhook: 'incomingMessageReceived',
      idMessage: '9',
      senderData: { sender: `${who}@c.us` },
      messageData: {
        typeMessage: 'buttonsResponseMessage',
        buttonsResponseMessage: { stanzaId: 'B', selectedButtonId: 'yes', selectedButtonText: 'Yes' },
      },
    },
    [`tap ${WHO}: yes Yes`],
  ],
];

const REPORTS: readonly Shape[] = [
  [
    'the chat app',
    {
      entry: [
        {
          id: '1',
          changes: [
            {
              value: {
                metadata: { display_phone_number: us },
                statuses: [
                  {
                    id: 'm',
                    status: 'delivered',
                    recipient_id: who,
                    conversation: { id: 'c', origin: { type: 'utility' } },
                    pricing: { category: 'utility' },
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    [`delivered m ${WHO}`],
  ],
  [
    'the chat app, failed',
    {
      statuses: [
        { id: 'm', status: 'failed', recipient_id: who, errors: [{ code: 131026, title: 'Undeliverable' }] },
      ],
    },
    [`failed m ${WHO} code 131026`],
  ],
  [
    'Clickatell One',
    {
      event: {
        messageStatusUpdate: [
          {
            channel: 'sms',
            messageId: 'm',
            to: who,
            from: us,
            timestamp: 1,
            statusCode: 'DELIVERED_TO_RECEIVER',
            status: 'DEVICE_ACK',
          },
        ],
      },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Gupshup SMS',
    {
      response: [
        {
          srcAddr: 'ACME',
          channel: 'SMS',
          externalId: '4023',
          cause: 'UNKNOWN_SUBSCRIBER',
          errorCode: '001',
          destAddr: who,
          eventType: 'FAILED',
          eventTs: 1,
        },
      ],
    },
    [`failed 4023 ${WHO} code 001`],
  ],
  [
    'Gupshup’s wrapper of it',
    {
      entry: [
        { changes: [{ value: { statuses: [{ gs_id: 'g', id: 'm', recipient_id: who, status: 'sent' }] } }] },
      ],
      gs_app_id: 'a',
    },
    [`sent g/m ${WHO}`],
  ],
  [
    'Gupshup',
    {
      app: 'D',
      type: 'message-event',
      payload: { id: 'w', gsId: 'g', type: 'delivered', destination: who, payload: { ts: 1 } },
    },
    [`delivered g/w ${WHO}`],
  ],
  [
    'Gupshup, failed',
    {
      app: 'D',
      type: 'message-event',
      payload: {
        id: 'g',
        type: 'failed',
        destination: who,
        payload: { code: 1002, reason: 'Not on the app' },
      },
    },
    [`failed g ${WHO} code 1002`],
  ],
  [
    'Gupshup, enqueued',
    {
      type: 'message-event',
      payload: {
        id: 'g',
        type: 'enqueued',
        destination: who,
        payload: { whatsappMessageId: 'w', type: 'session' },
      },
    },
    [`sent w/g ${WHO}`],
  ],
  [
    'a group that failed beside a vague name',
    { messageId: 'm', to: who, status: { groupName: 'UNDELIVERABLE', name: 'EC_DELIVERED_LATE' } },
    [`failed m ${WHO}`],
  ],
  ['two statuses', { id: 'm', to: who, status: 'sent', dlr: 'UNDELIV' }, [`failed m ${WHO}`]],
  [
    'a code beside an early status',
    { id: 'm', to: who, status: 'submitted', errorCode: 131026 },
    [`failed m ${WHO} code 131026`],
  ],
  ['a code that is none', { id: 'm', to: who, status: 'submitted', errorCode: '000' }, [`sent m ${WHO}`]],
  [
    'an envelope with an id of its own',
    { id: 'evt', type: 'message.delivered', message: { id: 'm', to: who } },
    [`delivered m/evt ${WHO}`],
  ],
  [
    'Infobip',
    {
      results: [
        {
          bulkId: 'b',
          messageId: 'm',
          to: who,
          sentAt: 'x',
          status: {
            groupId: 3,
            groupName: 'DELIVERED',
            id: 5,
            name: 'DELIVERED_TO_HANDSET',
            description: 'Message delivered to handset',
          },
          error: {
            groupId: 0,
            groupName: 'OK',
            id: 0,
            name: 'NO_ERROR',
            description: 'No Error',
            permanent: false,
          },
        },
      ],
    },
    [`delivered m/b ${WHO}`],
  ],
  [
    'Infobip, failed',
    {
      results: [
        {
          messageId: 'm',
          to: who,
          status: { groupId: 2, groupName: 'UNDELIVERABLE', id: 9, name: 'UNDELIVERABLE_NOT_DELIVERED' },
          error: { groupId: 1, groupName: 'HANDSET_ERRORS', id: 27, name: 'EC_ABSENT_SUBSCRIBER' },
        },
      ],
    },
    [`failed m ${WHO}`],
  ],
  [
    'Infobip, pending',
    { results: [{ messageId: 'm', to: who, status: { groupName: 'PENDING', name: 'PENDING_ENROUTE' } }] },
    [`sent m ${WHO}`],
  ],
  [
    'Infobip, rejected',
    {
      results: [
        { messageId: 'm', to: who, status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } },
      ],
    },
    [`failed m ${WHO}`],
  ],
  [
    'Twilio',
    form({
      SmsSid: 'SM1',
      SmsStatus: 'delivered',
      MessageStatus: 'delivered',
      To: WHO,
      MessageSid: 'SM1',
      AccountSid: 'AC',
      From: US,
    }),
    [`delivered SM1 ${WHO}`],
  ],
  [
    'Twilio, failed',
    form({
      SmsSid: 'SM1',
      SmsStatus: 'undelivered',
      MessageStatus: 'undelivered',
      To: `whatsapp:${WHO}`,
      MessageSid: 'SM1',
      From: `whatsapp:${US}`,
      ErrorCode: '63016',
    }),
    [`failed SM1 ${WHO} code 63016`],
  ],
  [
    'Twilio’s event stream',
    [
      {
        specversion: '1.0',
        type: 'com.twilio.messaging.message.delivered',
        id: 'EZ',
        data: { to: WHO, from: US, messageSid: 'SM1', accountSid: 'AC' },
      },
    ],
    [`delivered SM1/EZ ${WHO}`],
  ],
  [
    'Vonage',
    {
      msisdn: who,
      to: us,
      'network-code': '1',
      messageId: 'm',
      status: 'delivered',
      scts: '1',
      'err-code': '0',
      price: '0.1',
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Vonage, failed',
    { msisdn: who, to: 'AcmeInc', messageId: 'm', status: 'rejected', 'err-code': '6' },
    [`failed m ${WHO} code 6`],
  ],
  [
    'Vonage Messages',
    {
      message_uuid: 'm',
      to: who,
      from: us,
      status: 'rejected',
      channel: 'sms',
      error: { type: 'https://x#1430', title: '1430', detail: 'Bad' },
    },
    [`failed m ${WHO}`],
  ],
  [
    'Sinch',
    {
      type: 'recipient_delivery_report_sms',
      batch_id: 'b',
      recipient: who,
      code: 0,
      status: 'Delivered',
      at: 'x',
    },
    [`delivered b ${WHO}`],
  ],
  [
    'Sinch, a batch',
    {
      type: 'delivery_report_sms',
      batch_id: 'b',
      total_message_count: 3,
      statuses: [
        { code: 0, count: 2, recipients: [who, us], status: 'Delivered' },
        { code: 400, count: 1, recipients: ['6591234567'], status: 'Failed' },
      ],
    },
    [`delivered b ${WHO}`, `delivered b ${US}`, 'failed b +6591234567 code 400'],
  ],
  [
    'Sinch Conversation',
    {
      app_id: 'a',
      message_delivery_report: {
        message_id: 'm',
        conversation_id: 'c',
        status: 'FAILED',
        channel_identity: { channel: 'SMS', identity: who },
        reason: { code: 'RECIPIENT_NOT_REACHABLE', description: 'x' },
      },
    },
    [`failed m ${WHO} code RECIPIENT_NOT_REACHABLE`],
  ],
  [
    'MessageBird',
    form({
      id: 'm',
      reference: 'r',
      recipient: who,
      status: 'delivery_failed',
      statusReason: 'unknown subscriber',
      statusErrorCode: '1',
      statusDatetime: 'x',
    }),
    [`failed m ${WHO}`],
  ],
  [
    'MessageBird Conversations',
    {
      type: 'message.updated',
      contact: { id: 'c' },
      message: {
        id: 'm',
        to: WHO,
        from: US,
        direction: 'sent',
        status: 'delivered',
        type: 'text',
        content: { text: 'Hello' },
      },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Bird',
    {
      service: 'channels',
      event: 'sms.outbound',
      payload: {
        id: 'm',
        receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: WHO }] },
        body: { type: 'text', text: { text: 'Hello' } },
        status: 'delivery_failed',
        direction: 'outgoing',
      },
    },
    ['failed m +919812345678'],
  ],
  [
    'Plivo',
    form({
      From: us,
      To: who,
      Status: 'delivered',
      MessageUUID: 'm',
      ParentMessageUUID: 'p',
      ErrorCode: '000',
      Units: '1',
    }),
    [`delivered m/p ${WHO}`],
  ],
  [
    'Plivo, failed',
    form({ From: us, To: who, Status: 'undelivered', MessageUUID: 'm', ErrorCode: '450' }),
    [`failed m ${WHO} code 450`],
  ],
  [
    'Telnyx',
    {
      data: {
        event_type: 'message.finalized',
        id: 'evt',
        payload: {
          direction: 'outbound',
          from: { phone_number: US },
          id: 'm',
          to: [{ phone_number: WHO, status: 'delivery_failed', carrier: 'T' }],
          text: 'Hello',
          errors: [{ code: '40008', title: 'Undeliverable' }],
          type: 'SMS',
        },
        record_type: 'event',
      },
    },
    [`failed m ${WHO} code 40008`],
  ],
  [
    'Telnyx, sent',
    {
      data: {
        event_type: 'message.sent',
        id: 'evt',
        payload: {
          direction: 'outbound',
          from: { phone_number: US },
          id: 'm',
          to: [{ phone_number: WHO, status: 'sent' }],
          text: 'Hello',
          errors: [],
        },
      },
    },
    [`sent m ${WHO}`],
  ],
  [
    'Bandwidth',
    [
      {
        type: 'message-delivered',
        time: 'x',
        description: 'ok',
        to: WHO,
        message: { id: 'm', owner: US, direction: 'out', to: [WHO], from: US, text: '', segmentCount: 1 },
      },
    ],
    [`delivered m ${WHO}`],
  ],
  [
    'Bandwidth, failed',
    [
      {
        type: 'message-failed',
        description: 'forbidden to country',
        to: WHO,
        errorCode: 4432,
        message: { id: 'm', owner: US, direction: 'out', to: [WHO], from: US, text: 'Hello' },
      },
    ],
    [`failed m ${WHO} code 4432`],
  ],
  [
    'Clickatell',
    {
      event: {
        messageStatusUpdate: [
          { channel: 'sms', messageId: 'm', timestamp: 1, statusCode: 4, status: 'RECEIVED_BY_RECIPIENT' },
        ],
      },
    },
    ['delivered m ?'],
  ],
  [
    'Clickatell, on its way',
    {
      messageId: 'm',
      to: who,
      statusCode: 3,
      status: 'DELIVERED_TO_GATEWAY',
      statusDescription: 'Message delivered to gateway',
    },
    [`sent m ${WHO}`],
  ],
  [
    'AWS',
    {
      eventType: 'TEXT_DELIVERED',
      eventVersion: '1.0',
      isFinal: true,
      originationPhoneNumber: US,
      destinationPhoneNumber: WHO,
      messageId: 'm',
      messageStatus: 'DELIVERED',
      messageStatusDescription: 'Message has been accepted by phone',
    },
    [`delivered m ${WHO}`],
  ],
  [
    'AWS, blocked',
    {
      eventType: 'TEXT_BLOCKED',
      originationPhoneNumber: US,
      destinationPhoneNumber: WHO,
      messageId: 'm',
      messageStatus: 'BLOCKED',
    },
    [`failed m ${WHO}`],
  ],
  [
    'AWS by its older name',
    {
      notification: { messageId: 'm', timestamp: 'x' },
      delivery: {
        phoneCarrier: 'C',
        destination: WHO,
        providerResponse: 'Message has been accepted by phone carrier',
      },
      status: 'SUCCESS',
    },
    [`delivered m ${WHO}`],
  ],
  [
    'RCS',
    { senderPhoneNumber: WHO, eventType: 'DELIVERED', eventId: 'e', messageId: 'm', agentId: 'a' },
    [`delivered m ${WHO}`],
  ],
  [
    'RCS, read and wrapped',
    {
      message: {
        data: Buffer.from(
          JSON.stringify({ senderPhoneNumber: WHO, eventType: 'READ', eventId: 'e', messageId: 'm' }),
        ).toString('base64'),
      },
      subscription: 's',
    },
    [`read m ${WHO}`],
  ],
  [
    'Karix',
    {
      channel: 'WABA',
      recipient: { to: who, recipient_type: 'individual', reference: {} },
      events: { eventType: 'DELIVERY EVENTS', timestamp: '1', mid: 'm' },
      notificationAttributes: { status: 'delivered', reason: 'x', code: '200' },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Kaleyra',
    form({ id: 'm', mobile: who, status: 'DELIVRD', custom: '1', delivered_at: 'x' }),
    [`delivered m ${WHO}`],
  ],
  [
    'MSG91',
    form({
      data: JSON.stringify([
        {
          senderId: 'ACME',
          requestId: 'r',
          report: [
            { date: 'x', number: who, status: '1', desc: 'DELIVERED' },
            { date: 'x', number: us, status: '2', desc: 'FAILED' },
          ],
          userId: '1',
        },
      ]),
    }),
    [`delivered r ${WHO}`, `failed r ${US}`],
  ],
  [
    'MSG91, flat',
    {
      date: 'x',
      number: who,
      senderId: 'A',
      requestId: 'r',
      CRQID: '0',
      credit: '1',
      status: '1',
      desc: 'DELIVERED',
    },
    [`delivered r ${WHO}`],
  ],
  [
    'Route Mobile',
    form({
      sSender: 'ACME',
      sMobileNo: who,
      sStatus: 'DELIVRD',
      dtDone: 'x',
      sMessageId: 'm',
      iErrCode: '0',
    }),
    [`delivered m ${WHO}`],
  ],
  [
    'ValueFirst',
    form({
      TO: who,
      FROM: 'VFIRST',
      MESSAGE_STATUS: '1',
      REASON_CODE: '000',
      MESSAGE_ID: 'm',
      TEXT_STATUS: 'Success',
      MSG_STATUS: 'Delivered',
    }),
    [`delivered m ${WHO}`],
  ],
  [
    '8x8',
    {
      namespace: 'SMS',
      eventType: 'outbound_message_status_changed',
      description: 'x',
      payload: {
        umid: 'm',
        batchId: 'b',
        source: 'ACME',
        destination: WHO,
        status: { state: 'undelivered', detail: 'rejected_by_operator', timestamp: 'x' },
        error: { code: 14, message: 'Absent' },
      },
    },
    [`failed m/b ${WHO} code 14`],
  ],
  [
    'Routee',
    {
      messageId: 'm',
      smsId: 's',
      to: WHO,
      from: US,
      status: { name: 'Delivered', updatedDate: 'x' },
      message: 'Hello',
      direction: 'Outbound',
    },
    [`delivered m/s ${WHO}`],
  ],
  [
    'Routee, failed',
    {
      messageId: 'm',
      to: WHO,
      from: US,
      status: { name: 'Undelivered', reason: { detailedStatus: 'x' } },
      message: 'Hello',
    },
    [`failed m ${WHO}`],
  ],
  [
    'SignalWire',
    {
      id: 'm',
      project_id: 'p',
      status: 'delivered',
      to: WHO,
      from: US,
      body: 'Hello',
      number_of_segments: 1,
      error_code: null,
      error_message: null,
    },
    [`delivered m ${WHO}`],
  ],
  [
    'YCloud',
    {
      id: 'evt',
      type: 'sms.message.updated',
      sms: { id: 'm', from: US, to: WHO, text: 'Hello', status: 'delivered' },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Tychron',
    {
      id: 'dlr',
      type: 'sms_dlr',
      from: US,
      to: WHO,
      status: 'processing',
      error_code: 'ok',
      delivery_status: 'delivered',
      delivery_error_code: '000',
      sms: { id: 'm' },
    },
    [`delivered m/dlr ${WHO}`],
  ],
  [
    'Africa’s Talking',
    form({ id: 'm', status: 'Success', phoneNumber: WHO, networkCode: '6', retryCount: '0' }),
    [`delivered m ${WHO}`],
  ],
  [
    'Africa’s Talking, failed',
    form({ id: 'm', status: 'Failed', phoneNumber: WHO, failureReason: 'UserInBlacklist' }),
    [`failed m ${WHO}`],
  ],
  [
    'Zenvia',
    {
      id: 'evt',
      type: 'MESSAGE_STATUS',
      channel: 'sms',
      messageId: 'm',
      contentIndex: 0,
      messageStatus: { timestamp: 'x', code: 'NOT_DELIVERED', description: 'x' },
    },
    ['failed m/evt ?'],
  ],
  [
    'ClickSend',
    form({
      message_id: 'm',
      status: 'Delivered',
      status_code: '201',
      status_text: 'Success: Message received on handset.',
      error_code: '',
      message_type: 'sms',
    }),
    ['delivered m ?'],
  ],
  [
    'seven',
    { webhook_event: 'dlr', data: { msg_id: 'm', status: 'DELIVERED', timestamp: 'x' } },
    ['delivered m ?'],
  ],
  [
    'Telesign',
    {
      reference_id: 'm',
      status: { code: 200, description: 'Delivered to handset', updated_on: 'x' },
      submit_timestamp: 'x',
      errors: [],
    },
    ['delivered m ?'],
  ],
  [
    'Wati',
    {
      eventType: 'sentMessageDELIVERED',
      statusString: 'Delivered',
      id: '6',
      whatsappMessageId: 'm',
      conversationId: 'c',
      text: 'Hello',
      type: 'template',
    },
    ['delivered m/6 ?'],
  ],
  ['SMSGlobal', form({ msgid: 'm', dlrstatus: 'UNDELIV', dlr_err: '001', donedate: 'x' }), ['failed m ?']],
  ['46elks', form({ id: 'm', status: 'delivered', delivered: 'x' }), ['delivered m ?']],
  [
    'Brevo',
    { id: 1, to: who, msg_status: 'hardBounces', description: 'hard bounce', messageId: 'm', tag: 't' },
    [`failed m/1 ${WHO}`],
  ],
  ['cloudnumbering', { timestamp: 'x', status: 'rejected', sid: 'm' }, ['failed m ?']],
  [
    'an SMPP receipt',
    {
      from: who,
      to: us,
      text: 'id:m sub:001 dlvrd:001 submit date:260105 done date:260105 stat:DELIVRD err:000 text:Hello',
    },
    [`delivered m ${WHO}`],
  ],
  [
    'an SMPP receipt of a failure',
    {
      source: who,
      destination: us,
      message:
        'id:m sub:001 dlvrd:000 submit date:2601050000 done date:2601050001 stat:UNDELIV err:069 text:',
    },
    [`failed m ${WHO} code 069`],
  ],
  [
    'an SMPP receipt alone',
    'id:m sub:001 dlvrd:000 submit date:260105 done date:260105 stat:EXPIRED err:27 Text:Hello',
    ['failed m ? code 27'],
  ],
  [
    'Netcore',
    { delivery_status: [{ ncmessage_id: 'm', recipient: who, status: 'delivered', status_remark: '' }] },
    [`delivered m ${WHO}`],
  ],
  [
    'Exotel for the chat app',
    {
      whatsapp: {
        messages: [
          {
            callback_type: 'dlr',
            sid: 'm',
            to: WHO,
            exo_status_code: 25001,
            exo_detailed_status: 'EX_MESSAGE_SEEN',
            description: 'Message seen',
          },
        ],
      },
    },
    [`read m ${WHO}`],
  ],
  [
    'BulkSMS',
    {
      id: 'm',
      type: 'SENT',
      from: us,
      to: who,
      body: 'Hello',
      status: { id: 'DELIVERED.null', type: 'DELIVERED', subtype: null },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'GatewayAPI',
    { id: 1000001, msisdn: Number(who), time: 1, status: 'DELIVERED', userref: 'u' },
    [`delivered 1000001 ${WHO}`],
  ],
  [
    'SMSAPI',
    form({ MsgId: 'm', status: '404', status_name: 'DELIVERED', to: who, donedate: '1' }),
    [`delivered m ${WHO}`],
  ],
  [
    'Messente',
    {
      omnimessage_id: 'o',
      message_id: 'm',
      recipient: WHO,
      status: 'DELIVERED',
      err: 0,
      error: null,
      sender: 'ACME',
    },
    [`delivered m ${WHO}`],
  ],
  [
    'Mobivate',
    { deliveryMessageId: 'm', batchId: 'b', status: 'FAILED', statusCode: 5, parts: 1 },
    ['failed m/b ? code 5'],
  ],
  [
    'smsmode',
    {
      messageId: 'm',
      recipient: { to: who },
      from: 'ACME',
      status: { deliveryDate: 'x', value: 'DELIVERED' },
    },
    [`delivered m ${WHO}`],
  ],
  [
    'WebEngage',
    { version: '1.0', messageId: 'm', toNumber: who, status: 'whatsapp_failed', statusCode: 2005 },
    [`failed m ${WHO} code 2005`],
  ],
];

const STOPS: readonly Shape[] = [
  [
    'RCS',
    { senderPhoneNumber: WHO, eventType: 'UNSUBSCRIBE', eventId: 'e', agentId: 'a' },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'Gupshup',
    { type: 'user-event', payload: { phone: who, type: 'opted-out' } },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'YCloud',
    {
      id: 'evt',
      type: 'contact.unsubscribe.created',
      unsubscriberChanged: { phoneNumber: WHO, source: 'api' },
    },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'Sinch',
    {
      app_id: 'a',
      opt_out_notification: {
        request_id: 'r',
        contact_id: 'c',
        channel: 'SMS',
        identity: who,
        status: 'OPT_OUT_SUCCEEDED',
      },
    },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'Brevo',
    { contactNumber: who, event: 'unsubscribe', messageId: 'm', date: 'x' },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'the chat app',
    {
      entry: [
        {
          changes: [
            {
              field: 'user_preferences',
              value: {
                contacts: [{ wa_id: who }],
                user_preferences: [
                  {
                    wa_id: who,
                    detail: 'User requested to stop marketing messages',
                    category: 'marketing_messages',
                    value: 'stop',
                    timestamp: 1,
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    [`stop ${WHO}: UNSUBSCRIBE`],
  ],
  [
    'a sender that cannot be read',
    { id: 'a', from: 'hidden', text: 'STOP', direction: 'in' },
    ['text nobody: STOP'],
  ],
  [
    'one among others',
    {
      messages: [
        { from: who, id: 'a', text: { body: 'Hi' } },
        { from: 'IN.9f1', id: 'b', text: { body: 'STOP' } },
      ],
    },
    [`text ${WHO}: Hi`, 'text nobody: STOP'],
  ],
  [
    'a sender that cannot be read, and is not the number of the account around it',
    { phone: us, messages: [{ from: 'IN.9f1', id: 'b', text: { body: 'STOP' } }] },
    ['text nobody: STOP'],
  ],
  ['no sender at all', { message: { content: 'STOP' } }, ['text nobody: STOP']],
];

const SILENT: readonly Shape[] = [
  ['typing in RCS', { senderPhoneNumber: WHO, eventType: 'IS_TYPING', eventId: 'e', agentId: 'a' }, []],
  ['typing at Infobip', { results: [{ sender: who, to: 'Bot', message: { type: 'TYPING_INDICATOR' } }] }, []],
  [
    'a reaction',
    { messages: [{ from: who, id: 'w', type: 'reaction', reaction: { message_id: 'm', emoji: '👍' } }] },
    [],
  ],
  [
    'a reaction at Gupshup',
    {
      type: 'message',
      payload: { id: 'A', source: who, type: 'reaction', payload: { emoji: '👍' }, sender: { phone: who } },
    },
    [],
  ],
  [
    'an echo of ours',
    {
      entry: [
        {
          changes: [
            {
              field: 'smb_message_echoes',
              value: {
                message_echoes: [{ from: us, to: who, id: 'w', type: 'text', text: { body: 'STOP' } }],
              },
            },
          ],
        },
      ],
    },
    [],
  ],
  ['an outgoing message', { direction: 'outbound', from: US, to: WHO, text: 'Reply STOP', id: 'm' }, []],
];

describe.each([
  ['what a customer wrote', INBOUND],
  ['a tap', TAPS],
  ['a delivery report', REPORTS],
  ['an opt-out', STOPS],
  ['what nobody needs to hear', SILENT],
])('%s', (_kind, shapes) => {
  it.each(shapes)('%s', (_service, body, expected) => {
    expect(decode(body)).toEqual(expected);
  });
});

describe('our own number as sender', () => {
  it('makes no customer of us', () => {
    const echo = { id: 'm', from: us, to: who, text: 'Reply STOP', status: 'delivered' };
    expect(decode(echo, [US])).toEqual([`delivered m ${WHO}`]);
    expect(decode({ ...echo, status: undefined }, [US])).toEqual([]);
    expect(decode(echo)).toEqual([`text ${US}: Reply STOP`]);
  });
});

describe('what is about nobody’s message', () => {
  it.each<[string, unknown]>([
    [
      'a template’s review',
      {
        entry: [
          {
            id: '1',
            changes: [
              {
                value: {
                  event: 'REJECTED',
                  message_template_id: 5,
                  message_template_name: 'a',
                  reason: 'SPAM',
                },
                field: 'message_template_status_update',
              },
            ],
          },
        ],
      },
    ],
    ['a template’s review elsewhere', { id: 'evt', event: 'template_rejected', name: 'order_update' }],
    ['a low balance', { id: 'evt', type: 'balance.low', balance: 3 }],
    ['a subscription', { senderPhoneNumber: WHO, eventType: 'SUBSCRIBE', eventId: 'e' }],
    ['a numeric status', { message_id: 'm', status: 3, destination: who }],
    ['SMPP’s own unknown', { id: 'm', to: who, status: 'UNKNOWN' }],
  ])('%s is shown as it came', (_name, body) => {
    expect(decode(body)).toEqual([expect.stringMatching(/^unknown /)]);
  });

  it('of ours, with a status that nobody knows, is not lost either', () => {
    const odd = { direction: 'outbound', id: 'm', from: US, to: WHO, text: 'Hello', status: 'QUARANTINED' };
    expect(decode(odd)).toEqual([`unknown ${US}`]);
    expect(decode({ event: 'message.failed.opted_out', id: 'm', to: WHO })).toEqual([`failed m ${WHO}`]);
  });

  it('cannot be put into another’s mouth by text that looks like an event', () => {
    const forged = JSON.stringify({ from: '6591234567', text: 'STOP' });
    expect(decode({ from: who, id: 'a', text: forged })).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode(form({ From: WHO, message: forged }))).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode({ messages: [{ from: who, text: { body: forged } }] })).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode({ from: who, text: `id:m ${forged} stat:DELIVRD` })).not.toContain(
      'text +6591234567: STOP',
    );
  });
});
