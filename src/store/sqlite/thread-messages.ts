import type { Stores } from '../stores.ts';

/*
 * What the two threads say to each other. Arguments and results are plain values: they cross by structured clone.
 */

/** From the store's thread, once: the file is open, or one sentence that says why it is not. */
export type Opened = { readonly state: 'open' } | { readonly state: 'failed'; readonly sentence: string };

/** One call of one method. */
export interface Call {
  readonly id: number;
  readonly store: keyof Stores;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** How a call ended; answers come in the order of the calls. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: unknown };
