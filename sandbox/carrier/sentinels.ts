import type { CarrierFault, Sentinel } from '../protocol.ts';
import { ALL_CODES, FAILURE_CODES, SUCCESS_CODE } from './failure-codes.ts';

/**
 * Recipients that make the carrier fail in a chosen way, so that every failure can be reproduced by hand: valid
 * Indian mobile numbers whose last six digits say what happens. `131009` and the like are codes, `900503` and
 * the like HTTP statuses, `8000NN` behaviours of the connection.
 */
const PREFIX = '+919999';

const STATUSES: readonly (readonly [status: number, words: string])[] = [
  [200, 'success'],
  [201, 'success, a resource was created'],
  [204, 'success without a body'],
  [400, 'not understood, or required parameters missing'],
  [401, 'authentication failed or no permission'],
  [403, 'access denied'],
  [404, 'resource not found'],
  [405, 'method not supported'],
  [408, 'the service gave up waiting'],
  [413, 'request too large'],
  [422, 'request not processable'],
  [429, 'too many requests; Retry-After 1 second'],
  [500, 'the service failed'],
  [502, 'bad gateway'],
  [503, 'unavailable'],
];

/** Answers of services that say 200 to everything and tell the rest in the body, most with codes that no list has. */
const REFUSALS_IN_200: readonly (readonly [digits: string, body: object])[] = [
  ['800011', { code: 401, message: 'Unauthorized' }],
  [
    '800012',
    {
      error: {
        code: 131026,
        message: 'Message undeliverable',
        error_data: { details: 'The recipient’s app is too old, or its new terms were not accepted.' },
      },
    },
  ],
  [
    '800013',
    {
      error: {
        code: 132015,
        message: FAILURE_CODES[132015]?.description,
        error_data: { details: FAILURE_CODES[132015]?.details },
      },
    },
  ],
];

const RETRY_AFTER_SECONDS = 1;
const SLOW_ANSWER_MS = 5_000;

const BEHAVIOURS: readonly (readonly [digits: string, does: CarrierFault['do'], words: string])[] = [
  ['800001', { type: 'hang' }, 'takes the message, never answers'],
  ['800002', { type: 'reset_before_answer' }, 'takes the message, then resets the connection'],
  ['800003', { type: 'reset_mid_answer' }, 'takes the message, resets in the middle of the answer'],
  ['800004', { type: 'html' }, 'takes the message, answers with a web page'],
  ['800005', { type: 'empty' }, 'takes the message, answers with an empty body'],
  ['800006', { type: 'huge' }, 'takes the message, answers with 10 MB'],
  ['800007', { type: 'garbage' }, 'takes the message, answers with bytes that are not HTTP'],
  ['800008', { type: 'redirect', location: '/elsewhere' }, 'redirects; the message is not taken'],
  ['800009', { type: 'delay', ms: SLOW_ANSWER_MS }, 'takes the message, answers after 5 seconds'],
];

/** The one table: what the page lists, what tests and the tour send to. */
export const SENTINELS: readonly Sentinel[] = [
  ...ALL_CODES.map((code) => ({
    number: PREFIX + String(code).padStart(6, '0'),
    does: { type: 'code', code } as const,
    description: `Code ${code}: ${code === SUCCESS_CODE ? 'Success.' : FAILURE_CODES[code]?.description}`,
  })),
  ...STATUSES.map(([status, words]) => ({
    number: `${PREFIX}900${status}`,
    does: statusOf(status),
    description: `HTTP ${status}: ${words}.`,
  })),
  ...BEHAVIOURS.map(([digits, does, words]) => ({
    number: PREFIX + digits,
    does,
    description: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  })),
  {
    number: `${PREFIX}800010`,
    does: statusOf(429),
    alternates: true,
    description: 'HTTP 429 with Retry-After 1 second, then success on the second try.',
  },
  ...REFUSALS_IN_200.map(([digits, body]) => ({
    number: PREFIX + digits,
    does: { type: 'status', status: 200, body: JSON.stringify(body) } as const,
    description: `HTTP 200 with an error in it: ${JSON.stringify(body)}. The message is not taken.`,
  })),
];

const BY_NUMBER: ReadonlyMap<string, Sentinel> = new Map(SENTINELS.map((one) => [one.number, one]));

/** What the carrier does to this recipient (E.164), if it is a sentinel. */
export function sentinelFor(number: string): Sentinel | undefined {
  return BY_NUMBER.get(number);
}

function statusOf(status: number): CarrierFault['do'] {
  if (status !== 429) return { type: 'status', status };
  return { type: 'status', status, retryAfterSeconds: RETRY_AFTER_SECONDS };
}
