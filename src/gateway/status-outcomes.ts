import { STATUS_CODES } from 'node:http';
import { given } from '../core/given.ts';
import type { Failure, FailureScope, Outcome } from '../sends/outcome.ts';
import {
  CHECK_ADDRESS,
  CHECK_NUMBER_AND_VALUES,
  CHECK_THEN_CHOOSE,
  DOCUMENTED_STATUSES,
  FAILURE_CODES,
  LOOK_UP_CODE,
  namedCode,
  nextStep,
} from './codes.ts';
import { type Evidence, retryAfterMs } from './evidence.ts';
import type { FoundCode } from './signs.ts';

/*
 * The outcomes that a status or a listed code decides, with their sentences. outcome.ts says which of them it is.
 */

interface StatusWords {
  readonly scope: FailureScope;
  readonly next: string;
  /** True where it is what a person should do whatever code stands beside the status. */
  readonly certain?: true;
}

const keyAdvice = (what: string) =>
  `Ask whoever runs Herald to check ${what}; every message would fail alike.`;

/** Answers that say that the message was not taken. */
export const REJECTED: ReadonlyMap<number, StatusWords> = new Map([
  [400, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
  [401, { scope: 'send', next: keyAdvice('the messaging API key'), certain: true }],
  [403, { scope: 'send', next: keyAdvice('what the messaging API key may do'), certain: true }],
  [404, { scope: 'send', next: CHECK_ADDRESS }],
  [405, { scope: 'send', next: CHECK_ADDRESS }],
  [413, { scope: 'send', next: 'Make the message shorter, then send it again.' }],
  [422, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
]);

const CHECK_REDIRECT =
  'Ask whoever runs Herald to correct the service’s configured address: Herald never follows a redirect. ' +
  'Check whether this message arrived before you send it again.';
const CHECK_TEMPLATE_OR_ADDRESS =
  'Check the template’s name, and ask whoever runs Herald to check the service’s configured address.';

/** An answer, or a part of it, by what is found in it. */
interface Answered {
  readonly status: number;
  readonly found: FoundCode;
  /** Whether the message is made from a template: what people should look at differs. */
  readonly hasTemplate: boolean;
}

export function byCode({ status, found, hasTemplate }: Answered): Outcome | undefined {
  const listed = found.listed === undefined ? undefined : FAILURE_CODES.get(found.listed);
  if (listed === undefined) return undefined;
  const { state, scope, code, meaning } = listed;
  const next = nextStep(listed, hasTemplate);
  const what = `The messaging service ${state === 'rejected' ? 'refused the message' : 'failed'} with code ${code}: ${meaning}.`;
  return { state, failure: given({ code, status, what, next, scope, field: found.field }) };
}

export function partlyRefused(part: Answered): Outcome {
  const { what, ...answer } = answered(part);
  const failure: Failure = {
    ...answer,
    what: `${what.slice(0, -1)}, and may have taken a part of the request.`,
    next: CHECK_THEN_CHOOSE,
    scope: 'send',
  };
  return { state: 'unknown', failure };
}

/**
 * What the status alone says. 408 and 5xx are the service's trouble; any but those that refuse, and a redirect, have no meaning
 * that can be relied on.
 *
 * @param isOpen whatever the status says, the message may have been sent
 */
export function byStatus({ status, found, hasTemplate }: Answered, isOpen = false): Outcome {
  const refused = isOpen ? undefined : REJECTED.get(status);
  const scope = status === 408 || status >= 500 ? 'service' : 'send';
  const isRedirect = status >= 300 && status < 400;
  const open: StatusWords = { scope, next: isRedirect ? CHECK_REDIRECT : CHECK_THEN_CHOOSE, certain: true };
  const words = refused ?? open;
  const next = refused && status === 404 && hasTemplate ? CHECK_TEMPLATE_OR_ADDRESS : words.next;
  const failure: Failure = {
    ...answered({ status, found }),
    next: found.unlisted === undefined || words.certain ? next : LOOK_UP_CODE,
    scope: words.scope,
    ...given({ field: refused && found.field }),
  };
  return { state: refused === undefined ? 'unknown' : 'rejected', failure };
}

export function tooMany(
  { retryAfter, date = '' }: Evidence,
  part: Answered & { readonly now: number },
): Outcome {
  // The clock of this machine may differ from the service's, or have been set.
  const served = Date.parse(date);
  const delayMs = retryAfterMs(retryAfter, Number.isNaN(served) ? part.now : served);
  return {
    state: 'not_sent',
    failure: {
      ...answered(part),
      next: 'Wait a few minutes, then send it again; if it happens often, ask whoever runs Herald to send slower.',
      scope: 'service',
    },
    retry: delayMs === undefined ? { kind: 'backoff' } : { kind: 'after', delayMs },
  };
}

/** Status and code as they came, in one sentence; where there is a code, without the meaning of the status. */
function answered({ status, found }: Pick<Answered, 'status' | 'found'>) {
  const { listed, unlisted } = found;
  const code = listed ?? unlisted;
  const meaning =
    code === undefined ? DOCUMENTED_STATUSES.get(status) : listed && FAILURE_CODES.get(listed)?.meaning;
  const coded = code === undefined ? '' : ` with ${namedCode(code)}`;
  return {
    status,
    ...given({ code }),
    what: `The messaging service answered ${named(status)}${coded}${meaning === undefined ? '' : `: ${meaning}`}.`,
  };
}

export function named(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}
