import type { Channel } from '../messages/kinds.ts';

/**
 * This process's right to start what it has claimed. Where several processes share a store, one that does not renew its
 * lease in time loses it, and what it had claimed becomes `unknown`.
 */
export interface Lease {
  /** The epoch for what is claimed from now on. */
  epoch(): LeaseEpoch;
  /** Number of replicas, this one included, at most a few seconds old. They share the pace evenly. */
  replicas(): number;
  /** True when no other replica can ever join. */
  readonly exclusive: boolean;
  /** This process's index among the replicas, from 0. */
  rank(): number;
}

export interface LeaseEpoch {
  /** Asked right before each request. Once another process took over what was claimed under it, it stays false. */
  isValid(): boolean;
}

/** A channel's state for all processes; times are in milliseconds from now. */
export interface ChannelState {
  /** Counts the slow-downs: how often the service asked for a pause. */
  readonly slowDowns: number;
  /** How long the pause still lasts. */
  readonly pausedMs: number;
  /** Present while the service fails: the time until the next probe. */
  readonly broken?: { readonly probeInMs: number };
}

/** The shared states of the channels, by the database's clock. */
export interface SharedChannels {
  read(): Promise<ReadonlyMap<Channel, ChannelState>>;
  /** The service asked for a pause of `pauseMs`. Returns the new count of slow-downs. */
  slowDown(channel: Channel, pauseMs: number): Promise<number>;
  /** The service fails: nobody sends anything for `probeInMs`. */
  broke(channel: Channel, probeInMs: number): Promise<void>;
  mended(channel: Channel): Promise<void>;
  /** True for one process at a time, which may then probe whether the service works again. */
  takeProbe(channel: Channel): Promise<boolean>;
  giveProbeBack(channel: Channel): Promise<void>;
}

export interface Sharing {
  /**
   * True while this process leads `task`, which two at a time would do twice. A leader stays one until it ends or cannot
   * reach Slack.
   */
  isLeader(task: 'show_posts' | 'remove_old'): Promise<boolean>;
  /** Says whether this process can reach Slack; while it cannot, others announce in its place. */
  canAnnounce(able: boolean): Promise<void>;
  /** Absent when there are no other replicas. */
  readonly channels?: SharedChannels;
}
