import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds; a claim takes a few milliseconds, and a statement is given up after half a minute. */
const STATEMENT_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 30];

interface Figures {
  readonly inUse: number;
  readonly waiting: number;
  readonly leaseAgeSeconds: number;
  readonly replicas: number;
}

export interface DatabaseMetrics {
  statementEnded(seconds: number, ok: boolean): void;
  tookOver(replicas: number): void;
  /** From now on each reading of the metrics holds these figures as they are then. */
  watch(read: () => Figures): void;
}

/** Counters of the database on `registry`; they stay empty while there is none that others share. */
export function createDatabaseMetrics(registry: Registry): DatabaseMetrics {
  const registers = [registry];
  const statements = new Histogram({
    name: 'herald_database_seconds',
    help: 'Statements and transactions on PostgreSQL, with the wait for a connection, by whether they went through.',
    labelNames: ['result'],
    buckets: STATEMENT_BUCKETS,
    registers,
  });
  const takeovers = new Counter({
    name: 'herald_takeovers_total',
    help: 'Replicas that fell silent and whose work this one gave to the living.',
    registers,
  });

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  return {
    statementEnded: (seconds, ok) => statements.observe({ result: ok ? 'done' : 'failed' }, seconds),
    tookOver: (replicas) => takeovers.inc(replicas),
    watch: (read) => {
      gauge(
        'herald_database_connections_in_use',
        'Connections to PostgreSQL that are in use.',
        () => read().inUse,
      );
      gauge(
        'herald_database_waiting',
        'Statements that wait for a connection to PostgreSQL.',
        () => read().waiting,
      );
      gauge(
        'herald_lease_age_seconds',
        'Since this replica last renewed its lease; without renewal it stops sending.',
        () => read().leaseAgeSeconds,
      );
      gauge('herald_replicas', 'Replicas that share the pace, this one included.', () => read().replicas);
    },
  };
}
