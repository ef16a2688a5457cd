import type { Logger } from '../core/logger.ts';
import type { AlertStore } from './alerts/ports.ts';
import type { AudienceStore } from './audience.ts';
import type { Failure } from './outcome.ts';
import type { NewBulkSend, NewSend, SendStore } from './ports.ts';
import type { RecordedAction } from './record.ts';
import type { RecipientState, Send, SendState } from './send.ts';
import { keyOf, type TemplateStore } from './templates/store.ts';

interface Told {
  readonly sends: SendStore;
  readonly alerts: AlertStore;
  readonly audiences: AudienceStore;
  readonly templates: TemplateStore;
}

interface StoryDependencies {
  readonly logger: Logger;
  readonly metrics: { recipientsSettled(outcome: RecipientState, code: string, count: number): void };
}

/**
 * The same stores, with a line in the log for each step that this process wins: who asked, approved, paused and why, and
 * how it ended; alerts, templates and opt-outs as well. Lines carry no text of a message.
 */
export function withStory<Stores extends Told>(
  stores: Stores,
  { logger, metrics }: StoryDependencies,
): Stores {
  const { sends, alerts, audiences, templates } = stores;
  return {
    ...stores,
    sends: replaced(sends, sendSteps(sends, logger, metrics)),
    alerts: replaced(alerts, alertSteps(alerts, logger)),
    audiences: replaced(audiences, optOutSteps(audiences, logger)),
    templates: replaced(templates, templateSteps(templates, logger)),
  };
}

/** A store may be a proxy, which has nothing to copy. */
function replaced<Store extends object>(store: Store, methods: Partial<Store>): Store {
  return Object.assign(Object.create(store) as Store, methods);
}

const STEPS = {
  awaiting_approval: 'send waits for approval',
  sending: 'send started',
} as const satisfies Partial<Record<SendState, string>>;

const NOTES = {
  reminded: 'approvers reminded',
  left_unknown: 'unknown recipients left as they are',
  chose_to_wait: 'send waits for the end of quiet hours',
  approval_refused: 'approval refused',
} as const satisfies Record<RecordedAction, string>;

const ENDS = ['accepted', 'rejected', 'not_sent', 'unknown', 'skipped'] as const satisfies RecipientState[];

function sendSteps(store: SendStore, logger: Logger, metrics: StoryDependencies['metrics']) {
  const story = createSendStory(store, logger);
  return { ...stepsOfPeople(store, story), ...stepsOfRecipients(store, story, metrics) };
}

type SendStory = ReturnType<typeof createSendStory>;

/** The lines about a send. */
function createSendStory(store: SendStore, logger: Logger) {
  function tell(sendId: string, step: string, fields: object = {}): void {
    logger.info({ sendId, ...fields }, step);
  }

  return {
    tell,
    asked: async <Made extends { readonly send: Send; readonly created: boolean } | undefined>(
      making: Promise<Made>,
    ) => {
      const made = await making;
      if (!made?.created) return made;
      const { id, kind, origin, retryOf, recipientCount } = made.send;
      tell(id, 'send asked for', {
        kind,
        by: origin.userId,
        channel: origin.channelId,
        ...(recipientCount > 0 && { recipients: recipientCount }),
        ...(origin.alert && { alertId: origin.alert.id }),
        ...(retryOf !== undefined && { retryOf }),
      });
      return made;
    },
    /** Of those that are done: what is told must not change what was done. */
    ended: async (sendIds: readonly string[]) => {
      for (const sendId of sendIds) {
        const send = await store.find(sendId).catch(() => undefined);
        if (send?.state !== 'done') continue;
        const { counts } = send;
        const failed = counts.accepted < send.recipientCount;
        const groups = failed ? await store.failures(sendId).catch(() => []) : [];
        const codes = groups.map(
          ({ state, failure, count }) => [`${state} ${codeOf(failure)}`, count] as const,
        );
        tell(sendId, 'send done', {
          ...Object.fromEntries(ENDS.flatMap((state) => (counts[state] > 0 ? [[state, counts[state]]] : []))),
          ...(codes.length > 0 && { codes: summed(codes) }),
        });
      }
    },
  };
}

