import type { Logger } from '../core/logger.ts';
import type { AlertStore } from './alerts/ports.ts';
import type { AudienceStore } from './audience.ts';
import type { Failure, LeaveOut } from './outcome.ts';
import type { SendStore } from './ports.ts';
import type { RecipientState, RecordedAction, Send, SendState } from './send.ts';
import { keyOf, type TemplateStore } from './templates/store.ts';

interface Stores {
  readonly sends: SendStore;
  readonly alerts: AlertStore;
  readonly audiences: AudienceStore;
  readonly templates: TemplateStore;
}

interface Metrics {
  recipientsSettled(outcome: RecipientState, code: string, count: number): void;
}

/**
 * The same stores, with a line in the log for each step that this process wins: who asked, approved, paused and why, and
 * how it ended; alerts, templates and opt-outs as well. Lines carry no text of a message.
 */
export function withStory<All extends Stores>(
  stores: All,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): All {
  const { sends, alerts, audiences, templates } = stores;
  return {
    ...stores,
    sends: withLines(sends, linesOfSends(createSendStory(sends, logger), metrics)),
    alerts: withLines(alerts, linesOfAlerts(logger)),
    audiences: withLines(audiences, linesOfOptOuts(logger)),
    templates: withLines(templates, linesOfTemplates(logger)),
  };
}

/** Says something once a method of a store has answered, by its answer and what it was asked. */
type Lines<Store> = {
  readonly [Name in keyof Store]?: Store[Name] extends (...given: never[]) => Promise<unknown>
    ? (answer: Awaited<ReturnType<Store[Name]>>, ...asked: Parameters<Store[Name]>) => unknown
    : never;
};

function withLines<Store extends object>(store: Store, lines: Lines<Store>): Store {
  const methods = Object.entries(lines).map(([name, say]) => [
    name,
    async (...asked: unknown[]) => {
      const answer = await (store[name as keyof Store] as (...asked: unknown[]) => Promise<unknown>)(
        ...asked,
      );
      await (say as (...said: unknown[]) => unknown)(answer, ...asked);
      return answer;
    },
  ]);
  // A store may be a proxy, which has nothing to copy.
  return Object.assign(Object.create(store) as Store, Object.fromEntries(methods));
}

const WAITS = 'send waits for approval';
const STEPS: Partial<Record<SendState, string>> = { awaiting_approval: WAITS, sending: 'send started' };

const NOTES: Record<RecordedAction, string> = {
  reminded: 'approvers reminded',
  left_unknown: 'unknown recipients left as they are',
  chose_to_wait: 'send waits for the end of quiet hours',
  approval_refused: 'approval refused',
};

const ENDS: readonly RecipientState[] = ['accepted', 'rejected', 'not_sent', 'unknown', 'skipped'];

/** The lines about a send. */
function createSendStory(store: SendStore, logger: Logger) {
  const say = (sendId: string, step: string, fields: object) => logger.info({ sendId, ...fields }, step);
  return {
    say,
    asked: (made: { readonly send: Send; readonly created: boolean } | undefined) => {
      if (!made?.created) return;
      const { id, kind, origin, retryOf, recipientCount } = made.send;
      say(id, 'send asked for', {
        kind,
        by: origin.userId,
        channel: origin.channelId,
        ...(recipientCount > 0 && { recipients: recipientCount }),
        ...(origin.alert && { alertId: origin.alert.id }),
        ...(retryOf !== undefined && { retryOf }),
      });
    },
    /** Says how those ended that are done. A line that cannot be made must not change what was done. */
    ended: async (sendIds: readonly string[]) => {
      for (const sendId of sendIds) {
        const send = await store.find(sendId).catch(() => undefined);
        if (send?.state !== 'done') continue;
        const { counts } = send;
        const failed = counts.accepted < send.recipientCount;
        const groups = failed ? await store.failures(sendId).catch(() => []) : [];
        const codes: Record<string, number> = {};
        for (const { state, failure, count } of groups) {
          const code = `${state} ${codeOf(failure)}`;
          codes[code] = (codes[code] ?? 0) + count;
        }
        say(sendId, 'send done', {
          ...Object.fromEntries(ENDS.flatMap((state) => (counts[state] > 0 ? [[state, counts[state]]] : []))),
          ...(groups.length > 0 && { codes }),
        });
      }
    },
  };
}

