import type { CarrierRegistry } from './registry.ts';
import { toInternational } from './shapes.ts';
import { refuse, type Verdict } from './verdict.ts';

/** What every request of the chat-app channel must keep about its two numbers. */
export function senderProblem(
  request: { from: string; to: string },
  registry: CarrierRegistry,
): Verdict | undefined {
  if (request.from === toInternational(request.to))
    return refuse(131021, 'to', 'from and to are the same number.');
  if (!registry.knowsSender('chatapp', request.from))
    return refuse(133010, 'from', 'from is not registered with the chat-app business platform.');
  return undefined;
}
