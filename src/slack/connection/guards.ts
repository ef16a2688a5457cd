import type { ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';
import { isOutage } from '../../core/outage.ts';
import { describeError } from './api-error.ts';
import type { Identity } from './identity.ts';
import { NothingSent, type NotifyActor, sentenceAsAck } from './notify-person.ts';
import { isEventForHome, type Payload, payloadKind, teamsOf } from './payload.ts';

/*
 * The guard before every handler: nobody from another workspace gets through, nobody without the right, and no error
 * gets lost on its way back.
 */

/** Says `sentence` to the person: in the acknowledgement where that shows, else right after it. */
export async function refuse(
  { body, ack }: Pick<ReceiverEvent, 'body' | 'ack'>,
  sentence: string,
  notify: NotifyActor,
): Promise<void> {
  const kind = payloadKind(body);
  const payload = sentenceAsAck(body, sentence);
  await ack(payload);
  const somebodyWaits = kind === 'block_actions' || kind === 'shortcut' || kind === 'message_action';
  if (payload === undefined && somebodyWaits) await notify(body, sentence);
}

const OTHER_WORKSPACE =
  'Herald works only for members of the workspace it is installed in. Nothing was sent. Ask a member of that workspace to send this for you.';

type Handle = (event: ReceiverEvent) => Promise<void>;

interface GuardDependencies {
  readonly identity: () => Identity | undefined;
  /** A sentence that refuses what somebody has just done; undefined when they may. */
  readonly whyNot: (payload: Payload) => Promise<string | undefined>;
  /** Whether nothing but a look was asked for. */
  readonly isLook: (payload: Payload) => boolean;
  readonly notify: NotifyActor;
  readonly newReference: () => string;
  readonly logger: Logger;
}

/**
 * `handle` for those of this workspace who have the right; everybody else is refused with a sentence. Whatever it throws is
 * logged under a short reference, and said to the person with the same reference, in the form or command they used where it
 * was still waiting for an answer. `NothingSent` is no failure.
 */
export function guarded(handle: Handle, dependencies: GuardDependencies): Handle {
  const { identity, whyNot, isLook, notify, newReference, logger } = dependencies;

  async function run(event: ReceiverEvent): Promise<void> {
    const payload: Payload = event.body;
    const kind = payloadKind(payload);
    const home = identity();
    if (home === undefined || !isFromHome(payload, home)) {
      // Somebody wrote in a shared channel: a rule that watches it has it already, and no handler is for strangers.
      if (home !== undefined && kind === 'event' && isEventForHome(payload, home)) return event.ack();
      const { teamId, userTeamId } = teamsOf(payload);
      logger.warn({ kind, teamId, userTeamId }, 'refused somebody from another workspace');
      return refuse(event, OTHER_WORKSPACE, notify);
    }
    const refusal = await whyNot(payload);
    return refusal === undefined ? handle(event) : refuse(event, refusal, notify);
  }

  async function report(event: ReceiverEvent, error: unknown): Promise<void> {
    const kind = payloadKind(event.body);
    const isMeant = error instanceof NothingSent;
    const reference = newReference();
    if (isMeant) logger.warn({ kind, why: error.message }, 'nothing was sent, and the person reads why');
    else logger.error({ reference, kind, error: describeError(error) }, 'a Slack handler failed');
    const isUnanswered = isOutage(error) && isLook(event.body);
    const sentence = isMeant ? error.message : isUnanswered ? NOTHING_TO_SHOW : wentWrong(reference);
    if (event.customProperties?.acknowledged() !== true) await refuse(event, sentence, notify);
    else if (kind !== 'event' && kind !== 'block_suggestion') await notify(event.body, sentence);
  }

  return (event) => run(event).catch((error: unknown) => report(event, error));
}

function isFromHome(payload: Payload, home: Identity): boolean {
  const { teamId, userTeamId = teamId, enterpriseId } = teamsOf(payload);
  // A payload may name the person's own workspace. Whether they are of the organisation is asked with their right.
  if (home.enterpriseId !== undefined && enterpriseId === home.enterpriseId) return true;
  return teamId === home.teamId && userTeamId === home.teamId;
}

const NOTHING_TO_SHOW =
  'Herald’s database does not answer, so there is nothing to show now. Nothing was lost and nothing was changed. Try again in a minute.';

function wentWrong(reference: string): string {
  return (
    `Something went wrong in Herald, and what you asked for may have been done all the same. ` +
    `Look in the channel or at /sends for a result before you try again; if it happens again, give whoever runs Herald the reference ${reference}.`
  );
}
