import { LATE, within } from './core/within.ts';
import type { ClosableGateway } from './gateway/gateway.ts';
import type { Check } from './http/health.ts';
import type { Outcome } from './sends/outcome.ts';
import type { RefusedPosts } from './sends/refused-posts.ts';
import type { SlackApp } from './slack/app.ts';
import type { HeraldStatus, PartStatus } from './slack/herald-command.ts';
import { versionInWords } from './version.ts';
import type { Foundation } from './wiring/connections.ts';

export const KEY_REMEDY =
  'Whoever runs Herald has the key and its rights checked, puts a good one into MESSAGING_API_KEY and restarts Herald; then paused sends can be resumed.';

const DAY_MS = 24 * 60 * 60_000;
const TRY_EVERY_MS = 5_000;
/** A load balancer gives up on `/readyz` after some seconds. */
const WRITE_WITHIN_MS = 2_000;
const TAKES_NO_WRITES: PartStatus = {
  ok: false,
  detail:
    'The database takes no writes, or does not answer. Look at it and its disk; doctor and Herald’s log say more.',
};

interface StatusDependencies extends Pick<Foundation, 'stores' | 'storeTrouble' | 'clock'> {
  readonly slack: Pick<SlackApp, 'health'>;
  readonly gateway: Pick<ClosableGateway, 'health'>;
  readonly refusedPosts: RefusedPosts;
  /** What is known of the account at the messaging service, in words. */
  readonly account: () => Promise<string | undefined>;
}

/** Knows how the parts of Herald are: for `/herald status` and for `/readyz`. */
export function createStatusSource(dependencies: StatusDependencies) {
  const { stores, clock, slack, gateway, refusedPosts, account } = dependencies;
  const startedAt = clock.now();
  const storeStatus = createStoreStatus(dependencies);
  const serviceStatus = () => serviceStatusOf(gateway.health(), clock.now());

  return {
    read: async (): Promise<HeraldStatus> => {
      const today = await stores.sends.outcomesSince(clock.now() - DAY_MS).catch(() => undefined);
      const setAside = await stores.inputs.setAsideCounts().catch(() => []);
      return {
        version: versionInWords(),
        startedAt,
        slack: slack.health(),
        store: await storeStatus(),
        service: serviceStatus(),
        account: await account(),
        notShown: refusedPosts.latest(),
        setAside: setAside.reduce((sum, { count }) => sum + count, 0),
        ...(today === undefined ? {} : { today }),
      };
    },
    /** For `/readyz`. What the messaging service says is advice: Herald is ready to say that it is down. */
    checks: [
      { name: 'store', check: storeStatus },
      {
        name: 'slack',
        check: () => {
          const { ready: ok, problem: detail } = slack.health();
          return { ok, detail };
        },
      },
      {
        name: 'messaging service',
        isAdvice: true,
        check: () => (gateway.health().keyRefusal === undefined ? { ok: true } : serviceStatus()),
      },
    ] satisfies Check[],
  };
}

/** A full disk and a database that somebody holds are seen by writing only; once for all who ask within some seconds. */
function createStoreStatus({ stores, storeTrouble, clock }: StatusDependencies): () => Promise<PartStatus> {
  let tried: { readonly at: number; readonly status: Promise<PartStatus> } | undefined;

  async function tryToWrite(): Promise<PartStatus> {
    const written = await within(stores.sends.tryWrite(), WRITE_WITHIN_MS, clock).catch(() => LATE);
    return written === LATE ? TAKES_NO_WRITES : { ok: true, detail: 'open' };
  }

  return async () => {
    if (storeTrouble.since() !== undefined) return TAKES_NO_WRITES;
    const now = clock.monotonic();
    if (tried === undefined || now - tried.at >= TRY_EVERY_MS) tried = { at: now, status: tryToWrite() };
    return tried.status;
  };
}

function serviceStatusOf(
  { keyRefusal, latest }: ReturnType<ClosableGateway['health']>,
  now: number,
): PartStatus {
  if (keyRefusal !== undefined) {
    const { status, since } = keyRefusal;
    const what = `The service refuses Herald’s API key (HTTP ${status}), first ${ago(since, now)}, and nothing can be sent.`;
    return { ok: false, detail: `${what} ${KEY_REMEDY}` };
  }
  if (latest === undefined) return { ok: true, detail: 'nothing sent since Herald started' };
  const when = ago(latest.at, now);
  const failed = FAILED[latest.state];
  return failed === undefined
    ? { ok: true, detail: `answered ${when}` }
    : { ok: false, detail: `the last request, ${when}, ended ${failed}` };
}

function ago(at: number, now: number): string {
  const minutes = Math.round((now - at) / 60_000);
  return minutes < 1 ? 'just now' : `${minutes} min ago`;
}

/** An answer that is no is one, too. */
const FAILED: Partial<Readonly<Record<Outcome['state'], string>>> = {
  not_sent: 'before it could be sent',
  unknown: 'without a clear answer',
};
