import { LATE, within } from '../../../core/within.ts';
import type { MessageKind } from '../../../messages/kinds.ts';
import type { ComposeDependencies } from '../../compose/dependencies.ts';
import { notAllowed, RIGHTS_UNKNOWN } from '../../compose/sentences.ts';
import type { Place } from './access.ts';

const RIGHTS_MS = 800;

/**
 * The refusal to show a person who may not send this kind, or not from this channel, or of whom it is not
 * known; undefined when they may.
 */
export async function refusalFor(
  kind: MessageKind,
  userId: string,
  { access, clock }: Pick<ComposeDependencies, 'access' | 'clock'>,
  place?: Place,
): Promise<string | undefined> {
  if (access === undefined) return undefined;
  const why = await within(access.whyNot(kind, userId, place), RIGHTS_MS, clock);
  if (why === LATE) return RIGHTS_UNKNOWN;
  return why === undefined ? undefined : notAllowed(why);
}
