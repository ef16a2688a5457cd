import { expect, it, vi } from 'vitest';
import { describeWithPostgres, directly } from '../postgres/database.ts';
import { startReplicas } from './replicas.ts';
import { TEAM_CONFIGURATION } from './team.ts';

/** docs/sizing.md counts for forty. */
const REPLICAS = 2;
const MOST_TRANSACTIONS_A_SECOND = 11;
const MOST_CONNECTIONS = 6;
/** Of the lease, which is renewed every 1.5 s. */
const SETTLING_SECONDS = 12;
const MEASURED_SECONDS = 15;

const MEASURE = `SELECT extract(epoch FROM clock_timestamp())::float8 AS at, xact_commit::int AS transactions,
    (SELECT extract(epoch FROM max(lease_until))::float8 FROM replicas) AS lease,
    (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'herald%')
      AS connections
  FROM pg_stat_database WHERE datname = current_database()`;

await describeWithPostgres('replicas that have nothing to do', () => {
  it('ask little of the database', async () => {
    const stack = await startReplicas('socket', TEAM_CONFIGURATION, REPLICAS);
    const measure = async () =>
      (await directly(stack.database, MEASURE))[0] as Record<
        'at' | 'transactions' | 'lease' | 'connections',
        number
      >;
    /** Measures when the lease has been renewed for so long since. */
    const later = (since: number, seconds: number) =>
      vi.waitFor(
        async () => {
          const now = await measure();
          expect(now.lease - since).toBeGreaterThan(seconds);
          return now;
        },
        { timeout: 60_000, interval: 3_000 },
      );
    const started = await measure();
    const first = await later(started.lease, SETTLING_SECONDS);
    const last = await later(first.lease, MEASURED_SECONDS);
    await stack.stop();
    const perSecond = (last.transactions - first.transactions) / (last.at - first.at) / REPLICAS;
    const connections = last.connections / REPLICAS;
    console.log(
      `At rest: ${perSecond.toFixed(1)} transactions a second and ${connections} connections for each of ${REPLICAS} replicas.`,
    );
    expect(perSecond).toBeLessThan(MOST_TRANSACTIONS_A_SECOND);
    expect(connections).toBeLessThanOrEqual(MOST_CONNECTIONS);
  });
});
