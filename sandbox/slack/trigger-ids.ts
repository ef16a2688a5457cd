import { randomBytes } from 'node:crypto';
import type { WorkspaceClock } from './clock.ts';
import { TEAM } from './seed.ts';

/** A trigger_id opens one view, within three seconds of the person's click. */
const TRIGGER_LIFETIME_MS = 3000;

/** What a trigger_id stands for: whose screen, and the view it was clicked in, if any. */
export interface Trigger {
  userId: string;
  /** The window of the page that it was clicked in; absent for who has none. */
  tab: string | undefined;
  viewId: string | null;
}

export type TriggerProblem = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';

/** Hands out trigger_ids and lets each be used once. */
export class TriggerIds {
  #clock: WorkspaceClock;
  #lifetimeMs: number;
  #triggers = new Map<string, Trigger & { issuedAt: number; used: boolean }>();
  #count = 0;

  constructor(clock: WorkspaceClock, lifetimeMs = TRIGGER_LIFETIME_MS) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  issue({ as: userId, tab }: { as: string; tab?: string }, viewId: string | null = null): string {
    this.#count += 1;
    const id = `${this.#clock.now()}.${this.#count}.${TEAM.id}.${randomBytes(16).toString('hex')}`;
    this.#triggers.set(id, { userId, tab, viewId, issuedAt: this.#clock.now(), used: false });
    return id;
  }

  /** What the trigger stands for, or why it cannot be used; looking does not use it up. */
  inspect(id: string): Trigger | TriggerProblem {
    const trigger = this.#triggers.get(id);
    if (trigger === undefined) return 'invalid_trigger_id';
    if (trigger.used) return 'exchanged_trigger_id';
    if (this.#clock.now() - trigger.issuedAt > this.#lifetimeMs) return 'expired_trigger_id';
    return trigger;
  }

  use(id: string): void {
    const trigger = this.#triggers.get(id);
    if (trigger !== undefined) trigger.used = true;
  }
}
