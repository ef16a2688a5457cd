import { given } from '../core/given.ts';
import { newId, type Random } from '../core/random.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import { readingOf } from '../messages/personalise.ts';
import type { AudienceStore } from './audience.ts';
import type { Audiences } from './audiences/service.ts';
import { createBackgroundWork } from './background-work.ts';
import { limitFor } from './bulk/policy.ts';
import { findTemplate } from './bulk/recipients.ts';
import { REPEATED_MS } from './bulk/repeats.ts';
import type { BulkSends } from './bulk/service.ts';
import type { BulkRequest, Refusal } from './bulk.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { type Again, type NewSend, readReport, type SendStore, type TemplateCatalogue } from './ports.ts';
import { type QuietHoursAt, whyNotNow } from './quiet-hours.ts';
import { mayStillGo, recover } from './recovery.ts';
import { retryGroupOf, type Send } from './send.ts';
import type { ApprovalPolicy } from './settings.ts';
import { createConfirmed, type RetryDependencies, retryUntilStored } from './store-trouble.ts';

/** How often to look for sends of replicas that died, in milliseconds. */
const RECOVER_EVERY_MS = 2_000;

/** A parsed request: one message to one number. */
export interface SubmitRequest extends Pick<BulkRequest, 'message' | 'origin' | 'requestKey'> {
  readonly to: Msisdn;
  /** The id of a send to one person that failed or is unknown, which this sends again: only one does, `repeated` names it. */
  readonly retryOf?: string;
  /** There is somebody to ask whether the same is to go out again, and who was asked about the sends `known` before. */
  readonly asking?: { readonly known?: string | undefined };
}

export type SubmitResult =
  | { readonly state: 'started'; readonly send: Send }
  /** The same request key came before; nothing new was started. */
  | { readonly state: 'repeated'; readonly send: Send }
  /** The person who gets it got the same by this send, or is about to. Nothing was sent. */
  | { readonly state: 'again'; readonly send: Send; readonly again: Again }
  /** This person has sent so much lately that it waits for approval. `what` and `next` are whole sentences. */
  | { readonly state: 'waits'; readonly send: Send; readonly what: string; readonly next: string }
  /** Nothing was sent, except that `unsure` may still be sent. `what` and `next` are whole sentences. */
  | (Omit<Refusal, 'path' | 'isUnsure'> & { readonly cause: keyof typeof REFUSALS | 'quiet_hours' });

export interface SendServiceDependencies extends RetryDependencies {
  readonly store: SendStore;
  readonly optOuts: Pick<AudienceStore, 'findOptOut'>;
  readonly catalogue: Pick<TemplateCatalogue, 'find'>;
  readonly dispatcher: Dispatcher;
  readonly quietHours: QuietHoursAt;
  readonly policy: Pick<ApprovalPolicy, 'singlesPerHour'>;
  /** They take a message that waits for approval. */
  readonly audiences: Pick<Audiences, 'fromNumbers'>;
  readonly bulkSends: Pick<BulkSends, 'request'>;
  readonly random: Random;
}

export function createSendService(dependencies: SendServiceDependencies) {
  const { store, clock, logger, stopping } = dependencies;
  const { keep, createLoop, drain } = createBackgroundWork('a send', dependencies);

  async function takeOver(): Promise<void> {
    // Nobody else finds them again, so each is kept until the store has taken what becomes of it.
    for (const send of await recover(dependencies)) keep(goOn(send, send.message));
  }

  const takingOver = createLoop('looking for sends left behind', async () => {
    await takeOver();
    return RECOVER_EVERY_MS;
  });

  async function submit(request: SubmitRequest): Promise<SubmitResult> {
    if (stopping.aborted) return refused('stopping');
    try {
      const found = await lookUp(request, dependencies);
      return 'state' in found ? found : await take(request, found);
    } catch (error) {
      logger.error({ error }, 'the store did not say whether a send is allowed');
      return refused('store');
    }
  }

  async function take(request: SubmitRequest, found: Found): Promise<SubmitResult> {
    const asked = newSend(request, found, dependencies);
    const message = kindOf(request.message).withReplyReference(request.message, asked.id);
    const stored = await createConfirmed(asked, dependencies);
    if (!stored.ok && stored.error === 'refused') return refused('store');
    if (!stored.ok) {
      keep(findLater(asked.id, message));
      return refused('unsure');
    }
    const { send, created, again } = stored.value ?? {};
    if (send !== undefined && again !== undefined) return { state: 'again', send, again };
    // One with an audience was asked for before, and may have been discarded since.
    if (send === undefined || (!created && send.audience !== undefined))
      return askForOne(request, found, dependencies);
    if (!created) return { state: 'repeated', send };
    keep(run(send, message));
    return { state: 'started', send };
  }

  async function run(send: Send, message: Message): Promise<void> {
    const start = { sendId: send.id, from: 'approved', to: 'sending', actor: send.origin.userId } as const;
    await retryUntilStored(() => store.moveSend({ ...start, at: clock.now() }), dependencies);
    await dependencies.dispatcher.run(send, message);
  }

  /** A send that was stored although the store's answer was lost is treated as after a restart. */
  async function findLater(sendId: string, message: Message): Promise<void> {
    const send = await retryUntilStored(() => store.find(sendId), dependencies);
    if (send?.state === 'approved') await goOn(send, message);
  }

  /** With what nobody may have begun to send. */
  async function goOn(send: Send, message: Message): Promise<void> {
    if (await retryUntilStored(() => mayStillGo(send, dependencies), dependencies)) await run(send, message);
  }

  return {
    /**
     * Stores the send durably and starts it; resolves as soon as it is stored, long before the service answers.
     * The result reaches the channel through the outbox.
     */
    submit,
    report: (sendId: string) => readReport(store, sendId),
    /** Settles what an earlier process left behind, and sends what may still be sent. */
    start: async () => {
      await takeOver();
      takingOver.start(RECOVER_EVERY_MS);
    },
    /** After `stopping` has aborted: waits at most so many milliseconds for sends in flight. Returns how many were left. */
    drain,
  };
}

