import type { SendReader } from './ports.ts';
import type { SendReport } from './send.ts';

/** A send and its one recipient, or undefined when there is no such send. */
export async function readReport(
  store: Pick<SendReader, 'find' | 'recipients'>,
  sendId: string,
): Promise<SendReport | undefined> {
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const [recipient] = await store.recipients(sendId);
  return recipient === undefined ? undefined : { send, recipient };
}
