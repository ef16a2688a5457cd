import type { AnyMiddlewareArgs, Middleware, ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';
import { Unreadable } from './carried.ts';
import { describeError } from './describe-error.ts';
import type { Identity } from './identity.ts';
import { type NotifyPerson, sentenceAsAck } from './notify-person.ts';
import { isEventForHome, isRecord, type Payload, payloadKind, teamsOf } from './payload.ts';

/*
 * What stands before every handler: nobody from another workspace gets through, nobody without the right, and no error
 * gets lost on its way back.
 */

/** Says `sentence` to the person: in the acknowledgement where that shows, else acknowledged and told after. */
export async function refuse(
  { body, ack }: Pick<ReceiverEvent, 'body' | 'ack'>,
  sentence: string,
  notify: NotifyPerson,
): Promise<void> {
  const kind = payloadKind(body);
  const payload = sentenceAsAck(body, sentence);
  await ack(payload);
  const somebodyWaits = kind === 'block_actions' || kind === 'shortcut' || kind === 'message_action';
  if (payload === undefined && somebodyWaits) await notify(body, sentence);
}

const OTHER_WORKSPACE =
  'Herald works only for members of the workspace it is installed in. Nothing was sent. Ask a member of that workspace to send this for you.';

/** Refuses what comes from another workspace, with a sentence. */
export function createTeamGuard(
  identity: () => Identity | undefined,
  notify: NotifyPerson,
  logger: Logger,
): Middleware<AnyMiddlewareArgs> {
  return async ({ body, next, ...args }) => {
    const home = identity();
    const payload: Payload = isRecord(body) ? body : {};
    if (home !== undefined && isFromHome(payload, home)) {
      await next();
      return;
    }
    // What is said in a shared channel: a rule that watches it has it already, and no handler is for strangers.
    if (home !== undefined && payloadKind(payload) === 'event' && isEventForHome(payload, home)) return;
    const { teamId, userTeamId } = teamsOf(payload);
    logger.warn(
      { kind: payloadKind(payload), teamId, userTeamId },
      'refused somebody from another workspace',
    );
    if ('ack' in args && args.ack) await refuse({ body: payload, ack: args.ack }, OTHER_WORKSPACE, notify);
  };
}

function isFromHome(payload: Payload, home: Identity): boolean {
  const { teamId, userTeamId = teamId, enterpriseId } = teamsOf(payload);
  // A payload may name the person's own workspace. Whether they are of the organisation is asked with their right.
  if (home.enterpriseId !== undefined && enterpriseId === home.enterpriseId) return true;
  return teamId === home.teamId && userTeamId === home.teamId;
}

const UNREADABLE =
  'Herald cannot read what this button or form carries: another version of it made them. Nothing was sent or changed. Open it again.';

/**
 * Catches whatever a handler throws: it is logged under a short reference, and the person is told with the same
 * reference, in the form or command they used where it was still waiting for an answer. What is `Unreadable` is no failure.
 */
export function createFailureReport(
  notify: NotifyPerson,
  newReference: () => string,
  logger: Logger,
): Middleware<AnyMiddlewareArgs> {
  return async ({ body, next, context, ...args }) => {
    try {
      await next();
    } catch (error) {
      const payload: Payload = isRecord(body) ? body : {};
      const kind = payloadKind(payload);
      const unreadable = error instanceof Unreadable;
      const reference = newReference();
      if (unreadable) logger.warn({ kind }, 'what a button or a form carries could not be read');
      else logger.error({ reference, kind, error: describeError(error) }, 'a Slack handler failed');
      const sentence = unreadable ? UNREADABLE : wentWrong(reference);
      const waiting = 'ack' in args && args.ack && context.acknowledged?.() !== true;
      if (waiting) await refuse({ body: payload, ack: args.ack }, sentence, notify);
      else if (kind !== 'event' && kind !== 'block_suggestion') await notify(payload, sentence);
    }
  };
}

/** Refuses what somebody has no right to, with a sentence, before any handler sees it. */
export function createEntranceGuard(
  whyNot: (payload: Payload) => Promise<string | undefined>,
  notify: NotifyPerson,
): Middleware<AnyMiddlewareArgs> {
  return async ({ body, next, ...args }) => {
    const payload: Payload = isRecord(body) ? body : {};
    const refusal = await whyNot(payload);
    if (refusal === undefined) await next();
    else if ('ack' in args && args.ack) await refuse({ body: payload, ack: args.ack }, refusal, notify);
  };
}

function wentWrong(reference: string): string {
  return (
    `Something went wrong in Herald, and what you asked for may have been done all the same. ` +
    `Look in the channel or at /sends for a result before you try again; if it happens again, tell whoever runs Herald the reference ${reference}.`
  );
}
