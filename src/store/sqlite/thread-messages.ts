import type { Memory } from '../stores.ts';

/*
 * What the two threads say to each other. Arguments and results are plain values: they cross by structured clone, but
 * for batches, which cross as JSON text in half of the time.
 */

/** What the thread is started with. */
export interface ThreadData {
  readonly path: string;
  readonly pseudonymKey: string | undefined;
}

/** From the store's thread, once: the file is open, or one sentence that says why it is not. `copy` is of before an upgrade. */
export type Opened =
  | { readonly state: 'open'; readonly copy: string | undefined }
  | { readonly state: 'failed'; readonly sentence: string };

/** A value as it crosses. */
export type Crossing = { readonly value: unknown } | { readonly batch: string };

/** One call of one method. */
export interface Call {
  readonly id: number;
  readonly store: Exclude<keyof Memory, 'lease' | 'sharing'>;
  readonly method: string;
  readonly args: readonly Crossing[];
}

/** How a call ended; answers come in the order of the calls. */
export type CallResult = { readonly id: number } & (
  | Crossing
  | { readonly error: unknown; readonly isOutage: boolean }
);

/** From this many elements an array is a batch; below, either way costs the same. */
const BATCH = 16;

/** Batches are rows, numbers and outcomes: nothing in them that JSON does not know. */
export function pack(value: unknown): Crossing {
  return Array.isArray(value) && value.length >= BATCH ? { batch: JSON.stringify(value) } : { value };
}

export function unpack(crossing: Crossing): unknown {
  return 'batch' in crossing ? JSON.parse(crossing.batch) : crossing.value;
}
