import type { Clock } from '../../../src/core/clock.ts';
import type { SendStore } from '../../../src/sends/ports.ts';
import { type ApprovalFacts, gatherFacts, type SendSources } from '../../../src/slack/results/standing.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { ASKED_AT, CARD_SETTINGS, LISTS, SEND_ID } from '../bulk-sends.ts';

/** What cards of a stored send are made from: its list, no template, no answers. */
export function sourcesOf(store: SendStore, over: Partial<SendSources> = {}): SendSources {
  return {
    store,
    audiences: LISTS,
    catalogue: { find: async () => undefined, search: async () => [], mark: async () => undefined },
    cardSettings: CARD_SETTINGS,
    answers: NO_ANSWERS,
    speedOf: () => ({ perSecond: 0 }),
    clock: only<Clock>({ now: () => ASKED_AT }),
    logger: createRecordingLogger(),
    ...over,
  };
}

export async function factsIn(store: SendStore, over?: Partial<SendSources>): Promise<ApprovalFacts> {
  const facts = await gatherFacts(SEND_ID, sourcesOf(store, over));
  if (facts === undefined) throw new Error('There is no send.');
  return facts;
}
