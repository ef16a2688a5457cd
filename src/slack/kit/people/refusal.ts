import type { Clock } from '../../../core/clock.ts';
import { LATE, within } from '../../../core/within.ts';
import type { MessageKind } from '../../../messages/kinds.ts';
import type { Access, Place } from './access.ts';

const RIGHTS_MS = 800;

/**
 * The refusal to show a person who may not send this kind, or not from this channel, or of whom it is not
 * known; undefined when they may.
 */
export async function refusalFor(
  kind: MessageKind,
  userId: string,
  { access, clock }: { readonly access: Access; readonly clock: Clock },
  place?: Place,
): Promise<string | undefined> {
  const why = await within(access.whyNot({ to: 'send', kind }, { userId, ...place }), RIGHTS_MS, clock);
  if (why === LATE) return RIGHTS_UNKNOWN;
  return why === undefined ? undefined : notAllowed(why);
}

export const RIGHTS_UNKNOWN =
  'Herald could not find out in time whether you may send this. Nothing was sent. Try again in a minute.';

export function notAllowed(why: string): string {
  return `${why} Nothing was sent.`;
}