function linesOfSends(
  { say, asked, ended }: ReturnType<typeof createSendStory>,
  metrics: Metrics,
): Lines<SendStore> {
  async function leftOut(rows: readonly number[], { sendId, failure }: LeaveOut, state: RecipientState) {
    if (rows.length === 0) return;
    metrics.recipientsSettled(state, codeOf(failure), rows.length);
    await ended([sendId]);
  }

  return {
    create: asked,
    begin: asked,
    seal: (won, { sendId, to, actor, survey, approval, reason }) => {
      const fields = { recipients: survey?.recipients, needed: approval?.needed, ...because(reason) };
      if (won) say(sendId, stepInto(to), { ...by(actor), ...fields });
    },
    askForMore: (won, { sendId, actor, needed, reason }) => {
      if (won) say(sendId, WAITS, { ...by(actor), needed, ...because(reason) });
    },
    approve: (result, { sendId, userId }) => {
      if (result.state === 'recorded')
        say(sendId, result.complete ? 'send approved' : 'send approved by one of several', {
          by: userId,
          approvals: result.approvals.length,
        });
    },
    moveSend: async (won, { sendId, from, to, actor, reason, resumeAt }) => {
      if (!won) return;
      const isResumed = from === 'paused' && to === 'sending';
      say(sendId, isResumed ? 'send resumed' : stepInto(to), {
        ...by(actor),
        ...because(reason),
        ...(resumeAt !== undefined && { until: new Date(resumeAt).toISOString() }),
      });
      // It may have been paused at its very end, when nothing was left.
      if (isResumed) await ended([sendId]);
    },
    recordOnce: (isFirst, { sendId, action, actor, reason }) => {
      if (isFirst) say(sendId, NOTES[action], { ...by(actor), ...because(reason) });
    },
    settle: async ({ written, done }, settlements) => {
      // Nobody knows which of them were written before.
      if (written === settlements.length)
        for (const { outcome } of settlements) {
          const code = 'failure' in outcome ? codeOf(outcome.failure) : 'none';
          metrics.recipientsSettled(outcome.state, code, 1);
        }
      await ended(done);
    },
    skipOverCap: (rows, asked) => leftOut(rows, asked, 'skipped'),
    skipTaken: (rows, asked) => leftOut(rows, asked, asked.state),
    recoverInterrupted: ended,
  };
}

function stepInto(state: SendState): string {
  return STEPS[state] ?? `send ${state}`;
}

/** A step that happens by itself names nobody. */
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

function linesOfAlerts(logger: Logger): Lines<AlertStore> {
  return {
    commit: (won, _version, { events = [], alerts = [] }, at) => {
      if (!won) return;
      for (const { rule, what, alertId } of events.flatMap(({ decisions = [] }) => decisions))
        if (what === 'sent') logger.info({ alertId, rule }, 'alert fired');
      for (const { id, rule, state, ended } of alerts)
        if (ended?.at === at) logger.info({ alertId: id, rule, by: ended.by }, `alert ${state}`);
    },
  };
}

function linesOfOptOuts(logger: Logger): Lines<AudienceStore> {
  return {
    optOut: (count, [first, ...others]) => {
      if (first === undefined || count === 0) return;
      const who = others.length === 0 ? { number: first.number } : { count };
      logger.info({ ...who, ...by(first.actor), source: first.source }, 'opted out');
    },
    optIn: (wasThere, number, { actor }) => {
      if (wasThere) logger.info({ number, ...by(actor) }, 'taken off the opt-out list');
    },
  };
}

function linesOfTemplates(logger: Logger): Lines<TemplateStore> {
  return {
    write: (stale, writes, { actor, source }) => {
      if (stale.length > 0) return;
      const changes = writes.map(({ template, action }) => `${action} ${keyOf(template)}`);
      logger.info({ by: actor, source, changes }, 'templates changed');
    },
  };
}
