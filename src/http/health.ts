import { answerJson, type Handler } from './routes.ts';

/** A check of readiness; `problem` is a sentence for the operator. */
export interface Check {
  readonly name: string;
  /** Reported without making Herald unready, because other replicas would have the same problem. */
  readonly isAdvice?: boolean;
  check(): Promise<{ readonly ok: boolean; readonly problem?: string }>;
}

/** `GET /healthz`: the process is alive and its event loop turns. */
export const answerHealth: Handler = async (_request, response) => {
  answerJson(response, 200, { status: 'alive' });
};

/** `GET /readyz`: 200 when every check passes that is no mere advice, else 503; in both cases with what is wrong. */
export function answerReadiness(checks: readonly Check[]): Handler {
  return async (_request, response) => {
    const results = await Promise.all(
      checks.map(async (check) => ({ name: check.name, ...(await outcomeOf(check)) })),
    );
    const ready = results.every(({ ok }, at) => ok || checks[at]?.isAdvice);
    answerJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks: results });
  };
}

async function outcomeOf({ check }: Check): ReturnType<Check['check']> {
  try {
    return await check();
  } catch {
    return { ok: false, problem: 'This check failed.' };
  }
}

/** `GET /metrics`, in Prometheus' text format. */
export function answerMetrics(metrics: { render(): Promise<string>; readonly contentType: string }): Handler {
  return async (_request, response) => {
    const text = await metrics.render();
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
    response.end(text);
  };
}
