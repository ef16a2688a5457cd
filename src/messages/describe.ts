import type {
  AddressMessage,
  ChatappMessage,
  FlashMessage,
  InteractiveMessage,
  Message,
  RcsMessage,
  SmsMessage,
} from './message.ts';
import { countryName, formatNumber } from './numbers/phone-number.ts';
import { measureSms } from './sms/segments.ts';

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
    case 'interactive':
      return interactiveFacts(message);
    case 'address':
      return addressFacts(message);
  }
}

/**
 * Everything that a message carries or leads to besides its text, each value whole: who approves it answers for that,
 * too. Every kind says so here, whether it has any or not.
 */
export function attachments(message: Message): readonly Fact[] {
  switch (message.kind) {
    case 'chatapp':
      return [
        ...fact(message.header?.type === 'image' ? 'Image' : 'Document', message.header?.link),
        ...fact('File name', message.header?.type === 'document' ? message.header.filename : undefined),
      ];
    case 'rcs':
      return (message.fileUrls ?? []).map((value, index) => ({ label: `Card ${index + 1} image`, value }));
    case 'interactive':
      return headerMedia(message.header);
    case 'sms':
    case 'flash':
    case 'address':
      return [];
  }
}

const MEDIA_LABELS = { image: 'Image', video: 'Video', document: 'Document' } as const;

function headerMedia(header: InteractiveMessage['header']): readonly Fact[] {
  if (header === undefined || header.type === 'text') return [];
  const { media, type } = header;
  const label = MEDIA_LABELS[type];
  return [
    ...('id' in media
      ? [{ label: `${label} id`, value: media.id }]
      : [
          { label, value: media.link },
          { label: 'Provider', value: media.provider.name },
        ]),
    ...fact('File name', type === 'document' ? header.filename : undefined),
  ];
}

function chatappFacts({ templateName, from, language, campaignName }: ChatappMessage): Fact[] {
  return [
    { label: 'Template', value: templateName },
    { label: 'From', value: formatNumber(from) },
    ...fact('Language', language?.code),
    ...fact('Campaign', campaignName),
  ];
}

function rcsFacts({ templateName, botId, type, campaignName }: RcsMessage): Fact[] {
  return [
    { label: 'Template', value: templateName },
    { label: 'Bot', value: botId },
    { label: 'Type', value: type },
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

function interactiveFacts({ from, header, action }: InteractiveMessage): Fact[] {
  const rows = action.type === 'list' ? action.sections.flatMap((section) => section.rows) : [];
  return [
    { label: 'From', value: formatNumber(from) },
    action.type === 'button'
      ? { label: 'Reply buttons', value: String(action.buttons.length) }
      : { label: 'List', value: `${rows.length} rows in ${action.sections.length} sections` },
    ...fact('Header', header?.type),
  ];
}

function addressFacts({ from, country, values, savedAddresses, validationErrors }: AddressMessage): Fact[] {
  const some = (count: number) => (count === 0 ? undefined : String(count));
  return [
    { label: 'From', value: formatNumber(from) },
    { label: 'Country', value: countryName(country) },
    ...fact('Values filled in', some(Object.keys(values).length)),
    ...fact('Saved addresses', some(savedAddresses.length)),
    ...fact('Corrections', some(Object.keys(validationErrors).length)),
  ];
}

function fact(label: string, value: string | undefined): Fact[] {
  return value === undefined ? [] : [{ label, value }];
}
