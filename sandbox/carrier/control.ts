import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type {
  CarrierEvent,
  CarrierFault,
  CarrierState,
  CustomerReply,
  Reports,
  Weather,
} from '../protocol.ts';
import { type Answer, json } from './answers.ts';
import { send } from './perform.ts';
import { readBody } from './read-body.ts';
import { type ReplyResult, replySchema } from './replies.ts';
import { SENTINELS } from './sentinels.ts';

/** What the page and the tests may ask of the carrier besides the service's own endpoints. */
export interface Controls {
  state(): CarrierState;
  setFaults(faults: readonly CarrierFault[]): void;
  setReports(reports: Reports): void;
  setWeather(weather: Weather | undefined): void;
  reset(): void;
  dismiss(number: string, id: string): boolean;
  reply(wish: CustomerReply): Promise<ReplyResult>;
  subscribe(listener: (event: CarrierEvent) => void): () => void;
}

const status = z.int().min(200).max(599);
const faultSchema: z.ZodType<CarrierFault> = z.strictObject({
  number: z.string().exactOptional(),
  times: z.int().positive().exactOptional(),
  every: z.int().positive().exactOptional(),
  until: z.int().positive().exactOptional(),
  do: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('code'),
      code: z.int(),
      httpStatus: status.exactOptional(),
      shape: z.enum(['code', 'error.code', 'errors[0].code', 'errorCode', 'status.code']).exactOptional(),
      asString: z.boolean().exactOptional(),
    }),
    z.strictObject({
      type: z.literal('status'),
      status,
      retryAfterSeconds: z.int().nonnegative().exactOptional(),
      body: z.string().exactOptional(),
    }),
    z.strictObject({ type: z.literal('delay'), ms: z.int().nonnegative() }),
    z.strictObject({ type: z.literal('redirect'), location: z.string() }),
    ...(['reset_before_answer', 'reset_mid_answer', 'hang', 'html', 'empty', 'huge', 'garbage'] as const).map(
      (type) => z.strictObject({ type: z.literal(type) }),
    ),
  ]),
});
const faultsSchema = z.array(faultSchema);
const reportsSchema = z.strictObject({ reports: z.enum(['soon', 'late', 'failed', 'never']) });
const weatherSchema = z.strictObject({
  weather: z
    .strictObject({ seed: z.int(), refusedPercent: z.number().min(0).max(100).exactOptional() })
    .nullable(),
});
const dismissSchema = z.strictObject({ number: z.string(), id: z.string() });

/** Answers `/carrier/*`; false when the path is not one of these. */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  controls: Controls,
): Promise<boolean> {
  if (!path.startsWith('/carrier/')) return false;
  if (!isLocalOrigin(request.headers.origin)) {
    send(response, json(403, { error: 'Only the sandbox page may ask this.' }, 'foreign origin'));
    return true;
  }
  allowPage(request, response);
  if (request.method === 'OPTIONS') {
    send(response, { status: 204, headers: {}, body: '', note: 'preflight' });
  } else if (request.method === 'GET' && path === '/carrier/events') {
    streamEvents(response, controls);
  } else {
    send(response, await controlAnswer(request, path, controls));
  }
  return true;
}

async function controlAnswer(request: IncomingMessage, path: string, controls: Controls): Promise<Answer> {
  switch (`${request.method} ${path}`) {
    case 'GET /carrier/state':
      return json(200, controls.state(), 'state');
    case 'GET /carrier/faults':
      return json(200, controls.state().faults, 'faults');
    case 'GET /carrier/sentinels':
      return json(200, SENTINELS, 'sentinels');
    case 'POST /carrier/faults': {
      const parsed = await parseBody(request, faultsSchema);
      if (!parsed.success) return invalid(parsed.error);
      controls.setFaults(parsed.data);
      return json(200, controls.state().faults, 'faults');
    }
    case 'POST /carrier/reports': {
      const parsed = await parseBody(request, reportsSchema);
      if (!parsed.success) return invalid(parsed.error);
      controls.setReports(parsed.data.reports);
      return json(200, { ok: true }, 'reports');
    }
    case 'POST /carrier/weather': {
      const parsed = await parseBody(request, weatherSchema);
      if (!parsed.success) return invalid(parsed.error);
      controls.setWeather(parsed.data.weather ?? undefined);
      return json(200, { ok: true }, 'weather');
    }
    case 'POST /carrier/reset':
      controls.reset();
      return json(200, { ok: true }, 'reset');
    case 'POST /carrier/reply': {
      const parsed = await parseBody(request, replySchema);
      if (!parsed.success) return invalid(parsed.error);
      const result = await controls.reply(parsed.data);
      return json(result.ok ? 200 : 502, result, 'reply');
    }
    case 'POST /carrier/dismiss': {
      const parsed = await parseBody(request, dismissSchema);
      if (!parsed.success) return invalid(parsed.error);
      const dismissed = controls.dismiss(parsed.data.number, parsed.data.id);
      return json(dismissed ? 200 : 404, { ok: dismissed }, 'dismiss');
    }
    default:
      return json(404, { error: 'No such control.' }, 'unknown control');
  }
}

async function parseBody<Output>(request: IncomingMessage, schema: z.ZodType<Output>) {
  const body = await readBody(request);
  return schema.safeParse(body.ok ? body.value : undefined);
}

function invalid(error: z.ZodError): Answer {
  return json(400, { error: z.prettifyError(error) }, 'invalid control');
}

/** Sends the state as it is, then each event as it happens, until the page goes away. */
function streamEvents(response: ServerResponse, controls: Controls): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const write = (event: CarrierEvent): void => {
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  write({ type: 'snapshot', state: controls.state() });
  const unsubscribe = controls.subscribe(write);
  response.once('close', unsubscribe);
}

/** Another site open in the same browser must not read the phones: only pages served by this machine may. */
function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}

function allowPage(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader('access-control-allow-headers', 'content-type');
  response.setHeader('vary', 'origin');
}