/** `slack` and `http` may ask this of `sends`. */
export type SendService = Pick<ReturnType<typeof createSendService>, 'submit' | 'report'>;

/** These fields of a new send are looked up when it is asked for. */
type Found = Pick<NewSend, 'template' | 'retryOf' | 'retryGroup'>;

async function lookUp(
  { message, to, origin, retryOf }: SubmitRequest,
  dependencies: SendServiceDependencies,
): Promise<Found | Extract<SubmitResult, { state: 'refused' }>> {
  const { store, optOuts, quietHours, clock } = dependencies;
  if ((await optOuts.findOptOut(to)) !== undefined) return refused('opted_out');
  const quiet = whyNotNow({ message, origin }, to, clock.now(), quietHours);
  if (quiet !== undefined) {
    const what = `${quiet.what} Nothing was sent.`;
    return { state: 'refused', cause: 'quiet_hours', what, next: quiet.next };
  }
  const retried = retryOf === undefined ? undefined : await readReport(store, retryOf);
  const retryGroup = retried && retryGroupOf(retried);
  if (retryOf !== undefined && retryGroup === undefined) return refused('reached');
  const template = await findTemplate(dependencies, message);
  return given({ template, ...(retryGroup && { retryOf, retryGroup }) });
}

function newSend(
  { message, to, origin, requestKey, asking }: SubmitRequest,
  found: Found,
  { clock, random, policy }: SendServiceDependencies,
) {
  const now = clock.now();
  const id = newId('S', random);
  const kind = kindOf(message);
  return {
    id,
    kind: message.kind,
    message: kind.withReplyReference(kind.withoutSecret(message), id),
    ...found,
    origin,
    state: 'approved',
    recipients: [{ number: to }],
    createdAt: now,
    requestKey,
    limit: limitFor(policy, origin, 1, now),
    reading: readingOf(message, found.template, now),
    // A send that is tried again is meant to be the same.
    unlessGot: asking && found.retryOf === undefined ? { ...asking, since: now - REPEATED_MS } : undefined,
  } as const;
}

/** Asks for one message to one number as for a send to a list of one. */
export async function askForOne(
  { message, to, origin, requestKey }: SubmitRequest,
  { retryOf, retryGroup }: Found,
  { audiences, bulkSends }: Pick<SendServiceDependencies, 'audiences' | 'bulkSends'>,
): Promise<SubmitResult> {
  if (kindOf(message).needsSecret(message)) return refused('waits');
  const list = await audiences.fromNumbers(to, origin.userId);
  if (list.state === 'refused') return { ...list, cause: 'waits' };
  const asked = await bulkSends.request({
    message,
    audienceId: list.audience.id,
    origin,
    requestKey,
    ...(retryOf !== undefined && retryGroup !== undefined && { triedAgain: { retryOf, retryGroup } }),
  });
  if (asked.state === 'refused') return { ...asked, cause: asked.isUnsure ? 'unsure' : 'waits' };
  if (asked.state !== 'awaiting_approval') return asked;
  const { id, reason } = asked.send;
  const why = reason === undefined ? '' : ` ${reason.what}`;
  return {
    ...asked,
    state: 'waits',
    what: `It waits for approval as ${id}.${why}`,
    next: 'Nothing was sent yet.',
  };
}

const REFUSALS = {
  stopping: {
    what: 'Herald is being restarted and takes no new messages. Nothing was sent.',
    next: 'Try again in a minute.',
  },
  opted_out: {
    what: 'This number has opted out of messages. Nothing was sent.',
    next: 'If its owner wants messages again, take it off the list with /optout remove.',
  },
  reached: {
    what: 'That message has not failed, is still on its way, or is no longer kept. It was not sent again.',
    next: 'Look at it with /sends and its reference.',
  },
  waits: {
    what: 'You have sent so many messages within an hour that this one needs an approval, and a one-time password cannot wait for one. It was not sent.',
    next: 'Send it later, or ask somebody else to.',
  },
  unsure: {
    what: 'Herald’s database did not answer, so nobody knows whether it has this message: it may be sent.',
    next: 'Look at /sends in a minute before you send it again: what does not stand there was not sent.',
  },
  store: {
    what: 'Herald could not write this message to its database, so it did not send it. Nothing was sent.',
    next: 'Try again; if it happens again, ask whoever runs Herald to look at its database.',
  },
} as const;

function refused(cause: keyof typeof REFUSALS) {
  return { state: 'refused', cause, ...REFUSALS[cause] } as const;
}
