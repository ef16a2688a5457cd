import { startServer } from '../../test/postgres/server.ts';
import { CONNECTIONS } from '../bench-send.ts';
import { type DatabaseWork, replicaRound } from '../replica-round.ts';
import { contend, median, perSecondText, type Row, ratios } from '../row.ts';
import { startResponder } from '../start-responder.ts';

const RECIPIENTS = 30_000;
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
  const middle = (of: (work: DatabaseWork) => number) => median(works.map(of));
  return [
    {
      work: 'one replica on PostgreSQL / the embedded store',
      goal: '≥ 0.75',
      figures: ratios(rates.one, rates.embedded),
      note: `${perSecondText(median(rates.one))}; for each recipient ${middle((work) => work.walBytes).toFixed(0)} bytes of WAL, ${middle((work) => work.transactions).toFixed(4)} transactions`,
    },
    {
      work: 'three replicas / one, a service that takes 100 ms',
      goal: '≥ 2.8',
      figures: ratios(rates.slowThree, rates.slowOne),
      note: `three ${perSecondText(median(rates.slowThree))}, one ${perSecondText(median(rates.slowOne))}`,
    },
  ];
}
