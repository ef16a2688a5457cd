/**
 * This process's right to start what it has claimed. Where several processes share a store, one that stands still for
 * too long loses it: the others then take what it had claimed for `unknown`.
 */
export interface Lease {
  /** The epoch under which whatever is claimed from now on may be started. */
  epoch(): LeaseEpoch;
  /** How many processes send side by side, this one included; some seconds old at most. They share the pace evenly. */
  replicas(): number;
  /** Nobody else can ever share; where it is false somebody may join at any moment. */
  readonly exclusive: boolean;
  /** This process's place among the replicas, from 0; every one of them has another. */
  rank(): number;
}

export interface LeaseEpoch {
  /** To be asked right before each request. Once others took over, it never comes back. */
  holds(): boolean;
}
