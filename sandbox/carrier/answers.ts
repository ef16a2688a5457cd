import { STATUS_CODES } from 'node:http';
import type { CarrierFault } from '../protocol.ts';
import { FAILURE_CODES, SUCCESS_CODE } from './failure-codes.ts';
import type { Refusal } from './verdict.ts';

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the carrier log: what was done, in words. */
  readonly note: string;
}

/** The body a code is reported in; the interface document shows none, so each plausible place can be asked for. */
type CodeShape = NonNullable<Extract<CarrierFault['do'], { type: 'code' }>['shape']>;

const SHAPES: Readonly<
  Record<CodeShape, (code: number | string, message: string, details?: string) => object>
> = {
  code: (code, message, details) => ({ code, message, ...errorData(details) }),
  'error.code': (code, message, details) => ({ error: { code, message, ...errorData(details) } }),
  'errors[0].code': (code, title, details) => ({ errors: [{ code, title, ...errorData(details) }] }),
  errorCode: (code, message, details) => ({
    errorCode: code,
    errorMessage: message,
    ...(details !== undefined && { errorDetails: details }),
  }),
  'status.code': (code, description) => ({ status: { code, description } }),
};

/** Where services of the kind say what is wrong with this very request. */
function errorData(details: string | undefined): object {
  return details === undefined ? {} : { error_data: { details } };
}

/**
 * The sandbox's sample of a good answer, since the document shows none: its success code (200), its word for
 * it, and the message's id. A request with several recipients also lists each one's id.
 */
export function accepted(messageIds: readonly string[], status = 200): Answer {
  if (status === 204) return { status, headers: {}, body: '', note: 'accepted' };
  const [messageId] = messageIds;
  const messages = messageIds.length > 1 ? { messages: messageIds.map((id) => ({ id })) } : {};
  return json(status, { code: SUCCESS_CODE, message: 'Success.', messageId, ...messages }, 'accepted');
}

/** One recipient of a request for several, in its answer. */
export interface Entry {
  /** Digits without plus, as the request has them. */
  readonly mobile: string;
  readonly id: string;
  readonly status: string;
  readonly isTaken: boolean;
}

/** An answer that has an entry for each recipient, as bulk SMS services give it: a success as a whole, whatever is in it. */
export function acceptedInEntries(entries: readonly Entry[]): Answer {
  const refused = entries.filter(({ isTaken }) => !isTaken).length;
  const data = entries.map(({ mobile, id, status }) => ({ mobile, id, status }));
  const note =
    refused === 0 ? 'accepted' : `accepted, ${refused} of ${entries.length} refused in their entries`;
  return json(200, { status: 'OK', message: 'Success.', data }, note);
}

/** A request that broke a rule: its code, the field at fault and the reason, under `error`. */
export function refused(refusal: Refusal): Answer {
  const { code, field, details } = refusal;
  const known = FAILURE_CODES[code];
  const error = { code, message: known?.description ?? details, field, ...errorData(details) };
  return json(known?.httpStatus ?? 400, { error }, `refused: code ${code}, ${details}`);
}

/** A failure code that was asked for by a fault or a sentinel number. */
export function failureCode(fault: Extract<CarrierFault['do'], { type: 'code' }>): Answer {
  const known = FAILURE_CODES[fault.code];
  const status = fault.httpStatus ?? known?.httpStatus ?? 400;
  const code = fault.asString ? String(fault.code) : fault.code;
  const shape = SHAPES[fault.shape ?? 'error.code'];
  const body = shape(code, known?.description ?? `Code ${fault.code}.`, known?.details);
  return json(status, body, `code ${fault.code}`);
}

/** A bare HTTP status; the body names it and nothing else. */
export function bareStatus(fault: Extract<CarrierFault['do'], { type: 'status' }>): Answer {
  const { status, retryAfterSeconds, body } = fault;
  const retry: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) return { status, headers: retry, body, note: `HTTP ${status}` };
  const answer = json(status, { message: STATUS_CODES[status] ?? `Status ${status}` }, `HTTP ${status}`);
  return { ...answer, headers: { ...answer.headers, ...retry } };
}

export function json(status: number, body: object, note: string): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), note };
}

/** What a proxy or a captive portal puts in the service's place. */
export const WEB_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>',
  note: 'accepted, answered with a web page',
};

export const EMPTY: Answer = { status: 200, headers: {}, body: '', note: 'accepted, empty body' };

const HUGE_BYTES = 10 * 1024 * 1024;

/** A good answer buried under 10 MB; made when needed so that it is not held. */
export function huge(messageId: string): Answer {
  const body = { code: SUCCESS_CODE, messageId, padding: 'x'.repeat(HUGE_BYTES) };
  return json(200, body, 'accepted, 10 MB body');
}
