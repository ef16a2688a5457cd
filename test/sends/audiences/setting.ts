import { createAudiences } from '../../../src/sends/audiences/service.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createCountingRandom } from '../../fakes/random.ts';
import { openMemoryStores } from '../../fakes/stores.ts';

/* Lists as they are taken in and written out, on a database in memory. */

export function setting() {
  const store = openMemoryStores().audiences;
  const logger = createRecordingLogger();
  const random = createCountingRandom();
  return {
    store,
    logger,
    audiences: createAudiences({ store, clock: createManualClock(), random, logger, defaultCountry: 'IN' }),
  };
}

/** A file in pieces that do not care where lines or characters end. */
export async function* pieces(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export const upload = (content: string | Uint8Array, more: { numberColumn?: string; size?: number } = {}) => {
  const { audiences, store } = setting();
  const { size, ...rest } = more;
  return audiences
    .fromFile({ name: 'list.csv', bytes: pieces(content, size), by: 'U0ASHA', ...rest })
    .then((result) => ({ result, audiences, store }));
};

export async function taken(
  content: string | Uint8Array,
  more: { numberColumn?: string; size?: number } = {},
) {
  const { result, audiences, store } = await upload(content, more);
  if (result.state !== 'ready') throw new Error(`not taken: ${JSON.stringify(result)}`);
  return {
    audience: result.audience,
    rows: await audiences.sample(result.audience.id, 1_000),
    audiences,
    store,
  };
}

export async function text(lines: AsyncIterable<string> | readonly string[]): Promise<string> {
  let all = '';
  for await (const part of lines) all += part;
  return all;
}
