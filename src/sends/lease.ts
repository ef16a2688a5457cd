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
