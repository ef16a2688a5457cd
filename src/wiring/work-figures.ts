import { within } from '../core/within.ts';
import type { Dispatcher } from '../sends/dispatch/dispatcher.ts';
import type { WorkFigures } from '../telemetry/work-metrics.ts';
import type { Foundation } from './foundation.ts';

const MONTH_MS = 30 * 24 * 60 * 60_000;
/** Whoever collects metrics gives up after some seconds; then the rest of them is lost, too. */
const LONGEST_MS = 2_000;

/** Reads what the metrics say of what there is to do. */
export function readWorkFigures(
  { stores, clock }: Pick<Foundation, 'stores' | 'clock'>,
  dispatcher: Pick<Dispatcher, 'channels'>,
): () => Promise<WorkFigures> {
  return async () => {
    const now = clock.now();
    const asked = stores.sends.workload(now - MONTH_MS).catch(() => undefined);
    const work = await within(asked, LONGEST_MS, clock);
    return {
      ...(typeof work === 'object' && { work }),
      channels: dispatcher
        .channels()
        .map(({ openSince, ...of }) => ({ ...of, isOpen: openSince !== undefined })),
      bytes: stores.bytes?.() ?? {},
      now,
    };
  };
}
