import type { Clock } from '../core/clock.ts';
import type { Notes } from '../sends/notes.ts';
import type { SendStore } from '../sends/ports.ts';
import type { Lease, Sharing } from '../sends/sharing.ts';
import type { Tasks } from '../sends/tasks.ts';
import type { commonStores } from './common-stores.ts';

/** One database keeps all of this, by subject. */
export interface Memory extends ReturnType<typeof commonStores> {
  readonly sends: SendStore;
  readonly lease: Lease;
  readonly sharing: Sharing;
}

/** All that Herald remembers; closing `sends` closes the whole. */
export interface Stores extends Memory {
  readonly tasks: Tasks;
  readonly notes: Notes;
  /** How the connection to a shared database is now; absent where the database is this process's own. */
  readonly figures?: () => {
    /** Connections of this process that are in use, and statements that wait for one. */
    readonly inUse: number;
    readonly waiting: number;
    /** Since this process last renewed its lease. */
    readonly leaseAgeSeconds: number;
  };
  /** How far this machine's clock is ahead of the database's, in milliseconds; absent where that has none of its own. */
  readonly ahead?: () => Promise<number>;
  /** How large the file and its log are; absent where the database is a server's. */
  readonly bytes?: () => { readonly file: number; readonly log: number };
  /** The id under which this process shares the database with others now. */
  readonly replica?: () => string | undefined;
}

/** Counts what a database does; all of it is free to be ignored. */
export interface DatabaseObserver {
  /** A statement, or the wait for a connection and then the statement, ended. */
  statementEnded(seconds: number, ok: boolean): void;
  /** The server does not answer, or takes no writes. */
  lost(error: unknown): void;
  /** A statement went through. */
  found(): void;
  /** This process took over what so many silent replicas had claimed. */
  tookOver(replicas: number): void;
}

/** The observer hears of statements, and the clock times them. */
export interface Observed {
  readonly observer: DatabaseObserver;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export const UNOBSERVED: DatabaseObserver = {
  statementEnded: () => {},
  lost: () => {},
  found: () => {},
  tookOver: () => {},
};

/** The lease of a process that has its store to itself: nobody else could take over. */
export const ALONE: Lease = {
  exclusive: true,
  epoch: () => ({ isValid: () => true }),
  replicas: () => 1,
  rank: () => 0,
};

/** Such a process agrees with nobody. */
export const UNSHARED: Sharing = { isLeader: async () => true, canAnnounce: async () => {} };
