import { given } from '../core/given.ts';
import { newId, type Random } from '../core/random.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { AudienceStore } from './audience.ts';
import { createBackgroundWork } from './background-work.ts';
import type { ApprovalPolicy } from './bulk/policy.ts';
import { findTemplate } from './bulk/prepare.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type {
  DispatchStore,
  NewSend,
  OwnershipStore,
  SendReader,
  SendWriter,
  TemplateCatalogue,
} from './ports.ts';
import { type QuietHoursAt, whyNotNow } from './quiet-hours.ts';
import { mayStillGo, recover } from './recovery.ts';
import { readReport } from './report.ts';
import { type Origin, retryGroupOf, type Send, type SendReport } from './send.ts';
import { limitFor } from './singles.ts';
import { createConfirmed, type RetryDependencies, retryUntilStored } from './store-trouble.ts';

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
   * The result reaches the channel through the outbox.
   */
  submit(request: SubmitRequest): Promise<SubmitResult>;
  report(sendId: string): Promise<SendReport | undefined>;
}

/** The service with its life cycle. */
export interface RunningSendService extends SendService {
  /** Settles what an earlier process left behind, and sends what may still be sent. */
  start(): Promise<void>;
  /** After `stopping` has aborted: waits at most `deadlineMs` for sends in flight. Returns how many were left. */
  drain(deadlineMs: number): Promise<number>;
}

export interface SendServiceDependencies extends RetryDependencies {
  readonly store: SendReader & SendWriter & OwnershipStore & Pick<DispatchStore, 'settle'>;
  readonly optOuts: Pick<AudienceStore, 'findOptOut'>;
  readonly catalogue: Pick<TemplateCatalogue, 'find'>;
  readonly dispatcher: Dispatcher;
  /** Which numbers must not be sent to at a moment. */
  readonly quietHours: QuietHoursAt;
  readonly policy: Pick<ApprovalPolicy, 'singlesPerHour'>;
  /** Takes a message that waits for approval. */
  readonly askForOne: (request: SubmitRequest, found: Found) => Promise<SubmitResult>;
  readonly random: Random;
}

export function createSendService(dependencies: SendServiceDependencies): RunningSendService {
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
    keep(run(send, message));
    return { state: 'started', send };
  }

  /** As for a send to a list of one. */
  async function ask(request: SubmitRequest, found: Found): Promise<SubmitResult> {
    if (kindOf(request.message).needsSecret(request.message)) return { state: 'refused', ...CANNOT_WAIT };
    return dependencies.askForOne(request, found);
  }

  async function run(send: Send, message: Message): Promise<void> {
    const start = { sendId: send.id, from: 'approved', to: 'sending', actor: send.origin.userId } as const;
    await retryUntilStored(() => store.moveSend({ ...start, at: clock.now() }), dependencies);
    await dependencies.dispatcher.run(send, { message });
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
    submit,
    report: (sendId) => readReport(store, sendId),
    start: async () => {
      await takeOver();
      takingOver.start(RECOVER_EVERY_MS);
    },
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
  next: 'Try again; if it happens again, ask whoever runs Herald to look at its database.',
} as const;
