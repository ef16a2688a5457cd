import { randomBytes } from 'node:crypto';
import type { StateValues } from '../protocol.ts';
import { type Json, withIdentity } from './block-identity.ts';
import { validateView } from './block-kit/index.ts';
import type { WorkspaceClock } from './clock.ts';
import { newId } from './identifiers.ts';
import type { StoredView, WorkspaceState } from './state.ts';
import { stateOf } from './view-state.ts';

/** Slack holds at most three views of a modal at once. */
const VIEW_STACK_MAX = 3;

/** Slack's error codes, with the sentences that name what is wrong with the view. */
export type ViewResult = { ok: true; view: StoredView } | { ok: false; error: string; problems?: string[] };

/** The modals and Home tabs of everyone. Source: https://docs.slack.dev/surfaces/modals */
export class Views {
  #state: WorkspaceState;
  #clock: WorkspaceClock;

  constructor(state: WorkspaceState, clock: WorkspaceClock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Why Slack would not take the view, or null. */
  refusal(raw: unknown, type: 'modal' | 'home', exceptViewId?: string): ViewResult | null {
    const problems = validateView(raw);
    if (problems.some((problem) => problem.startsWith('view_too_large'))) {
      return { ok: false, error: 'view_too_large', problems };
    }
    const view = raw as Json | null;
    if (problems.length === 0 && view?.type !== type) {
      problems.push(`must be a ${type} view [json-pointer:/view/type]`);
    }
    if (problems.length > 0) return { ok: false, error: 'invalid_arguments', problems };
    const externalId = view?.external_id;
    if (typeof externalId === 'string' && externalId !== '') {
      const holder = this.findByExternalId(externalId);
      if (holder !== undefined && holder.view.id !== exceptViewId)
        return { ok: false, error: 'duplicate_external_id' };
    }
    return null;
  }

  /** Puts a modal on top of a person's stack. `previous`: the view it was pushed from. */
  push(
    { userId, tab }: { userId: string; tab?: string | undefined },
    raw: unknown,
    previous: StoredView | null,
  ): ViewResult {
    const refused = this.refusal(raw, 'modal');
    if (refused !== null) return refused;
    const stack = this.#state.stackOf(userId);
    if (stack.filter((view) => view.tab === tab).length >= VIEW_STACK_MAX)
      return { ok: false, error: 'push_limit_reached' };
    const view = {
      ...this.#stored(raw as Json, newId('V'), {}, previous),
      ...(tab !== undefined && { tab }),
    };
    this.#state.putStack(userId, [...stack, view]);
    return { ok: true, view };
  }

  /** Replaces an open view, keeping what was typed where block_id and action_id stay the same. */
  update(viewId: string, raw: unknown, hash?: string): ViewResult {
    const found = this.find(viewId);
    if (found === undefined) return { ok: false, error: 'not_found' };
    if (hash !== undefined && hash !== found.view.hash) return { ok: false, error: 'hash_conflict' };
    const refused = this.refusal(raw, found.view.type, viewId);
    if (refused !== null) return refused;
    const view: StoredView = {
      ...this.#stored(raw as Json, viewId, found.view.state.values, null),
      root_view_id: found.view.root_view_id,
      previous_view_id: found.view.previous_view_id,
      ...(found.view.tab !== undefined && { tab: found.view.tab }),
    };
    this.#replace(found.userId, view);
    return { ok: true, view };
  }

  /** Shows a Home tab to a person. */
  publish(userId: string, raw: unknown, hash?: string): ViewResult {
    const current = this.#state.homes.get(userId);
    if (hash !== undefined && current !== undefined && hash !== current.hash) {
      return { ok: false, error: 'hash_conflict' };
    }
    const refused = this.refusal(raw, 'home', current?.id);
    if (refused !== null) return refused;
    const view = this.#stored(raw as Json, current?.id ?? newId('V'), current?.state.values ?? {}, null);
    this.#state.putHome(userId, view);
    return { ok: true, view };
  }

  /** Takes a view off its stack; it is no error if it is gone already. */
  close(userId: string, viewId: string): void {
    const stack = this.#state.stackOf(userId);
    const left = stack.filter((view) => view.id !== viewId);
    if (left.length < stack.length) this.#state.putStack(userId, left);
  }

  /** Closes all of a person's views in a window. */
  clear(userId: string, tab: string | undefined): void {
    const stack = this.#state.stackOf(userId);
    const left = stack.filter((view) => view.tab !== tab);
    if (left.length < stack.length) this.#state.putStack(userId, left);
  }

  /** What was open in a window of the page is gone with it, and the app hears nothing. */
  forget(tab: string): void {
    for (const userId of this.#state.viewStacks.keys()) this.clear(userId, tab);
  }

  /** Keeps what a person has filled in; values for inputs the view does not have are dropped. */
  hold(view: StoredView, values: StateValues): StoredView {
    const held = { ...view, state: { values: stateOf(view.blocks, merged(view.state.values, values)) } };
    const found = this.find(view.id);
    if (found === undefined) return held;
    // Nobody is told: the person who typed knows, and an echo could overtake the next key stroke.
    if (held.type === 'home') this.#state.homes.set(found.userId, held);
    else {
      const stack = this.#state.stackOf(found.userId);
      this.#state.viewStacks.set(
        found.userId,
        stack.map((candidate) => (candidate.id === held.id ? held : candidate)),
      );
    }
    return held;
  }

  find(viewId: string): { userId: string; view: StoredView } | undefined {
    return this.#findBy((view) => view.id === viewId);
  }

  findByExternalId(externalId: string): { userId: string; view: StoredView } | undefined {
    return this.#findBy((view) => view.external_id === externalId);
  }

  #findBy(matches: (view: StoredView) => boolean): { userId: string; view: StoredView } | undefined {
    for (const [userId, stack] of this.#state.viewStacks) {
      const view = stack.find(matches);
      if (view !== undefined) return { userId, view };
    }
    for (const [userId, view] of this.#state.homes) if (matches(view)) return { userId, view };
    return undefined;
  }

  #replace(userId: string, view: StoredView): void {
    if (view.type === 'home') {
      this.#state.putHome(userId, view);
      return;
    }
    const stack = this.#state.stackOf(userId);
    this.#state.putStack(
      userId,
      stack.map((candidate) => (candidate.id === view.id ? view : candidate)),
    );
  }

  #stored(raw: Json, id: string, held: StateValues, previous: StoredView | null): StoredView {
    const view = raw as Partial<StoredView> & { type: 'modal' | 'home'; blocks: unknown[] };
    const blocks = withIdentity(view.blocks);
    return {
      id,
      hash: `${Math.floor(this.#clock.now() / 1000)}.${randomBytes(4).toString('hex')}`,
      type: view.type,
      callback_id: view.callback_id ?? '',
      external_id: view.external_id ?? '',
      ...(view.title === undefined ? {} : { title: view.title }),
      ...(view.submit === undefined ? {} : { submit: view.submit }),
      ...(view.close === undefined ? {} : { close: view.close }),
      blocks,
      private_metadata: view.private_metadata ?? '',
      notify_on_close: view.notify_on_close ?? false,
      clear_on_close: view.clear_on_close ?? false,
      root_view_id: previous?.root_view_id ?? id,
      previous_view_id: previous?.id ?? null,
      state: { values: stateOf(blocks, held) },
    };
  }
}

function merged(before: StateValues, now: StateValues): StateValues {
  const values: StateValues = { ...before };
  for (const [blockId, row] of Object.entries(now)) values[blockId] = { ...values[blockId], ...row };
  return values;
}
