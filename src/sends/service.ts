import { given } from '../core/given.ts';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Announcer } from './announcer.ts';
import { type Announcing, createAnnouncing, readReport, SWEEP_EVERY_MS } from './announcing.ts';
import type { AudienceStore } from './audience.ts';
import { createBackgroundWork } from './background-work.ts';
import type { ApprovalPolicy } from './bulk/policy.ts';
import { findTemplate } from './bulk/prepare.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type {
  AnnouncementStore,
  DispatchStore,
  NewSend,
  OwnershipStore,
  SendReader,
  SendWriter,
  TemplateCatalogue,
} from './ports.ts';
import { type QuietHoursAt, whyNotNow } from './quiet-hours.ts';
import { mayStillGo, recover } from './recovery.ts';
import type { RefusedPosts } from './refused-posts.ts';
import { type Origin, retryGroupOf, type Send, type SendReport } from './send.ts';
import type { SetAsideDependencies } from './set-aside.ts';
import { limitFor } from './singles.ts';
import { createConfirmed, type RetryDependencies, retryUntilStored } from './store-trouble.ts';

/** Milliseconds without an answer after which the channel shows "sending…" until the result replaces it. */
const SLOW_AFTER_MS = 1_200;

/** How often to look for sends of replicas that died, in milliseconds. */
const RECOVER_EVERY_MS = 2_000;

/** A parsed request: one message to one number. */
export interface SubmitRequest {
  readonly message: Message;
  readonly to: Msisdn;
  readonly origin: Origin;
  /** Names the click or command: a view's id, a command's trigger_id. The same key twice sends once. */
  readonly requestKey: string;
  /** The id of a send to one person that failed or is unknown, which this sends again: only one does, `repeated` names it. */
  readonly retryOf?: string;
}

export type SubmitResult =
  | { readonly state: 'started'; readonly send: Send }
  /** The same request key came before; nothing new was started. */
  | { readonly state: 'repeated'; readonly send: Send }
  /** This person has sent so much lately that it waits for approval. `what` and `next` are whole sentences. */
  | { readonly state: 'waits'; readonly send: Send; readonly what: string; readonly next: string }
  /** Nothing was sent, except that `unsure` may still be sent. `what` and `next` are whole sentences. */
  | {
      readonly state: 'refused';
      readonly cause: 'stopping' | 'store' | 'unsure' | 'opted_out' | 'quiet_hours' | 'reached' | 'waits';
      readonly what: string;
      readonly next: string;
    };

/** What `slack` and `http` may ask of `sends`. */
export interface SendService {
  /**
   * Stores the send durably and starts it; resolves as soon as it is stored, long before the service answers.
   * The result reaches the channel through the `Announcer`.
   */
  submit(request: SubmitRequest): Promise<SubmitResult>;
  report(sendId: string): Promise<SendReport | undefined>;
}

/** The service with its life cycle. */
export interface RunningSendService extends SendService {
  /** Settles and announces what an earlier process left behind, and sends what may still be sent. */
  start(): Promise<void>;
  /** Updates the channel's message to the send's current state. */
  announceAgain(sendId: string): Promise<void>;
  /** After `stopping` has aborted: waits at most `deadlineMs` for sends in flight. Returns how many were left. */
  drain(deadlineMs: number): Promise<number>;
}

export interface SendServiceDependencies extends SetAsideDependencies, RetryDependencies {
  readonly store: SendReader &
    SendWriter &
    OwnershipStore &
    AnnouncementStore &
    Pick<DispatchStore, 'settle'>;
  readonly optOuts: Pick<AudienceStore, 'findOptOut'>;
  readonly catalogue: Pick<TemplateCatalogue, 'find'>;
  readonly dispatcher: Dispatcher;
  /** Which numbers must not be sent to at a moment. */
  readonly quietHours: QuietHoursAt;
  readonly policy: Pick<ApprovalPolicy, 'singlesPerHour'>;
  /** Takes a message that waits for approval. */
  readonly askForOne: (request: SubmitRequest, found: Found) => Promise<SubmitResult>;
  readonly announcer: Announcer;
  readonly refusedPosts: RefusedPosts;
  readonly random: Random;
}

