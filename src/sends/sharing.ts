import type { Channel } from '../messages/kinds.ts';

/*
 * What several processes on one store agree on. A process that has its store to itself agrees with itself.
 */

/** Work of which one process at a time does all: two would tell people the same twice. */
type Leadership = 'tell_replies';

/** How a channel of the messaging service stands for all processes; times are from now, in milliseconds. */
export interface ChannelState {
  /** Counts how often the service asked for quiet; each time everybody slows down. */
  readonly holds: number;
  /** How long nothing may start; 0 when something may. */
  readonly heldMs: number;
  /** There while the service itself fails: until when nobody even tries. */
  readonly broken?: { readonly probeInMs: number };
}

/** How the channels stand, by the database's own clock. */
export interface SharedChannels {
  read(): Promise<ReadonlyMap<Channel, ChannelState>>;
  /** The service said "not now" for `pauseMs`. Returns the new count of holds. */
  hold(channel: Channel, pauseMs: number): Promise<number>;
  /** The service fails, or still does: nobody tries for `probeInMs`. */
  broke(channel: Channel, probeInMs: number): Promise<void>;
  mended(channel: Channel): Promise<void>;
  /** True for one process at a time: it may try whether the service works again. */
  takeProbe(channel: Channel): Promise<boolean>;
  /** Nothing was tried after all. */
  giveProbeBack(channel: Channel): Promise<void>;
}

export interface Sharing {
  /** True when this process is the one to do `task` now. Whoever has it keeps it until it dies, leaves, or cannot tell. */
  isLeader(task: Leadership): Promise<boolean>;
  /** Whether this process can tell people anything: while it cannot, others do in its place. */
  canTell(able: boolean): Promise<void>;
  /** Absent where nobody else sends. */
  readonly channels?: SharedChannels;
}
