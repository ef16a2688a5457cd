import { startServer } from '../test/postgres/server.ts';
import { CONNECTIONS } from './bench-send.ts';
import { formatRound, median } from './figures.ts';
import { heraldPerSecond } from './herald-dispatch.ts';
import { type DatabaseWork, replicaRound } from './replica-round.ts';
import { startResponder } from './start-responder.ts';

/*
 * One, two and three replicas on one PostgreSQL, against one process on the embedded store, everything on disk in both:
 * first towards a service that answers at once, where the machine is what limits; then towards one that takes its time,
 * with so many connections a process, where more replicas are what helps. Rounds are paired, because a machine has good and
 * bad minutes; what counts is the ratio within a round.
 */
const ROUNDS = Number(process.argv[2] ?? 3);
const RECIPIENTS = Number(process.argv[3] ?? 30_000);
const REPLICAS = [1, 2, 3];
const SLOW_ANSWER_MS = 100;
const SLOW_RECIPIENTS = 10_000;

const server = await startServer(process.env.TEST_DATABASE_URL, { fsync: 'on', synchronous_commit: 'on' });
const works: DatabaseWork[] = [];

async function compare(answersAfterMs: number, recipients: number, connectionsEach: boolean): Promise<void> {
  const responder = await startResponder(answersAfterMs);
  const rounds: { embedded: number; replicas: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const embedded = await heraldPerSecond(responder.origin, recipients);
    const replicas: number[] = [];
    for (const count of REPLICAS) {
      const connections = CONNECTIONS * (connectionsEach ? count : 1);
      const measured = await replicaRound(server.url, responder.origin, {
        replicas: count,
        recipients,
        connections,
      });
      replicas.push(measured.perSecond);
      if (count === 1 && answersAfterMs === 0) works.push(measured.work);
    }
    rounds.push({ embedded, replicas });
    console.log(
      formatRound(round + 1, {
        embedded,
        ...Object.fromEntries(
          REPLICAS.map((count, place) => [`${count} on PostgreSQL`, replicas[place] ?? 0]),
        ),
      }),
    );
  }
  responder.stop();
  for (const [place, count] of REPLICAS.entries()) {
    const ratio = median(rounds.map(({ embedded, replicas }) => (replicas[place] ?? 0) / embedded));
    console.log(`${count} on PostgreSQL / one on the embedded store: ${ratio.toFixed(2)}`);
  }
}

console.log(`A service that answers at once, ${CONNECTIONS} connections for all replicas together:`);
await compare(0, RECIPIENTS, false);
console.log(`A service that takes ${SLOW_ANSWER_MS} ms, ${CONNECTIONS} connections for each replica:`);
await compare(SLOW_ANSWER_MS, SLOW_RECIPIENTS, true);
const middle = (of: (work: DatabaseWork) => number) => median(works.map(of));
console.log(
  `The database, for each recipient: ${middle((work) => work.walBytes).toFixed(0)} bytes of WAL, ` +
    `${middle((work) => work.transactions).toFixed(4)} transactions, ` +
    `${middle((work) => work.bytesBefore).toFixed(0)} bytes on disk before it is sent to and ${middle((work) => work.bytesAfter).toFixed(0)} after`,
);
await server.stop();
