import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap, type ExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import type { MessageKind } from '../../messages/kinds.ts';
import type { BulkSends, ListReview } from '../../sends/bulk.ts';
import type { Notes } from '../../sends/notes.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import type { SendingDependencies, SlackServices } from '../kit/services.ts';
import { createViewUpdates, type ViewUpdates } from '../kit/views/view-updates.ts';

type ComposeDependencies = SendingDependencies &
  Pick<SlackServices, 'sends' | 'store' | 'notes' | 'groups' | 'drafts' | 'names' | 'conversations'>;

/** What the handlers of forms work with. */
export interface Compose extends ComposeDependencies {
  readonly views: ViewUpdates;
  readonly counting: Counting;
  /** Views whose list is being read: a second press waits for the same reading. */
  readonly reading: Set<string>;
  /** Forms whose list was ready only after they were closed, by the id of the closed view. */
  readonly closedForms: ExpiringMap<{ readonly kind: MessageKind; readonly view: ModalView }>;
  /** What was typed into parts of a form that are not shown now, by the view's id. */
  readonly setAside: SetAside;
}

const CLOSED_FORMS_KEPT_MS = 60 * 60_000;
const CLOSED_FORMS_KEPT = 200;

export function createCompose(dependencies: ComposeDependencies): Compose {
  const { bulkSends, clock, logger, notes } = dependencies;
  return {
    ...dependencies,
    counting: createCounting(bulkSends, clock, logger),
    reading: new Set(),
    views: createViewUpdates(clock, logger),
    closedForms: createExpiringMap(CLOSED_FORMS_KEPT_MS, CLOSED_FORMS_KEPT, clock),
    setAside: createSetAside(notes),
  };
}

/** As long as a form stays open in practice. */
const SET_ASIDE_MS = 2 * 60 * 60_000;

const valuesSchema = z.record(z.string(), z.unknown());

/** What was typed into parts of a form that are not shown now; whichever process answers the next click finds it. */
export interface SetAside {
  get(viewId: string): Promise<FormValues | undefined>;
  set(viewId: string, values: FormValues): Promise<void>;
}

export function createSetAside(notes: Notes): SetAside {
  const keyOf = (viewId: string) => `set-aside:${viewId}`;
  return {
    get: async (viewId) => valuesSchema.safeParse(await notes.find(keyOf(viewId))).data,
    // A one-time password is written nowhere.
    set: (viewId, { otp: _never, ...values }) => notes.put(keyOf(viewId), values, SET_ASIDE_MS),
  };
}

const COUNTS_KEPT_MS = 10 * 60_000;
const COUNTS_KEPT = 200;

type Asked = Parameters<BulkSends['review']>[0];

/** Counts for each form once what it asks, and of several questions only the newest to its end. */
export type Counting = (viewId: string, asked: Asked) => Promise<ListReview | undefined>;

export function createCounting(bulkSends: Pick<BulkSends, 'review'>, clock: Clock, logger: Logger): Counting {
  const latest = createExpiringMap<{
    readonly key: string;
    readonly stop: AbortController;
    readonly review: Promise<ListReview | undefined>;
  }>(COUNTS_KEPT_MS, COUNTS_KEPT, clock);
  return (viewId, asked) => {
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
