import { z } from 'zod';
import { addressRangeSchema } from '../http/address-range.ts';
import { STOP_WORDS } from '../messages/stop-words.ts';
import { documented } from './key.ts';
import { channelId, optionalSection, text } from './values.ts';

const HEADER_EXPECTED = 'the name of an HTTP header, e.g. x-webhook-secret';
const RANGES_EXPECTED = 'a list of IP addresses or ranges, e.g. [203.0.113.0/24]';

/** What the messaging service posts back. */
export const webhooks = optionalSection(
  {
    channel: documented(channelId.optional(), {
      doc: 'Where answers go that match no send.',
      absent: 'nowhere; they are kept',
    }),
    stopWords: documented(z.array(text('a word'), { error: 'a list of words' }).default([...STOP_WORDS]), {
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
    allowFrom: documented(z.array(addressRangeSchema, { error: RANGES_EXPECTED }).default([]), {
      doc: 'The only addresses that webhooks may come from.',
      absent: 'anywhere',
    }),
    proxies: documented(z.array(addressRangeSchema, { error: RANGES_EXPECTED }).default([]), {
      doc: 'Proxies in front of Herald, whose X-Forwarded-For is believed.',
      absent: 'none',
    }),
  },
  'the keys channel, stopWords, secretHeader, allowFrom and proxies',
);
