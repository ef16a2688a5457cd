import type { ModalView } from '@slack/types';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError, remedyOf, whyRefused } from '../../connection/api-error.ts';
import { NothingSent } from '../../connection/notify-person.ts';
import type { OpenView, SlackClient } from '../clicks/arguments.ts';

/** An act of somebody in an open form. */
export interface ViewEvent {
  readonly viewId: string;
  /** The version of the view it was done in; Slack refuses an update that names an older one. */
  readonly hash: string;
  /** Slack's `action_ts`: orders what was done in one form. */
  readonly at: string;
}

export function eventIn(view: OpenView, { action_ts: at }: { readonly action_ts: string }): ViewEvent {
  return { viewId: view.id, hash: view.hash, at };
}

export type ViewUpdates = ReturnType<typeof createViewUpdates>;

/** Typing gives an event a character; Slack takes about a hundred updates a minute from all of Herald. */
const REFRESH_EVERY_MS = 1000;
const REMEMBER_MS = 60 * 60_000;
const REMEMBERED = 2000;

interface Refresh {
  readonly client: Views;
  readonly event: ViewEvent;
  readonly build: () => Promise<ModalView | undefined>;
}

type Views = Pick<SlackClient, 'views'>;
type Update = Parameters<SlackClient['views']['update']>[0];
/** The hash is that of the window as it is then. */
type Shown = { readonly hash: string | undefined } | 'conflict' | 'closed';

/**
 * Shows something else in an open window, because of a choice in it or of its result.
 *
 * @throws {NothingSent} where Slack does not
 */
export async function showInWindow({ views }: Views, update: Update): Promise<Shown> {
  try {
    return { hash: (await views.update(update)).view?.hash };
  } catch (cause) {
    const failure = classifyApiError(cause);
    const code = failure.kind === 'refused' ? failure.code : failure.kind;
    if (code === 'hash_conflict') return 'conflict';
    if (code === 'not_found') return 'closed';
    const sentence = `Slack did not show this in the window ${whyRefused(code)} Nothing was sent. Close the window and open it again.`;
    throw new NothingSent(sentence, { cause });
  }
}

/** True where an open window shows a result. Never rejects: a result that it does not show is said elsewhere. */
export async function isShown(client: Views, update: Update, logger: Logger): Promise<boolean> {
  const shown = await showInWindow(client, update).catch(({ message }: Error) => message);
  if (typeof shown === 'object') return true;
  logger.debug({ why: shown }, 'a window does not show what came of it');
  return false;
}

export function createViewUpdates(clock: Clock, logger: Logger) {
  /** The moment of the choice that a form's fields are shown for. */
  const chosenAt = createExpiringMap<string>(REMEMBER_MS, REMEMBERED, clock);
  /** The form as this process drew it last. */
  const drawn = createExpiringMap<{ readonly hash: string; readonly metadata: string }>(
    REMEMBER_MS,
    REMEMBERED,
    clock,
  );
  /** Forms of which somebody knows that Slack refuses their preview. */
  const saidRefused = createExpiringMap<true>(REMEMBER_MS, REMEMBERED, clock);

  async function update(client: Views, viewId: string, view: ModalView, hash?: string): Promise<Shown> {
    const shown = await showInWindow(client, { view_id: viewId, view, ...(hash !== undefined && { hash }) });
    const metadata = view.private_metadata ?? '';
    if (typeof shown === 'object' && shown.hash) drawn.set(viewId, { hash: shown.hash, metadata });
    return shown;
  }

  function isOutdated(event: ViewEvent): boolean {
    return Number(chosenAt.get(event.viewId) ?? 0) > Number(event.at);
  }

  async function refreshOnce({ client, event, build }: Refresh): Promise<void> {
    const { viewId, hash } = event;
    try {
      const view = await build();
      if (view === undefined || isOutdated(event)) return;
      const result = await update(client, viewId, view, hash);
      const last = drawn.get(viewId);
      // The person typed on before seeing our last preview: the same form, one hash behind.
      const sameForm = last !== undefined && last.metadata === view.private_metadata && last.hash !== hash;
      if (result === 'conflict' && sameForm) await update(client, viewId, view, last.hash);
    } catch (error) {
      const failure = classifyApiError(error instanceof NothingSent ? error.cause : error);
      logger.debug({ failure }, 'a preview was left out');
      // The next character is hardly refused for another reason: it is said once a form.
      const refused = failure.kind === 'refused' && remedyOf(failure.code) === 'plain_text';
      if (!refused || saidRefused.get(viewId)) return;
      saidRefused.set(viewId, true);
      throw error;
    }
  }

  return {
    /** Shows other fields because of a choice. Of several choices the latest wins, however they arrive. */
    redraw: async (client: Views, event: ViewEvent, view: ModalView): Promise<void> => {
      const { viewId, hash, at } = event;
      if (isOutdated(event)) return;
      chosenAt.set(viewId, at);
      const result = await update(client, viewId, view, hash);
      // A preview came in between; the choice still stands unless a later one was made.
      if (result === 'conflict' && !isOutdated(event)) await update(client, viewId, view);
    },
    /**
     * Shows another preview. While one is under way, and for a second after it, only the newest waits; an update
     * that fails is left out, since the next one makes up for it. Rejects once a form where Slack refuses its blocks.
     */
    refresh: refreshing(refreshOnce, clock),
  };
}

/** One refresh of a form at a time, and of those that come meanwhile the latest. */
function refreshing(once: (refresh: Refresh) => Promise<void>, clock: Clock) {
  /** The forms that are refreshed, each with what is to be shown next. */
  const next = new Map<string, Refresh | undefined>();
  return async (client: Views, event: ViewEvent, build: Refresh['build']): Promise<void> => {
    const { viewId } = event;
    const isRunning = next.has(viewId);
    next.set(viewId, { client, event, build });
    if (isRunning) return;
    try {
      for (let refresh = next.get(viewId); refresh; refresh = next.get(viewId)) {
        next.set(viewId, undefined);
        await once(refresh);
        await clock.sleep(REFRESH_EVERY_MS);
      }
    } finally {
      next.delete(viewId);
    }
  };
}