function stepsOfPeople(store: SendStore, { tell, asked, ended }: SendStory): Partial<SendStore> {
  return {
    create: (send: NewSend) => asked(store.create(send)),
    begin: (send: NewBulkSend) => asked(store.begin(send)),
    seal: async (sealed) => {
      const won = await store.seal(sealed);
      const { sendId, to, actor, survey, approval, reason } = sealed;
      const fields = { recipients: survey?.recipients, needed: approval?.needed, ...because(reason) };
      if (won) tell(sendId, stepInto(to), { ...by(actor), ...fields });
      return won;
    },
    askForMore: async (more) => {
      const won = await store.askForMore(more);
      const { sendId, actor, needed, reason } = more;
      if (won) tell(sendId, STEPS.awaiting_approval, { ...by(actor), needed, ...because(reason) });
      return won;
    },
    approve: async (approval) => {
      const result = await store.approve(approval);
      if (result.state === 'recorded')
        tell(approval.sendId, result.complete ? 'send approved' : 'send approved by one of several', {
          by: approval.userId,
          approvals: result.approvals.length,
        });
      return result;
    },
    moveSend: async (move) => {
      const won = await store.moveSend(move);
      const { sendId, from, to, actor, reason, resumeAt } = move;
      const isResumed = from === 'paused' && to === 'sending';
      if (won)
        tell(sendId, isResumed ? 'send resumed' : stepInto(to), {
          ...by(actor),
          ...because(reason),
          ...(resumeAt !== undefined && { until: new Date(resumeAt).toISOString() }),
        });
      // Of one that was paused at its very end nothing may be left.
      if (won && isResumed) await ended([sendId]);
      return won;
    },
    recordOnce: async (note) => {
      const isFirst = await store.recordOnce(note);
      if (isFirst) tell(note.sendId, NOTES[note.action], { ...by(note.actor), ...because(note.reason) });
      return isFirst;
    },
  };
}

function stepsOfRecipients(
  store: SendStore,
  { ended }: SendStory,
  metrics: StoryDependencies['metrics'],
): Partial<SendStore> {
  return {
    settle: async (settlements) => {
      const settled = await store.settle(settlements);
      // Of outcomes that were written before, nobody knows which.
      if (settled.written === settlements.length)
        for (const { outcome } of settlements) {
          const code = 'failure' in outcome ? codeOf(outcome.failure) : 'none';
          metrics.recipientsSettled(outcome.state, code, 1);
        }
      await ended(settled.done);
      return settled;
    },
    skipOverCap: async (asked) => {
      const rows = await store.skipOverCap(asked);
      if (rows.length > 0) await ended([asked.sendId]);
      return rows;
    },
    recoverInterrupted: async (failure, at) => {
      const interrupted = await store.recoverInterrupted(failure, at);
      await ended(interrupted);
      return interrupted;
    },
  };
}

function stepInto(state: SendState): string {
  return state in STEPS ? STEPS[state as keyof typeof STEPS] : `send ${state}`;
}

/** What happens by itself names nobody. */
function by(actor: string): object {
  return actor === 'herald' ? {} : { by: actor };
}

function because(reason: Failure | undefined): object {
  return reason === undefined ? {} : { why: reason.what, code: reason.code };
}

/** The service's code; without one the status of its answer, or that Herald itself found it. */
function codeOf({ code, status }: Failure): string {
  return code ?? (status === undefined ? 'none' : `http_${status}`);
}

function summed(counts: readonly (readonly [name: string, count: number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function alertSteps(store: AlertStore, logger: Logger): Partial<AlertStore> {
  return {
    commit: async (version, changes, at) => {
      const won = await store.commit(version, changes, at);
      if (!won) return won;
      const decided = changes.events?.flatMap(({ decisions = [] }) => decisions) ?? [];
      for (const { rule, what, alertId } of decided)
        if (what === 'sent') logger.info({ alertId, rule }, 'alert fired');
      for (const { id, rule, state, ended } of changes.alerts ?? [])
        if (ended?.at === at) logger.info({ alertId: id, rule, by: ended.by }, `alert ${state}`);
      return won;
    },
  };
}

function optOutSteps(store: AudienceStore, logger: Logger): Partial<AudienceStore> {
  return {
    optOut: async (optOuts) => {
      const count = await store.optOut(optOuts);
      const [first] = optOuts;
      if (first === undefined || count === 0) return count;
      const who = optOuts.length === 1 ? { number: first.number } : { count };
      logger.info({ ...who, ...by(first.actor), source: first.source }, 'opted out');
      return count;
    },
    optIn: async (number, removal) => {
      const wasThere = await store.optIn(number, removal);
      if (wasThere) logger.info({ number, ...by(removal.actor) }, 'taken off the opt-out list');
      return wasThere;
    },
  };
}

function templateSteps(store: TemplateStore, logger: Logger): Partial<TemplateStore> {
  return {
    write: async (writes, author) => {
      const stale = await store.write(writes, author);
      if (stale.length > 0) return stale;
      const changes = writes.map(({ template, action }) => `${action} ${keyOf(template)}`);
      logger.info({ by: author.actor, source: author.source, changes }, 'templates changed');
      return stale;
    },
  };
}
