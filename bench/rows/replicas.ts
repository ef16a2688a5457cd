import { startServer } from '../../test/postgres/server.ts';
import { CONNECTIONS } from '../bench-send.ts';
import { type DatabaseWork, replicaRound } from '../replica-round.ts';
import { LOG_BYTES, ONE_REPLICA, THREE_REPLICAS, TRANSACTIONS } from '../results.ts';
import { contend, median, perSecondText, type Row, ratios } from '../row.ts';
import { startResponder } from '../start-responder.ts';

const RECIPIENTS = 200_000;
const SLOW_ANSWER_MS = 100;
const SLOW_RECIPIENTS = 10_000;

/**
 * Replicas on one PostgreSQL, everything on disk: towards a service that answers at once, where the machine is what limits,
 * and towards one that takes its time, with so many connections a process, where more replicas are what helps.
 */
export async function replicas(rounds: number): Promise<readonly Row[]> {
  const server = await startServer(process.env.TEST_DATABASE_URL, { fsync: 'on', synchronous_commit: 'on' });
  const quick = await startResponder();
  const slow = await startResponder(SLOW_ANSWER_MS);
  const rates = {
    embedded: [] as number[],
    one: [] as number[],
    slowOne: [] as number[],
    slowThree: [] as number[],
  };
  const works: DatabaseWork[] = [];
  const slowly = async (count: number) => {
    const settings = { replicas: count, recipients: SLOW_RECIPIENTS, connections: CONNECTIONS * count };
    return (await replicaRound(server.url, slow.origin, settings)).perSecond;
  };
  for (let round = 0; round < rounds; round += 1) {
    rates.embedded.push(await contend<number>('herald-send', [quick.origin, RECIPIENTS]));
    const settings = { replicas: 1, recipients: RECIPIENTS, connections: CONNECTIONS };
    const one = await replicaRound(server.url, quick.origin, settings);
    rates.one.push(one.perSecond);
    works.push(one.work);
    rates.slowOne.push(await slowly(1));
    rates.slowThree.push(await slowly(3));
  }
  quick.stop();
  slow.stop();
  await server.stop();
  return [
    {
      work: ONE_REPLICA,
      goal: '≥ 0.75',
      figures: ratios(rates.one, rates.embedded),
      note: `one replica ${perSecondText(median(rates.one))}, the embedded store ${perSecondText(median(rates.embedded))}`,
    },
    {
      work: THREE_REPLICAS,
      goal: '≥ 2.8',
      figures: ratios(rates.slowThree, rates.slowOne),
      note: `three ${perSecondText(median(rates.slowThree))}, one ${perSecondText(median(rates.slowOne))}`,
    },
    { work: LOG_BYTES, figures: works.map(({ walBytes }) => walBytes), unit: ' bytes' },
    { work: TRANSACTIONS, figures: works.map(({ transactions }) => transactions), digits: 4 },
  ];
}
