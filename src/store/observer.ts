/** What is counted of a database; all of it is free to be ignored. */
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

/** How the connection to the shared database is now. */
export interface DatabaseFigures {
  /** Connections of this process that are in use, and statements that wait for one. */
  readonly inUse: number;
  readonly waiting: number;
  /** Since this process last renewed its lease. */
  readonly leaseAgeSeconds: number;
}

export const UNOBSERVED: DatabaseObserver = {
  statementEnded: () => {},
  lost: () => {},
  found: () => {},
  tookOver: () => {},
};