export function createSendService(dependencies: SendServiceDependencies): RunningSendService {
  const { store, logger, stopping } = dependencies;
  const announcing = createAnnouncing(dependencies);
  const { keep, createLoop, drain } = createBackgroundWork('a send', dependencies);

  /** Returns true when sends have ended, and must be announced. */
  async function takeOver(): Promise<boolean> {
    const { adopted, anyInterrupted } = await recover(dependencies);
    // Nobody else finds them again, so each is kept until the store has taken what becomes of it.
    for (const send of adopted) keep(goOn(send, send.message));
    return anyInterrupted;
  }

  const takingOver = createLoop('looking for sends left behind', async () => {
    if (await takeOver()) await announcing.sweep();
    return RECOVER_EVERY_MS;
  });
  const sweeping = createLoop('looking for unannounced sends', async () => {
    await announcing.sweep();
    return SWEEP_EVERY_MS;
  });

  async function submit(request: SubmitRequest): Promise<SubmitResult> {
    if (stopping.aborted) return { state: 'refused', ...STOPPING };
    try {
      const found = await lookUp(request, dependencies);
      return 'state' in found ? found : await take(request, found);
    } catch (error) {
      logger.error({ error }, 'the store did not say whether a send is allowed');
      return { state: 'refused', ...CANNOT_STORE };
    }
  }

  async function take(request: SubmitRequest, found: Found): Promise<SubmitResult> {
    const asked = newSend(request, found, dependencies);
    const message = kindOf(request.message).withReplyReference(request.message, asked.id);
    const stored = await createConfirmed(asked, dependencies);
    if (!stored.ok && stored.error === 'refused') return { state: 'refused', ...CANNOT_STORE };
    if (!stored.ok) {
      keep(findLater(asked.id, message));
      return { state: 'refused', ...MAY_BE_STORED };
    }
    const { send, created } = stored.value ?? {};
    // One with an audience was asked for before, and may have been discarded since.
    if (send === undefined || (!created && send.audience !== undefined)) return ask(request, found);
    if (!created) return { state: 'repeated', send };
    keep(sendAndAnnounce(dependencies, announcing, send, message));
    // The card of the one before then says who sent it again, and offers it no more.
    if (send.retryOf !== undefined) keep(announcing.announce(send.retryOf));
    return { state: 'started', send };
  }

  /** As for a send to a list of one. */
  async function ask(request: SubmitRequest, found: Found): Promise<SubmitResult> {
    if (kindOf(request.message).needsSecret(request.message)) return { state: 'refused', ...CANNOT_WAIT };
    const result = await dependencies.askForOne(request, found);
    if (result.state !== 'refused' && found.retryOf !== undefined) keep(announcing.announce(found.retryOf));
    return result;
  }

  /** A send that was stored although the store's answer was lost is treated as after a restart. */
  async function findLater(sendId: string, message: Message): Promise<void> {
    const send = await retryUntilStored(() => store.find(sendId), dependencies);
    if (send?.state === 'approved') await goOn(send, message);
  }

  /** With what nobody may have begun to send. */
  async function goOn(send: Send, message: Message): Promise<void> {
    const mayGo = await retryUntilStored(() => mayStillGo(send, dependencies), dependencies);
    if (mayGo === true) await sendAndAnnounce(dependencies, announcing, send, message);
    else if (mayGo === false) await announcing.announce(send.id);
  }

  return {
    submit,
    report: (sendId) => readReport(store, sendId),
    start: async () => {
      await takeOver();
      takingOver.start(RECOVER_EVERY_MS);
      sweeping.start();
    },
    announceAgain: (sendId) => announcing.announce(sendId),
    drain,
  };
}

/** What of a new send is looked up when it is asked for. */
export type Found = Pick<NewSend, 'template' | 'retryOf' | 'retryGroup'>;

/** That, or why it is refused. */
async function lookUp(
  { message, to, origin, retryOf }: SubmitRequest,
  dependencies: SendServiceDependencies,
): Promise<Found | Extract<SubmitResult, { state: 'refused' }>> {
  const { store, optOuts, quietHours, clock } = dependencies;
  if ((await optOuts.findOptOut(to)) !== undefined) return { state: 'refused', ...OPTED_OUT };
  const quiet = whyNotNow({ message, origin }, to, clock.now(), quietHours);
  if (quiet !== undefined) {
    const what = `${quiet.what} Nothing was sent.`;
    return { state: 'refused', cause: 'quiet_hours', what, next: quiet.next };
  }
  const retried = retryOf === undefined ? undefined : await readReport(store, retryOf);
  const retryGroup = retried && retryGroupOf(retried);
  if (retryOf !== undefined && retryGroup === undefined) return { state: 'refused', ...NOT_AGAIN };
  const template = await findTemplate(dependencies, message);
  return given({ template, ...(retryGroup && { retryOf, retryGroup }) });
}

function newSend(
  { message, to, origin, requestKey }: SubmitRequest,
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
  } as const;
}

/** Sends and announces the result; announces "sending…" first if that takes long. */
async function sendAndAnnounce(
  dependencies: SendServiceDependencies,
  announcing: Announcing,
  send: Send,
  message: Message,
): Promise<void> {
  const { store, dispatcher, clock } = dependencies;
  const ended = new AbortController();
  const start = { sendId: send.id, from: 'approved', to: 'sending', actor: send.origin.userId } as const;
  const sent = retryUntilStored(() => store.moveSend({ ...start, at: clock.now() }), dependencies)
    .then(() => dispatcher.run(send, { message }))
    .finally(() => ended.abort());
  await clock.sleep(SLOW_AFTER_MS, ended.signal);
  if (!ended.signal.aborted) await announcing.announce(send.id);
  await sent;
  await announcing.announce(send.id);
}

const STOPPING = {
  cause: 'stopping',
  what: 'Herald is being restarted and takes no new messages. Nothing was sent.',
  next: 'Try again in a minute.',
} as const;

const OPTED_OUT = {
  cause: 'opted_out',
  what: 'This number has opted out of messages. Nothing was sent.',
  next: 'If its owner wants messages again, take it off the list with /optout remove.',
} as const;

const NOT_AGAIN = {
  cause: 'reached',
  what: 'That message has not failed, is still on its way, or is no longer kept. It was not sent again.',
  next: 'Look at it with /sends and its reference.',
} as const;

const CANNOT_WAIT = {
  cause: 'waits',
  what: 'You have sent so many messages within an hour that this one needs an approval, and a one-time password cannot wait for one. It was not sent.',
  next: 'Send it later, or ask somebody else to.',
} as const;

const MAY_BE_STORED = {
  cause: 'unsure',
  what: 'Herald’s database did not answer, so nobody knows whether it has this message: it may be sent.',
  next: 'Look at /sends in a minute before you send it again: what does not stand there was not sent.',
} as const;

const CANNOT_STORE = {
  cause: 'store',
  what: 'Herald could not write this message to its database, so it did not send it. Nothing was sent.',
  next: 'Try again; if it happens again, tell whoever runs Herald to check its disk.',
} as const;
