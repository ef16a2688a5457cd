import type { Surroundings } from '../core/surroundings.ts';
import { actorOf, type Payload, payloadKind, teamsOf, textAt } from './connection/payload.ts';
import { ENTRANCES } from './features.ts';
import { actionIn, entranceOf } from './kit/feature/feature.ts';
import { type Entrance, type EntranceSources, inForm, isHelp, type Need } from './kit/feature/rights.ts';
import { slackPieces, typedText } from './kit/message-text/command-text.ts';
import { type Access, refusalOf } from './kit/people/access.ts';

const WORDS = {
  unsure:
    'Slack did not say in time whether you may do this. Nothing was sent or changed. Try again in a minute.',
  undone: 'Nothing was sent or changed.',
};
const NO_SUCH_ENTRANCE = 'Herald does not know this button or form any more. Nothing was sent or changed.';

export type Entrances = ReturnType<typeof createEntrances>;

const LOOKS: readonly Need[] = ['sends', 'reports', 'sends or audit'];

/** Asks, at every entrance and at the moment of doing, for the right that its row names. */
export function createEntrances(access: Access, sources: EntranceSources, { clock, logger }: Surroundings) {
  return {
    /** Whether it was asked for nothing but a look: it has changed nothing, whatever went wrong. */
    isLook: (payload: Payload) => {
      const entrance = entranceAt(entranceOf(payload) ?? '');
      return entrance !== undefined && LOOKS.includes(entrance.needs);
    },
    /** A sentence that refuses what somebody has just done; undefined when they may. */
    whyNot: async (payload: Payload): Promise<string | undefined> => {
      const name = entranceOf(payload);
      // Nobody waits for an answer to an event: its handler asks.
      if (name === undefined || payloadKind(payload) === 'event') return undefined;
      const entrance = entranceAt(name);
      if (entrance === undefined) {
        logger.warn({ name }, 'an entrance without a right was refused');
        return NO_SUCH_ENTRANCE;
      }
      const { userId = '', channelId } = actorOf(payload);
      const action = actionIn(payload);
      const act = {
        userId,
        text: typedText(slackPieces(textAt(payload, 'text') ?? '')).trim(),
        value: textAt(action, 'value') ?? textAt(action, 'selected_option', 'value') ?? '',
        metadata: textAt(payload, 'view', 'private_metadata') ?? '{}',
      };
      const right = isHelp(act.text) ? undefined : await entrance.right?.(act, sources);
      if (right === undefined) return undefined;
      const { teamId = '', userTeamId = teamId } = teamsOf(payload);
      // A form knows where it was opened; what comes from nowhere is in no channel that has a right.
      const asking = { userId, teamId: userTeamId, channelId: channelId ?? inForm(act, 'channelId') ?? '' };
      return refusalOf(right, asking, { access, clock }, WORDS);
    },
  };
}

function entranceAt(name: string): Entrance | undefined {
  return Object.hasOwn(ENTRANCES, name) ? ENTRANCES[name] : undefined;
}
