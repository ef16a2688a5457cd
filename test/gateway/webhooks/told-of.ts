import type { WebhookEvent } from '../../../src/sends/replies/event.ts';

/** An event of a webhook as one line. */
export function toldOf(event: WebhookEvent): string {
  if (event.kind === 'report') {
    const { messageId, otherIds = [], status, number, failure } = event;
    const ids = [messageId, ...otherIds].join('/');
    return `${status} ${ids} ${number ?? '?'}${failure?.code === undefined ? '' : ` code ${failure.code}`}`;
  }
  const from = event.from ?? 'nobody';
  if (event.kind === 'text') return `${event.asksToStop ? 'stop' : 'text'} ${from}: ${event.text}`;
  if (event.kind === 'reply') return `tap ${from}: ${event.replyId} ${event.title ?? ''}`.trim();
  if (event.kind !== 'unknown' || event.sent === undefined) return `${event.kind} ${from}`;
  return `${from} sent ${event.sent}${event.caption === undefined ? '' : `: ${event.caption}`}`;
}
