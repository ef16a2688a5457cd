import { z } from 'zod';
import { documented } from './key.ts';
import { optionalSection } from './sections.ts';
import { channelId, text } from './values.ts';

/** Whole replies that ask for no more messages, in the languages of the anchors' customers and their neighbours. */
const STOP_WORDS = [
  ...[
    'STOP',
    'STOP ALL',
    'STOPALL',
    'STOP PROMOTIONS',
    'UNSUBSCRIBE',
    'OPT OUT',
    'OPT-OUT',
    'OPTOUT',
    'QUIT',
    'END',
  ],
  ...['बंद', 'बंद करो', 'बंद करें', 'रोकें', 'रोको', 'थांबवा', 'বন্ধ', 'বন্ধ করুন', 'நிறுத்து', 'ఆపు', 'ఆపండి'],
  ...['ನಿಲ್ಲಿಸಿ', 'നിർത്തുക', 'બંધ', 'બંધ કરો', 'ਬੰਦ ਕਰੋ', 'بند', 'روکیں'],
  ...['停止', '退订', '退訂', 'BERHENTI', 'HENTIKAN', 'TUTUP', 'หยุด', 'DỪNG', '중지', '配信停止'],
  ...[
    'BAJA',
    'PARAR',
    'ALTO',
    'ARRET',
    'ARRÊT',
    'SAIR',
    'PARE',
    'STOPP',
    'ABMELDEN',
    'СТОП',
    'توقف',
    'إيقاف',
    'DUR',
  ],
];

const HEADER_EXPECTED = 'the name of an HTTP header, e.g. x-webhook-secret';
const RANGES_EXPECTED = 'a list of IP addresses or ranges, e.g. [203.0.113.0/24]';

/** What the messaging service posts back. */
export function webhooks<AddressRange extends z.ZodType<unknown, string>>(addressRange: AddressRange) {
  return optionalSection(
    {
      channel: documented(channelId.optional(), {
        doc: 'Where answers go that match no send.',
        absent: 'nowhere; they are kept',
      }),
      stopWords: documented(z.array(text('a word'), { error: 'a list of words' }).default(STOP_WORDS), {
        doc: 'Whole replies that put a number on the opt-out list; case and signs around them do not matter.',
        absent: `${STOP_WORDS.length} words in some twenty languages: STOP, UNSUBSCRIBE, OPT OUT, बंद, 停止, BAJA and more`,
      }),
      secretHeader: documented(
        z
          .string({ error: HEADER_EXPECTED })
          .regex(/^[A-Za-z0-9-]+$/, { error: HEADER_EXPECTED })
          .default('x-webhook-secret'),
        { doc: 'The header in which the service sends WEBHOOK_HEADER_SECRET, where that is set.' },
      ),
      allowFrom: documented(z.array(addressRange, { error: RANGES_EXPECTED }).default([]), {
        doc: 'The only addresses that webhooks may come from.',
        absent: 'anywhere',
      }),
      proxies: documented(z.array(addressRange, { error: RANGES_EXPECTED }).default([]), {
        doc: 'Proxies in front of Herald, whose X-Forwarded-For is believed.',
        absent: 'none',
      }),
    },
    'the keys channel, stopWords, secretHeader, allowFrom and proxies',
  );
}
