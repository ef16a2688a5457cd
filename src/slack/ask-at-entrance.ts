import type { Surroundings } from '../core/surroundings.ts';
import { LATE, within } from '../core/within.ts';
import { actorOf, type Payload, payloadKind, teamsOf, textAt } from './connection/payload.ts';
import { ENTRANCES } from './features.ts';
import { actionIn, entranceOf } from './kit/feature/feature.ts';
import {
  type Deed,
  type Entrance,
  type EntranceSources,
  inForm,
  isHelp,
  type Need,
} from './kit/feature/rights.ts';
import { slackPieces, typedText } from './kit/message-text/command-text.ts';
import type { Access } from './kit/people/access.ts';

/** Slack gives an acknowledgement three seconds; the handler takes some of them. */
const ASK_MS = 800;
const UNSURE =
  'Slack did not say in time whether you may do this. Nothing was sent or changed. Try again in a minute.';
const NO_SUCH_ENTRANCE = 'Herald does not know this button or form any more. Nothing was sent or changed.';

export interface Entrances {
  /** A sentence that refuses what somebody has just done; undefined when they may. */
  whyNot(payload: Payload): Promise<string | undefined>;
  /** Whether it was asked for nothing but a look: it has changed nothing, whatever went wrong. */
  isLook(payload: Payload): boolean;
}

const LOOKS: readonly Need[] = ['sends', 'reports', 'sends or audit'];

/** Asks, at every entrance and at the moment of doing, for the right that its row names. */
export function createEntrances(
  access: Access,
  sources: EntranceSources,
  { clock, logger }: Surroundings,
): Entrances {
  return {
    isLook: (payload) => {
      const entrance = entranceAt(entranceOf(payload) ?? '');
      return entrance !== undefined && LOOKS.includes(entrance.needs);
    },
    whyNot: async (payload) => {
      const name = entranceOf(payload);
      // Nobody waits for an answer to an event: its handler asks.
      if (name === undefined || payloadKind(payload) === 'event') return undefined;
      const entrance = entranceAt(name);
      if (entrance === undefined) {
        logger.warn({ name }, 'an entrance without a right was refused');
        return NO_SUCH_ENTRANCE;
      }
      const { userId = '', channelId } = actorOf(payload);
      const deed = deedIn(payload, userId);
      const right = isHelp(deed.text) ? undefined : await entrance.right?.(deed, sources);
      if (right === undefined) return undefined;
      const { teamId = '', userTeamId = teamId } = teamsOf(payload);
      // A form knows where it was opened; what comes from nowhere is in no channel that has a right.
      const asking = { userId, teamId: userTeamId, channelId: channelId ?? inForm(deed, 'channelId') ?? '' };
      const why = await within(access.whyNot(right, asking), ASK_MS, clock);
      if (why === LATE) return UNSURE;
      return why === undefined ? undefined : `${why} Nothing was sent or changed.`;
    },
  };
}

function entranceAt(name: string): Entrance | undefined {
  return Object.hasOwn(ENTRANCES, name) ? ENTRANCES[name] : undefined;
}

function deedIn(payload: Payload, userId: string): Deed {
  return {
    userId,
    text: typedText(slackPieces(textAt(payload, 'text') ?? '')).trim(),
    value: textAt(actionIn(payload), 'value') ?? '',
    metadata: textAt(payload, 'view', 'private_metadata') ?? '{}',
  };
}
