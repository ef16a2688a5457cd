import type { ChatappMessage, FlashMessage, Message, RcsMessage, SmsMessage } from './message.ts';
import { formatNumber } from './phone-number.ts';
import { measureSms } from './sms-segments.ts';

/** One fact about a message, for a card. */
export interface Fact {
  readonly label: string;
  /** Untrusted: names and texts as people typed them. */
  readonly value: string;
}

/**
 * What a result card says of a message besides its text and recipient: at most six facts, without secrets.
 * Absent fields have no row.
 */
export function summarise(message: Message): readonly Fact[] {
  switch (message.kind) {
    case 'chatapp':
      return chatappFacts(message);
    case 'rcs':
      return rcsFacts(message);
    case 'sms':
    case 'flash':
      return smsFacts(message);
  }
}

function chatappFacts({ templateName, from, language, header, campaignName }: ChatappMessage): Fact[] {
  return [
    { label: 'Template', value: templateName },
    { label: 'From', value: formatNumber(from) },
    ...fact('Language', language?.code),
    ...fact('Document', header?.type === 'document' ? header.filename : undefined),
    ...fact('Image', header?.type === 'image' ? header.link : undefined),
    ...fact('Campaign', campaignName),
  ];
}

function rcsFacts({ templateName, botId, type, fileUrls, campaignName }: RcsMessage): Fact[] {
  return [
    { label: 'Template', value: templateName },
    { label: 'Bot', value: botId },
    { label: 'Type', value: type },
    ...fact('Images', fileUrls && `${fileUrls.length} cards`),
    ...fact('Campaign', campaignName),
  ];
}

function smsFacts(message: SmsMessage | FlashMessage): Fact[] {
  const { segments, encoding } = measureSms(message.text);
  return [
    { label: 'Sender', value: message.sender },
    { label: 'Type', value: message.type },
    { label: 'Segments', value: `${segments} (${encoding})` },
    ...fact('Campaign', message.kind === 'sms' ? message.campaignName : undefined),
  ];
}

function fact(label: string, value: string | undefined): Fact[] {
  return value === undefined ? [] : [{ label, value }];
}
