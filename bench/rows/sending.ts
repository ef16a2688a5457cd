import { installTools } from '../../scripts/tools.ts';
import { startRedis } from '../redis.ts';
import { contend, median, perSecondText, type Row, ratios } from '../row.ts';
import { startResponder } from '../start-responder.ts';

/** So many that what grows with a send shows. */
const RECIPIENTS = 200_000;
const QUEUED = 20_000;
const BULK = 1_000_000;

/**
 * How much of a bare loop over undici is left with everything on: claims and outcomes on disk with synchronous=FULL, the
 * gateway's evidence, the pace, the breaker, the log. And how a queue with one job a recipient compares.
 */
export async function sending(rounds: number): Promise<readonly Row[]> {
  const responder = await startResponder();
  const redis = await startRedis();
  if (redis) installTools('bench');
  const rates = { bare: [], herald: [], queue: [], bareSms: [], heraldSms: [] } as Record<
    string,
    number[]
  > & {
    [name in 'bare' | 'herald' | 'queue' | 'bareSms' | 'heraldSms']: number[];
  };
  const run = (contender: string, ...args: readonly (string | number)[]) =>
    contend<number>(contender, [responder.origin, ...args]);
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await run('bare-send', RECIPIENTS));
    rates.herald.push(await run('herald-send', RECIPIENTS));
    if (redis) rates.queue.push(await run('queue-send', QUEUED, redis.port));
    rates.bareSms.push(await run('bare-send', BULK, 'sms'));
    rates.heraldSms.push(await run('herald-send', BULK, 'sms'));
  }
  responder.stop();
  await redis?.stop();
  const herald = `Herald ${perSecondText(median(rates.herald))}`;
  return [
    {
      work: 'durable send / bare dispatch',
      goal: '≥ 0.5',
      figures: ratios(rates.herald, rates.bare),
      note: `${herald}, bare ${perSecondText(median(rates.bare))}`,
    },
    {
      work: 'durable send / BullMQ, its log written every second',
      goal: '≥ 2.5',
      figures: ratios(rates.herald, rates.queue).slice(0, rates.queue.length),
      note: redis
        ? `${herald}, BullMQ ${perSecondText(median(rates.queue))}`
        : 'not measured: there is no redis-server here',
    },
    {
      work: 'bulk SMS, 100 a request / no journal',
      goal: '≥ 0.2',
      figures: ratios(rates.heraldSms, rates.bareSms),
      note: `Herald ${perSecondText(median(rates.heraldSms))}, bare ${perSecondText(median(rates.bareSms))}`,
    },
  ];
}
