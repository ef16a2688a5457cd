import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds: a claim takes a few milliseconds; a statement on PostgreSQL is given up after 30 s. */
const STATEMENT_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 30];

interface Figures {
  readonly inUse: number;
  readonly waiting: number;
  readonly leaseAgeSeconds: number;
  readonly replicas: number;
}

/** The metrics of the database, on `registry`; but for the first those of PostgreSQL, and empty on SQLite. */
export function createDatabaseMetrics(registry: Registry) {
  const registers = [registry];
  const statements = new Histogram({
    name: 'herald_database_seconds',
    help: 'Calls of the database, with the wait for their turn, by whether they went through.',
    labelNames: ['result'],
    buckets: STATEMENT_BUCKETS,
    registers,
  });
  const takeovers = new Counter({
    name: 'herald_takeovers_total',
    help: 'Replicas that stopped renewing their lease and whose work this one released to the others.',
    registers,
  });

  return {
    statementEnded: (seconds: number, ok: boolean) =>
      statements.observe({ result: ok ? 'done' : 'failed' }, seconds),
    tookOver: (replicas: number) => takeovers.inc(replicas),
    /** From now on `read` is called for each rendering of the metrics. */
    watch: (read: () => Figures) => {
      const gauges: readonly [name: string, help: string, key: keyof Figures][] = [
        ['herald_database_connections_in_use', 'Connections to PostgreSQL that are in use.', 'inUse'],
        ['herald_database_waiting', 'Statements that wait for a connection to PostgreSQL.', 'waiting'],
        [
          'herald_lease_age_seconds',
          'Since the last renewal of the lease; without it, sending stops.',
          'leaseAgeSeconds',
        ],
        ['herald_replicas', 'Replicas that share the pace, this one included.', 'replicas'],
      ];
      for (const [name, help, key] of gauges) {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read()[key]);
          },
        });
      }
    },
  };
}
