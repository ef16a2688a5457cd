/* What may come of a call to Slack instead of its answer, for a client whose `fetch` is the test's. */

export interface Trouble {
  readonly name: string;
  /** Slack does what is asked, and says that it did not, or nothing. */
  readonly isDone?: boolean;
  answer(): Response;
}

export const says = (value: object, init?: ResponseInit) => new Response(JSON.stringify(value), init);
export function fails(name: string, code?: string): never {
  throw Object.assign(new TypeError(name), code && { cause: Object.assign(new Error(code), { code }) });
}
/** Slack says no. */
export const refusal = (error: string): Trouble => ({
  name: error,
  answer: () => says({ ok: false, error }),
});
/** Slack says nothing that can be read, or says to wait, or is not reached. */
export const ON_THE_WAY: readonly Trouble[] = [
  ...[500, 502, 503, 504].map((status) => ({
    name: `HTTP ${status}`,
    answer: () => new Response('<html>', { status }),
  })),
  { name: '429', answer: () => says({ ok: false }, { status: 429, headers: { 'retry-after': '30' } }) },
  { name: '429 that says no time', answer: () => says({ ok: false }, { status: 429 }) },
  { name: 'a page', answer: () => new Response('<html>Log in</html>') },
  { name: 'nothing', answer: () => new Response('') },
  { name: 'refused', answer: () => fails('fetch failed', 'ECONNREFUSED') },
  { name: 'no name', answer: () => fails('fetch failed', 'ENOTFOUND') },
  { name: 'reset', answer: () => fails('fetch failed', 'ECONNRESET') },
  {
    name: 'time-out',
    answer: () => {
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    },
  },
];
