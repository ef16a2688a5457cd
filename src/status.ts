import type { Clock } from './core/clock.ts';
import type { ClosableGateway, KeyRefusal } from './gateway/gateway.ts';
import type { Check } from './http/health.ts';
import type { Outcome } from './sends/outcome.ts';
import type { SendReader } from './sends/ports.ts';
import type { PostStore } from './sends/posts.ts';
import type { RefusedPosts } from './sends/refused-posts.ts';
import type { InputAttempts } from './sends/set-aside.ts';
import type { StoreTrouble } from './sends/store-trouble.ts';
import type { SlackApp } from './slack/app.ts';
import type { PartStatus, StatusSource } from './slack/herald-command.ts';
import { versionInWords } from './version.ts';

export const KEY_REMEDY =
  'Whoever runs Herald has the key and its rights checked, puts a good one into MESSAGING_API_KEY and restarts Herald; then paused sends can be resumed.';

const DAY_MS = 24 * 60 * 60_000;

export interface Status extends StatusSource {
  /** For `/readyz`. What the messaging service says is advice: Herald is ready to say that it is down. */
  readonly checks: readonly Check[];
}

interface StatusDependencies {
  readonly stores: {
    readonly sends: Pick<SendReader, 'outcomesSince'>;
    readonly posts: Pick<PostStore, 'waiting'>;
    readonly inputs: Pick<InputAttempts, 'setAsideCounts'>;
  };
  readonly storeTrouble: Pick<StoreTrouble, 'since'>;
  readonly clock: Clock;
  readonly slack: Pick<SlackApp, 'health'>;
  readonly gateway: Pick<ClosableGateway, 'health'>;
  readonly refusedPosts: RefusedPosts;
}

/** Knows how the parts of Herald are: for `/herald status` and for `/readyz`. */
export function createStatusSource({
  stores: { sends: store, inputs, posts },
  storeTrouble,
  clock,
  slack,
  gateway,
  refusedPosts,
}: StatusDependencies): Status {
  const startedAt = clock.now();

  /** A full disk is no reason for `/readyz` to keep people away: Herald tells them that nothing was sent. */
  async function storeStatus(): Promise<PartStatus> {
    return storeTrouble.since() === undefined
      ? await storeAnswers()
      : { ok: false, detail: 'The database takes no writes; see Herald’s log, and look at it and its disk.' };
  }

  async function storeAnswers(): Promise<PartStatus> {
    try {
      await posts.waiting();
      return { ok: true, detail: 'open' };
    } catch {
      return { ok: false, detail: 'The database does not answer; see Herald’s log.' };
    }
  }

  function serviceStatus(): PartStatus {
    const { keyRefusal, latest } = gateway.health();
    if (keyRefusal !== undefined) return { ok: false, detail: keyRefused(keyRefusal, clock.now()) };
    if (latest === undefined) return { ok: true, detail: 'nothing sent since Herald started' };
    const when = ago(latest.at, clock.now());
    const failed = FAILED[latest.state];
    return failed === undefined
      ? { ok: true, detail: `answered ${when}` }
      : { ok: false, detail: `the last request, ${when}, ended ${failed}` };
  }

  return {
    read: async () => {
      const today = await store.outcomesSince(clock.now() - DAY_MS).catch(() => undefined);
      const setAside = await inputs.setAsideCounts().catch(() => []);
      return {
        version: versionInWords(),
        startedAt,
        slack: slack.health(),
        store: await storeStatus(),
        service: serviceStatus(),
        untold: refusedPosts.latest(),
        setAside: setAside.reduce((sum, { count }) => sum + count, 0),
        ...(today === undefined ? {} : { today }),
      };
    },
    checks: [
      { name: 'store', check: async () => asCheck(await storeAnswers()) },
      {
        name: 'slack',
        check: async () => {
          const { ready: ok, problem } = slack.health();
          return { ok, ...(problem && { problem }) };
        },
      },
      {
        name: 'messaging service',
        isAdvice: true,
        check: async () =>
          gateway.health().keyRefusal === undefined ? { ok: true } : asCheck(serviceStatus()),
      },
    ],
  };
}

function asCheck({ ok, detail }: PartStatus) {
  return { ok, ...(!ok && { problem: detail }) };
}

function keyRefused({ status, since }: KeyRefusal, now: number): string {
  return (
    `The service refuses Herald’s API key (HTTP ${status}), first ${ago(since, now)}, and nothing can be sent. ` +
    KEY_REMEDY
  );
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
