import type { Clock } from '../core/clock.ts';
import { createExpiringMap } from '../core/expiring-map.ts';
import { answerJson, type Handler } from './server.ts';

/** Whoever asks for the metrics all the time, down one connection, must not keep the event loop from anybody else. */
const METRICS_KEPT_MS = 1_000;

/** A check of readiness; where it is not well, `detail` is a sentence for the operator. */
export interface Check {
  readonly name: string;
  /** Reported without making Herald unready, because other replicas would have the same problem. */
  readonly isAdvice?: boolean;
  check(): Promise<Outcome> | Outcome;
}
interface Outcome {
  readonly ok: boolean;
  readonly detail?: string | undefined;
}
const FAILED: Outcome = { ok: false, detail: 'This check failed.' };

/** `GET /healthz`: the process is alive and its event loop turns. */
export const answerHealth: Handler = async (_request, response) => {
  answerJson(response, 200, { status: 'alive' });
};

/** Looks whether Herald is ready: it is when every check passes that is no mere advice. Who asks meanwhile gets the same. */
export function createReadiness(checks: readonly Check[]) {
  const look = async () => {
    const results = await Promise.all(
      checks.map(async (check) => {
        const { ok, detail: problem } = await Promise.try(() => check.check()).catch(() => FAILED);
        return { name: check.name, ok, ...(!ok && { problem }) };
      }),
    );
    return { isReady: results.every(({ ok }, at) => ok || checks[at]?.isAdvice), checks: results };
  };
  let looking: ReturnType<typeof look> | undefined;
  return () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}

/** `GET /readyz`: 200 when Herald is ready, else 503; in both cases with what is wrong. */
export function answerReadiness(readiness: ReturnType<typeof createReadiness>): Handler {
  return async (_request, response) => {
    const { isReady, checks } = await readiness();
    answerJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
  };
}

/** `GET /metrics`, in Prometheus' text format; at most a second old. */
export function answerMetrics(
  metrics: { render(): Promise<string>; readonly contentType: string },
  clock: Clock,
): Handler {
  const rendered = createExpiringMap<Promise<string>>(METRICS_KEPT_MS, 1, clock);
  return async (_request, response) => {
    const kept = rendered.get('');
    const rendering = kept ?? metrics.render();
    if (kept === undefined) rendered.set('', rendering);
    const text = await rendering;
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
    response.end(text);
  };
}
