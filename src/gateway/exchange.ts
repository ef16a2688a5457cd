import { type Dispatcher, errors } from 'undici';
import { given } from '../core/given.ts';
import { DEADLINE_CODE, type Evidence, NO_LEAVE_CODE, PARSER_CODE, REPEATED_CODE } from './evidence.ts';

/** Kept of an answer's body: entries for a thousand recipients, of some 500 bytes each. */
const KEPT_BYTES = 512 * 1024;
/** Read of an answer's body before the rest is given up: reading on keeps the connection, but not at any price. */
const MOST_BYTES = 1024 * 1024;

type Controller = Dispatcher.DispatchController;

/**
 * One request and its answer, as undici reports them. Settles exactly once: with the complete answer, with the
 * first error, or at its deadline.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (evidence: Evidence) => void;
  readonly #mayStart: () => boolean;
  readonly #deadline: NodeJS.Timeout;
  #settled = false;
  #whenOver: (() => void) | undefined;
  #started = false;
  #controller: Controller | undefined;
  #headers: Pick<Evidence, 'status' | 'retryAfter' | 'date'> = {};
  #chunks: Buffer[] = [];
  #receivedBytes = 0;

  /** @param mayStart asked right before the request is written; false: it is not, and never will be */
  constructor(totalMs: number, settle: (evidence: Evidence) => void, mayStart: () => boolean) {
    this.#settle = settle;
    this.#mayStart = mayStart;
    this.#deadline = setTimeout(() => this.#giveUp(), totalMs);
  }

  /** True once its end is known, however it came: nothing of it may be written any more. */
  get isSettled(): boolean {
    return this.#settled;
  }

  /** `done` is called once, when undici has finished with this request and its connection is free. */
  whenOver(done: () => void): void {
    this.#whenOver = done;
  }

  /** Ends it before undici has seen it. */
  refuse(code: string): void {
    this.#end({ code });
  }

  /**
   * Right before the request is written, in the same turn: from here on it may have left, and before it cannot have. (The
   * channel `undici:client:sendHeaders` says the same a moment later, and costs a tenth of the sending.) A request that
   * was settled while it waited must not be written any more, and none may be written twice: a dead connection makes
   * undici put a request back into its queue.
   */
  onRequestStart(controller: Controller): void {
    const isRepeated = this.#settled || this.#started;
    const code = isRepeated ? REPEATED_CODE : NO_LEAVE_CODE;
    if (isRepeated || !this.#mayStart()) {
      this.#end({ code });
      controller.abort(abortReason(code));
      return;
    }
    this.#started = true;
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, status: number, headers: Record<string, unknown>): void {
    // 1xx answers announce the final one and mean nothing here.
    if (status < 200) return;
    const retryAfter = firstOf(headers['retry-after']);
    const date = retryAfter && firstOf(headers.date);
    this.#headers = given({ status, retryAfter, date });
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const room = KEPT_BYTES - this.#receivedBytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes <= MOST_BYTES) return;
    // The answer is known as well as it ever will be: its status came whole and its kept part is full.
    this.#end(undefined);
    controller.abort(abortReason('HERALD_ENOUGH'));
  }

  onResponseEnd(): void {
    this.#end(undefined);
    this.#over();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const code = codeOf(error);
    this.#end(code === undefined ? {} : { code });
    // undici is in the middle of failing this connection's requests, and does not expect a new one there.
    queueMicrotask(() => this.#over());
  }

  #over(): void {
    const done = this.#whenOver;
    this.#whenOver = undefined;
    done?.();
  }

  #giveUp(): void {
    this.refuse(DEADLINE_CODE);
    // Without a controller it still waits for a connection: `onRequestStart` will stop it.
    this.#controller?.abort(abortReason(DEADLINE_CODE));
  }

  #end(failure: Evidence['failure']): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    const body = this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : undefined;
    this.#settle(given({ headersWritten: this.#started, ...this.#headers, body, failure }));
    this.#chunks = [];
  }
}

function firstOf(header: unknown): string | undefined {
  const first: unknown = Array.isArray(header) ? header[0] : header;
  return typeof first === 'string' ? first : undefined;
}

function abortReason(code: string): Error {
  return Object.assign(new Error('The exchange is over.'), { code });
}

/** A failed attempt on several addresses of one host reports each inside one error; some parser errors have no code. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof errors.HTTPParserError) return PARSER_CODE;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}
