import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { MessageKind } from '../../messages/kinds.ts';
import type { ListReview } from '../../sends/bulk/recipients.ts';
import type { BulkSends } from '../../sends/bulk/service.ts';
import type { Notes } from '../../sends/notes.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import type { SlackServices } from '../kit/services.ts';
import { createViewUpdates } from '../kit/views/view-updates.ts';

const CLOSED_FORMS_KEPT_MS = 60 * 60_000;
const CLOSED_FORMS_KEPT = 200;

export type Compose = ReturnType<typeof createCompose>;

export function createCompose(services: SlackServices) {
  const { clock, logger, notes } = services;
  return {
    ...services,
    counting: createCounting(services),
    views: createViewUpdates(clock, logger),
    /** Views whose list is being read: a second press waits for the same reading. */
    reading: new Set<string>(),
    /** Forms whose list was ready only after they were closed, by the id of the closed view. */
    closedForms: createExpiringMap<{ readonly kind: MessageKind; readonly view: ModalView }>(
      CLOSED_FORMS_KEPT_MS,
      CLOSED_FORMS_KEPT,
      clock,
    ),
    setAside: createSetAside(notes),
  };
}

/** As long as a form stays open in practice. */
const SET_ASIDE_MS = 2 * 60 * 60_000;

const valuesSchema = z.record(z.string(), z.unknown());

/** Keeps what was typed into parts of a form that are not shown now; whichever process answers the next click finds it. */
function createSetAside(notes: Notes) {
  const keyOf = (viewId: string) => `set-aside:${viewId}`;
  return {
    get: async (viewId: string): Promise<FormValues> =>
      valuesSchema.safeParse(await notes.find(keyOf(viewId))).data ?? {},
    set: (viewId: string, values: FormValues) => notes.put(keyOf(viewId), values, SET_ASIDE_MS),
  };
}

const COUNTS_KEPT_MS = 10 * 60_000;
const COUNTS_KEPT = 200;

/** Counts for each form once what it asks, and of several questions only the newest to its end. */
function createCounting({ bulkSends, clock, logger }: SlackServices) {
  const latest = createExpiringMap<{
    readonly key: string;
    readonly stop: AbortController;
    readonly review: Promise<ListReview | undefined>;
  }>(COUNTS_KEPT_MS, COUNTS_KEPT, clock);
  return (viewId: string, asked: Parameters<BulkSends['review']>[0]) => {
    const key = JSON.stringify(asked);
    const before = latest.get(viewId);
    if (before?.key === key) return before.review;
    before?.stop.abort();
    const stop = new AbortController();
    const review = bulkSends.review(asked, stop.signal).catch((error: unknown) => {
      logger.warn({ error }, 'a list could not be counted for its review');
      return undefined;
    });
    latest.set(viewId, { key, stop, review });
    return review;
  };
}
