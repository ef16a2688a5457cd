import type { SendStore } from '../../sends/ports.ts';
import { eventFrom, failureGroupFrom, recipientFrom, recordLineFrom, sendFrom } from '../rows.ts';
import type { Statements } from './statements.ts';

type ReadMethods = Pick<
  SendStore,
  | 'find'
  | 'recipients'
  | 'findByState'
  | 'list'
  | 'unannounced'
  | 'unannouncedEnds'
  | 'failures'
  | 'events'
  | 'allEvents'
  | 'outcomesSince'
>;

const EVERYTHING = Number.MAX_SAFE_INTEGER;

export function readMethods(sql: Statements): ReadMethods {
  return {
    find: async (sendId) => {
      const columns = sql.findSend.get(sendId);
      return columns === undefined ? undefined : sendFrom(columns);
    },
    recipients: async (sendId, afterRow = -1, limit = EVERYTHING) =>
      sql.recipients.all(sendId, afterRow, limit).map(recipientFrom),
    findByState: async (states, limit) => sql.findByStates.all(JSON.stringify(states), limit).map(sendFrom),
    list: async ({ userId, states, before = EVERYTHING, limit }) =>
      sql.listSends
        .all(userId ?? null, states === undefined ? null : JSON.stringify(states), before, limit)
        .map(sendFrom),
    unannounced: async (limit) => sql.unannounced.all(limit).map(sendFrom),
    unannouncedEnds: async (limit) => sql.untold.all(limit).map(sendFrom),
    failures: async (sendId) => sql.failures.all(sendId).map(failureGroupFrom),
    events: async (sendId) => sql.events.all(sendId).map(eventFrom),
    allEvents: async (afterId, limit) => sql.allEvents.all(afterId, limit).map(recordLineFrom),
    outcomesSince: async (since, before = EVERYTHING) =>
      Object.fromEntries(
        Object.entries(sql.outcomesSince.get(since, before) ?? {})
          .map(([state, count]) => [state, Number(count)] as const)
          .filter(([, count]) => count > 0),
      ),
  };
}
