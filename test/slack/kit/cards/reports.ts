import type { ChatappMessage } from '../../../../src/messages/kinds/chatapp.ts';
import type { FlashMessage } from '../../../../src/messages/kinds/flash.ts';
import type { RcsMessage } from '../../../../src/messages/kinds/rcs.ts';
import type { SmsMessage } from '../../../../src/messages/kinds/sms.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { Template } from '../../../../src/messages/templates/template.ts';
import type { RecipientRow, Send, SendReport } from '../../../../src/sends/send.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';
import { numberOf } from '../../bulk-sends.ts';

const ASKED_AT = Date.UTC(2026, 0, 5, 8, 0);
export const SETTLED_AT = Date.UTC(2026, 0, 5, 8, 0, 3);

export const SMS: SmsMessage = {
  kind: 'sms',
  sender: 'ACMEIN',
  text: 'Your table is ready.',
  type: 'TRANS',
  unicode: false,
};

export const FLASH: FlashMessage = {
  kind: 'flash',
  sender: 'ACMEIN',
  text: 'Fire drill at 10 ✓',
  type: 'TRANS',
  unicode: true,
};

export const ORDER: ChatappMessage = {
  kind: 'chatapp',
  variant: 'text',
  from: numberOf('+919876543210'),
  templateName: 'order_update',
  params: ['Asha & co', '<!channel>'],
  campaignName: 'Spring',
};

export const LOGIN: ChatappMessage = {
  kind: 'chatapp',
  variant: 'otp',
  from: numberOf('+919876543210'),
  templateName: 'login_code',
  params: [],
  language: { code: 'en' },
};

export const APPOINTMENT: RcsMessage = {
  kind: 'rcs',
  variant: 'variables',
  templateName: 'appointment',
  botId: 'acme-bot',
  type: 'PRETRANS',
  params: ['Monday', '10:00'],
};

export const ORDER_TEMPLATE: Template = {
  ...{ channel: 'chatapp', variant: 'text', name: 'order_update', label: 'Order update', languages: ['en'] },
  ...{ placeholders: [{ name: 'customer' }, { name: 'order' }], cards: 0 },
  text: 'Hello {{1}}, your order {{2}} is on its way.',
};

export const LOGIN_TEMPLATE: Template = {
  ...{ channel: 'chatapp', variant: 'otp', name: 'login_code', label: 'Login code', languages: ['en'] },
  ...{ placeholders: [{ name: 'code' }], text: '{{1}} is your code.', cards: 0 },
};

export const APPOINTMENT_TEMPLATE: Template = {
  ...{ channel: 'rcs', variant: 'variables', name: 'appointment', label: 'Appointment', languages: [] },
  ...{ placeholders: [{ name: 'day' }, { name: 'hour' }], text: 'See you {{1}} at {{2}}.', cards: 0 },
};

/** For announcers of sends that no message tells of yet. */
export const NOTHING_STORED = {
  find: async () => undefined,
  recipients: async () => [],
  retriesOf: async () => [],
};

export function report(
  message: Message,
  recipient: Partial<RecipientRow> & Pick<RecipientRow, 'state'>,
  send: Partial<Send> = {},
): SendReport {
  return {
    send: {
      id: 'S-7K2M9QX4TB',
      kind: message.kind,
      message,
      origin: { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' },
      state: 'done',
      recipientCount: 1,
      createdAt: ASKED_AT,
      counts: { ...NO_RECIPIENTS, [recipient.state]: 1 },
      ...send,
    },
    recipient: { sendId: 'S-7K2M9QX4TB', row: 0, number: numberOf('+919812345678'), ...recipient },
  };
}
