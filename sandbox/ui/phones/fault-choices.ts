import type { CarrierFault } from '../../protocol.ts';

type Behaviour = CarrierFault['do'];

export interface FaultChoice {
  key: string;
  label: string;
  does: Behaviour;
}

const CODES: readonly [number, string][] = [
  [100, 'Invalid parameter'],
  [131009, 'Parameter value is invalid'],
  [132000, 'Wrong number of values'],
  [132001, 'Template missing or not approved'],
  [132015, 'Template parameters invalid'],
  [131051, 'Unsupported message type'],
  [131021, 'Sender is the recipient'],
  [133010, 'Sender not registered'],
  [133004, 'Server unavailable'],
  [131016, 'A service is unavailable'],
  [131000, 'Unknown error'],
];

const STATUSES: readonly [number, string][] = [
  [400, 'Bad request'],
  [401, 'Key refused'],
  [403, 'Forbidden'],
  [404, 'Not found'],
  [405, 'Method not allowed'],
  [408, 'Request time-out'],
  [500, 'Server error'],
  [503, 'Unavailable'],
];

/** Long enough for a person to see "sending…". */
const SLOW_MS = 3000;
const RETRY_AFTER_SECONDS = 3;

/** What the carrier can be made to do, in the order a person would look for it. */
export const FAULT_GROUPS: readonly { label: string; choices: FaultChoice[] }[] = [
  {
    label: 'Error codes',
    choices: CODES.map(([code, words]) => ({
      key: `code-${code}`,
      label: `${code} · ${words}`,
      does: { type: 'code', code },
    })),
  },
  {
    label: 'Connection',
    choices: [
      { key: 'hang', label: 'Never answers', does: { type: 'hang' } },
      {
        key: 'delay',
        label: `Answers after ${SLOW_MS / 1000} seconds`,
        does: { type: 'delay', ms: SLOW_MS },
      },
      {
        key: 'reset-before',
        label: 'Drops the connection before answering',
        does: { type: 'reset_before_answer' },
      },
      { key: 'reset-mid', label: 'Drops the connection in mid-answer', does: { type: 'reset_mid_answer' } },
    ],
  },
  {
    label: 'Strange answers',
    choices: [
      {
        key: 'refusal-in-200',
        label: '200 with an error in it',
        does: { type: 'status', status: 200, body: '{"code":401,"message":"Unauthorized"}' },
      },
      { key: 'html', label: 'An HTML page', does: { type: 'html' } },
      { key: 'empty', label: 'An empty body', does: { type: 'empty' } },
      { key: 'huge', label: 'A body of many megabytes', does: { type: 'huge' } },
      { key: 'garbage', label: 'Not HTTP at all', does: { type: 'garbage' } },
      {
        key: 'redirect',
        label: 'A redirect elsewhere',
        does: { type: 'redirect', location: 'https://elsewhere.example/' },
      },
    ],
  },
  {
    label: 'HTTP statuses',
    choices: [
      ...STATUSES.map(
        ([status, words]): FaultChoice => ({
          key: `status-${status}`,
          label: `${status} · ${words}`,
          does: { type: 'status', status },
        }),
      ),
      {
        key: 'status-429',
        label: `429 · Too many requests (retry after ${RETRY_AFTER_SECONDS} s)`,
        does: { type: 'status', status: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
      },
    ],
  },
];

/** What is tried most, with one click each. */
export interface Failure {
  label: string;
  fault: CarrierFault;
  /** How long it lasts; absent: until it is taken away. */
  forMs?: number;
}

export const FAILURES: readonly Failure[] = [
  { label: 'Fail every tenth with 131021', fault: { every: 10, do: { type: 'code', code: 131021 } } },
  { label: `Take ${SLOW_MS / 1000} s`, fault: { do: { type: 'delay', ms: SLOW_MS } } },
  { label: 'Go down for 20 s', fault: { do: { type: 'status', status: 503 } }, forMs: 20_000 },
];

/** Whether this fault is that failure. */
export function isFailure({ fault, forMs }: Failure, one: CarrierFault): boolean {
  const { until, ...rest } = one;
  return (until === undefined) === (forMs === undefined) && JSON.stringify(rest) === JSON.stringify(fault);
}

/** With one more: what is for some requests or for a while comes before what is for all, which would hide it. */
export function withFault(faults: readonly CarrierFault[], fault: CarrierFault): CarrierFault[] {
  const rank = ({ until, every, times, number }: CarrierFault) =>
    until !== undefined ? 0 : every !== undefined ? 1 : times !== undefined || number !== undefined ? 2 : 3;
  return [...faults, fault].sort((one, other) => rank(one) - rank(other));
}

/** A fault in a few words, for the list of those in force. */
export function faultLabel(fault: CarrierFault): string {
  const wanted = JSON.stringify(fault.do);
  const known = FAULT_GROUPS.flatMap((group) => group.choices).find(
    (one) => JSON.stringify(one.does) === wanted,
  );
  return known?.label ?? describe(fault.do);
}

function describe(does: Behaviour): string {
  switch (does.type) {
    case 'code':
      return `Code ${does.code}`;
    case 'status':
      return `Status ${does.status}`;
    case 'delay':
      return `Answers after ${does.ms / 1000} seconds`;
    case 'redirect':
      return `Redirects to ${does.location}`;
    default:
      return does.type.replaceAll('_', ' ');
  }
}
