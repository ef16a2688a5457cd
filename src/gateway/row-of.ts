import type { ChatappMessage } from '../messages/kinds/chatapp.ts';
import type { RcsMessage } from '../messages/kinds/rcs.ts';
import type { SmsMessage } from '../messages/kinds/sms.ts';
import type { Message } from '../messages/kinds.ts';
import { digitsOf, type Msisdn } from '../messages/numbers/phone-number.ts';
import type { Recipient } from '../messages/submission.ts';
import { addressValues, interactiveObject } from './conversation-values.ts';
import type { ShapeValues } from './shape.ts';
import type { WireRow, WireTable } from './wire.ts';
import type { NumberFormat, RowName } from './wire-rows.ts';

export interface FilledRow {
  readonly row: WireRow;
  readonly values: ShapeValues;
}

const CHATAPP_ROWS: Readonly<Record<ChatappMessage['variant'], RowName>> = {
  otp: 'chatappOtp',
  text: 'chatappText',
  document: 'chatappDocument',
  image: 'chatappImage',
};

const RCS_ROWS: Readonly<Record<RcsMessage['variant'], RowName>> = {
  plain: 'rcsPlain',
  rich: 'rcsRich',
  variables: 'rcsVariables',
  'carousel-fixed': 'rcsCarouselFixed',
  'carousel-images': 'rcsCarouselImages',
};

/**
 * Which row of the wire table a message is, and the values for its body. Depends on nothing but its arguments.
 *
 * @throws RangeError when there are more recipients than one request of that row carries, or none: splitting
 * an audience into requests is the caller's work
 */
export function rowOf(message: Message, recipients: readonly Recipient[], table: WireTable): FilledRow {
  const row = table.rows[rowNameOf(message)];
  const [first] = recipients;
  if (first === undefined || recipients.length > row.recipientsPerRequest) {
    throw new RangeError(
      `A ${row.name} request takes 1 to ${row.recipientsPerRequest} recipients, not ${recipients.length}.`,
    );
  }
  return { row, values: valuesOf(message, recipients, first.number, row.numberFormat) };
}

function rowNameOf(message: Message): RowName {
  switch (message.kind) {
    case 'chatapp':
      return CHATAPP_ROWS[message.variant];
    case 'rcs':
      return RCS_ROWS[message.variant];
    case 'sms':
    case 'flash':
    case 'interactive':
    case 'address':
      return message.kind;
  }
}

function valuesOf(
  message: Message,
  recipients: readonly Recipient[],
  to: Msisdn,
  format: NumberFormat,
): ShapeValues {
  switch (message.kind) {
    case 'chatapp':
      return chatappValues(message, formatted(to, format));
    case 'rcs':
      return rcsValues(message, formatted(to, format));
    case 'sms':
      return smsValues(
        message,
        recipients.map(({ number }) => formatted(number, format)),
      );
    case 'flash': {
      const { sender, text, type, unicode } = message;
      // The provider's own example of a flash SMS in the plain alphabet has no `unicode` at all.
      return { sender, text, type, to: formatted(to, format), unicode: unicode ? 1 : undefined };
    }
    case 'interactive':
      return {
        from: message.from,
        to: formatted(to, format),
        interactive: interactiveObject(message),
      };
    case 'address':
      return { ...addressValues(message), to: formatted(to, format) };
  }
}

function chatappValues(message: ChatappMessage, to: string): ShapeValues {
  const { from, templateName, params, otp, language, header, campaignName } = message;
  return {
    from,
    to,
    templateName,
    params,
    otp,
    language: language?.code,
    link: header?.link,
    filename: header?.type === 'document' ? header.filename : undefined,
    campaignName,
  };
}

function rcsValues(message: RcsMessage, number: string): ShapeValues {
  const { templateName, botId, type, params, fileUrls, campaignName } = message;
  const cards = fileUrls?.map((fileUrl) => ({ fileUrl }));
  return { number, templateName, botId, type, params: params ?? [], cards, campaignName };
}

function smsValues(message: SmsMessage, recipients: readonly string[]): ShapeValues {
  const { sender, text, type, unicode, campaignName } = message;
  return { sender, text, type, recipients, to: recipients[0], unicode: unicode ? 1 : 0, campaignName };
}

function formatted(number: Msisdn, format: NumberFormat): string {
  return format === 'digits' ? digitsOf(number) : number;
}
