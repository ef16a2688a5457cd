import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierFault } from '../protocol.ts';
import { type Answer, accepted, bareStatus, EMPTY, failureCode, huge, WEB_PAGE } from './answers.ts';
import { SUCCESS_CODE } from './failure-codes.ts';

/** Whether the phones have got the message although the answer says otherwise, or never comes. */
export function isDelivered(fault: CarrierFault['do'] | undefined): boolean {
  switch (fault?.type) {
    case 'code':
      return fault.code === SUCCESS_CODE;
    case 'status':
      // A body of its own is there to say something else than "taken".
      return fault.status >= 200 && fault.status < 300 && fault.body === undefined;
    case 'redirect':
      return false;
    default:
      return true;
  }
}

/** What a fault answers or does, in words for the carrier log; `status` null when no answer is given. */
export interface Performance {
  readonly status: number | null;
  readonly note: string;
  run(response: ServerResponse): void;
}

/** How the carrier ends a good request: well, or as the fault says. */
export function performanceOf(
  fault: CarrierFault['do'] | undefined,
  messageIds: readonly string[],
): Performance {
  if (fault === undefined) return answering(accepted(messageIds));
  switch (fault.type) {
    case 'code':
      return answering(fault.code === SUCCESS_CODE ? accepted(messageIds) : failureCode(fault));
    case 'status':
      return answering(isDelivered(fault) ? accepted(messageIds, fault.status) : bareStatus(fault));
    case 'html':
      return answering(WEB_PAGE);
    case 'empty':
      return answering(EMPTY);
    case 'huge':
      return answering(huge(messageIds[0] ?? ''));
    case 'redirect':
      return answering({
        status: 302,
        headers: { location: fault.location },
        body: '',
        note: 'redirected, not taken',
      });
    case 'delay':
      return delayed(fault.ms, accepted(messageIds));
    default:
      return breaking(fault.type);
  }
}

/** Gives this answer. */
export function answering(answer: Answer): Performance {
  return { status: answer.status, note: answer.note, run: (response) => send(response, answer) };
}

function delayed(ms: number, answer: Answer): Performance {
  return {
    status: answer.status,
    note: `${answer.note}, answered after ${ms} ms`,
    run: (response) => {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      delay(ms, undefined, { signal: closed.signal }).then(
        () => send(response, answer),
        () => {
          // The client went away first: there is nobody left to answer.
        },
      );
    },
  };
}

type Breakage = 'hang' | 'reset_before_answer' | 'reset_mid_answer' | 'garbage';

function breaking(type: Breakage): Performance {
  switch (type) {
    case 'hang':
      return { status: null, note: 'accepted, never answered', run: () => undefined };
    case 'reset_before_answer':
      return {
        status: null,
        note: 'accepted, connection reset before the answer',
        run: (response) => response.socket?.resetAndDestroy(),
      };
    case 'reset_mid_answer':
      return {
        status: null,
        note: 'accepted, connection reset in the middle of the answer',
        run: resetMidAnswer,
      };
    case 'garbage':
      return {
        status: null,
        note: 'accepted, answered with bytes that are not HTTP',
        run: (response) => response.socket?.end(Buffer.from('\u0000\u0007 not an answer \r\n\r\n')),
      };
  }
}

/** Part of the answer is written out first, so that the client has read a good status line before the reset. */
function resetMidAnswer(response: ServerResponse): void {
  const { socket } = response;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"code":200,"mess', () => {
    setTimeout(() => socket?.resetAndDestroy(), RESET_AFTER_MS);
  });
}

/** Long enough for the first bytes to be read: a reset throws away what the client has not read yet. */
const RESET_AFTER_MS = 30;

export function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  response.writeHead(answer.status, { ...answer.headers, ...lengthOf(answer) });
  response.end(answer.body);
}

function lengthOf(answer: Answer): Record<string, string> {
  return answer.status === 204 ? {} : { 'content-length': String(Buffer.byteLength(answer.body)) };
}
