import { LATE, within } from '../core/within.ts';
import { backupsOf, freeBytes } from '../store/check.ts';
import type { WorkFigures } from '../telemetry/work-metrics.ts';
import type { WiredHerald } from '../wiring.ts';

const MONTH_MS = 30 * 24 * 60 * 60_000;
/** Whoever collects metrics gives up after some seconds; then the rest of them is lost, too. */
const LONGEST_MS = 2_000;

/** Reads what the metrics say of what there is to do, and of what Herald stands on. */
export function readWorkFigures(
  herald: Pick<WiredHerald, 'stores' | 'clock' | 'dispatcher' | 'slack' | 'readiness' | 'configuration'>,
): () => Promise<WorkFigures> {
  const { stores, clock, dispatcher, slack, readiness, configuration } = herald;
  const { DATABASE_URL } = configuration.environment;
  const backups = backupsOf(DATABASE_URL, configuration.team.backup);
  const startedAt = clock.now();
  return async () => {
    const now = clock.now();
    const asked = stores.sends.workload(now - MONTH_MS).catch(() => undefined);
    const [work, looked] = await Promise.all([
      within(asked, LONGEST_MS, clock),
      within(readiness(), LONGEST_MS, clock),
    ]);
    const { ready: isSlackConnected, isRefused = false } = slack.health();
    const diskFreeBytes = freeBytes(DATABASE_URL);
    return {
      ...(typeof work === 'object' && { work }),
      channels: dispatcher
        .channels()
        .map(({ openSince, ...of }) => ({ ...of, isOpen: openSince !== undefined })),
      ...(stores.figures && { database: stores.figures() }),
      bytes: stores.bytes?.() ?? {},
      isReady: looked !== LATE && looked.isReady,
      isSlackConnected,
      isSlackRefused: isRefused,
      replicas: stores.lease.replicas(),
      ...(backups && { backupAt: backups.latest(now) ?? startedAt }),
      ...(diskFreeBytes !== undefined && { diskFreeBytes }),
      now,
    };
  };
}
