import { given } from '../core/given.ts';
import type { Failure, FailureScope, Outcome } from '../sends/outcome.ts';
import { CHECK_THEN_CHOOSE } from './codes.ts';
import { CLOSED_CODE, DEADLINE_CODE, NO_LEAVE_CODE, PARSER_CODE, REPEATED_CODE } from './evidence.ts';

/* Why a request failed without an answer that could be read; the words for it. */

type NotSent = Extract<Outcome, { readonly state: 'not_sent' }>;

const SEND_AGAIN_LATER = 'Send it again in a few minutes; if it keeps failing, inform whoever runs Herald.';
const CHECK_ADDRESS =
  'Ask whoever runs Herald to check that the service is up and that its configured address is right, ' +
  'then send it again.';

const NAME_NOT_FOUND = 'The messaging service’s host name could not be found.';
const NO_ROUTE = 'There is no network route from Herald to the messaging service.';
const CONNECT_TIMED_OUT = 'The messaging service did not accept a connection in time.';
const TLS_FAILED = 'No secure connection to the messaging service could be agreed on.';
const LOST_BEFORE = 'The connection to the messaging service was lost before the request left.';
const PROXY_REFUSED = 'The proxy on the way to the messaging service made no connection to it.';
const OUT_OF_SOCKETS = 'Herald’s machine has no free connections left.';
const STOOD_STILL =
  'Herald stood still for so long that others may have taken over, so it did not start this request.';
const STOPPING = 'Herald was stopping and did not start this request.';

function later(what: string, next = SEND_AGAIN_LATER, scope: FailureScope = 'service'): NotSent {
  return { state: 'not_sent', failure: { what, next, scope }, retry: { kind: 'backoff' } };
}

function each<Meaning>(codes: string, meaning: Meaning): readonly (readonly [string, Meaning])[] {
  return codes.split(' ').map((code) => [code, meaning]);
}

/** Errors before the headers of a request were written, by their code. */
const BEFORE_HEADERS: ReadonlyMap<string, NotSent> = new Map([
  ['ECONNREFUSED', later('The messaging service refused the connection.', CHECK_ADDRESS)],
  ...each('ENOTFOUND EAI_NONAME', later(NAME_NOT_FOUND, CHECK_ADDRESS)),
  ['EAI_AGAIN', later('The name server that knows the messaging service’s address did not answer.')],
  ...each('EHOSTUNREACH ENETUNREACH ENETDOWN EHOSTDOWN', later(NO_ROUTE)),
  // The last is that of a proxy that opens no tunnel.
  ...each('UND_ERR_CONNECT_TIMEOUT ETIMEDOUT UND_ERR_HEADERS_TIMEOUT', later(CONNECT_TIMED_OUT)),
  ...each('ECONNRESET ECONNABORTED EPIPE UND_ERR_SOCKET', later(LOST_BEFORE)),
  ['EPROTO', later(TLS_FAILED, CHECK_ADDRESS)],
  ...each('UND_ERR_ABORTED UND_ERR_PRX_CONN UND_ERR_PRX_TLS', later(PROXY_REFUSED, CHECK_ADDRESS)),
  ...each('EMFILE ENFILE EADDRNOTAVAIL', later(OUT_OF_SOCKETS)),
  [DEADLINE_CODE, later('No connection to the messaging service became free in time.')],
  [NO_LEAVE_CODE, later(STOOD_STILL, SEND_AGAIN_LATER, 'recipient')],
  ...each(`${CLOSED_CODE} UND_ERR_CLOSED UND_ERR_DESTROYED`, later(STOPPING)),
]);

const CERTIFICATE_REFUSED = later(
  'The messaging service’s certificate could not be trusted, so Herald did not talk to it.',
  'Ask whoever runs Herald to check the service’s address and certificate; until then every message ' +
    'would fail alike.',
  'send',
);

/** Codes of OpenSSL's certificate checks, as Node reports them, and Node's own host name check. */
const CERTIFICATE_CODE =
  /^(CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|ERROR_IN_CERT_)/;

/** Of a request whose headers were never written: certainly nothing was sent. */
export function notSent(code: string | undefined): NotSent {
  if (code === undefined) return later('The request to the messaging service could not be started.');
  if (CERTIFICATE_CODE.test(code)) return { ...CERTIFICATE_REFUSED, retry: { kind: 'never' } };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return later(TLS_FAILED, CHECK_ADDRESS);
  return BEFORE_HEADERS.get(code) ?? later(`No connection to the messaging service could be made (${code}).`);
}

function unsure(what: string): Failure {
  return { what, next: CHECK_THEN_CHOOSE, scope: 'service' };
}

const CLOSED_AFTER =
  'The messaging service took the request, then the connection broke before its answer was complete.';
const NOT_HTTP = 'The messaging service took the request and answered with something that is not HTTP.';
const ANSWER_STALLED =
  'The messaging service took the request and began an answer that it did not finish in time.';

/** Errors after the headers of a request were written, by their code. */
const AFTER_HEADERS: ReadonlyMap<string, Failure> = new Map([
  ['UND_ERR_HEADERS_TIMEOUT', unsure('The messaging service took the request and did not answer in time.')],
  ['UND_ERR_BODY_TIMEOUT', unsure(ANSWER_STALLED)],
  [DEADLINE_CODE, unsure('The messaging service took the request and did not complete an answer in time.')],
  ...each('ECONNRESET ECONNABORTED EPIPE ETIMEDOUT UND_ERR_SOCKET', unsure(CLOSED_AFTER)),
  ...each(`${REPEATED_CODE} UND_ERR_RES_CONTENT_LENGTH_MISMATCH`, unsure(CLOSED_AFTER)),
  ['UND_ERR_HEADERS_OVERFLOW', unsure(NOT_HTTP)],
  ...each(
    'UND_ERR_CLOSED UND_ERR_DESTROYED',
    unsure('Herald was stopped before the messaging service had answered.'),
  ),
]);

/** Of a request whose headers were written, and that got no answer to rely on. */
export function broken(status: number | undefined, code = ''): Outcome {
  const known = code.startsWith(PARSER_CODE) ? unsure(NOT_HTTP) : AFTER_HEADERS.get(code);
  const unknown = `The messaging service took the request, then its answer failed${code && ` (${code})`}.`;
  return { state: 'unknown', failure: given({ ...(known ?? unsure(unknown)), status }) };
}
