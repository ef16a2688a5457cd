import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CarrierEvent,
  CarrierFault,
  CarrierState,
  CustomerReply,
  Reports,
  Weather,
} from '../protocol.ts';
import { answerControl } from './control.ts';
import { FaultPlan } from './faults.ts';
import { Journal } from './journal.ts';
import { PhoneFile } from './phone-file.ts';
import type { RegisteredTemplate } from './registered-templates.ts';
import { createRegistry, type RegisteredSenders } from './registry.ts';
import { type ReplyResult, reply, tellReports } from './replies.ts';
import type { Report } from './report.ts';
import { type After, ReportPlan } from './reports.ts';
import { answerService, hashKey, type ServiceParts } from './service.ts';
import { Forecast } from './weather.ts';

export interface CarrierOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host?: string;
  /** The one value of the `apikey` header that is let in. Kept as a hash only. */
  readonly apiKey: string;
  /** Templates that the service has approved; absent: any well-formed name is good. */
  readonly templates?: readonly RegisteredTemplate[];
  readonly senders?: RegisteredSenders;
  /** How many requests the log holds; default 5000. */
  readonly keepRequests?: number;
  /** Where Herald takes webhooks: what customers answer is posted there. */
  readonly webhookUrl?: string;
  /** What the network tells of messages, until it is set anew; default never. */
  readonly reports?: Reports;
  /** Keeps the phones' inboxes over a restart; absent: in memory only. The log of requests is never kept. */
  readonly phonesFile?: string;
  /** What answers and reports are like, until it is set anew; default calm. */
  readonly weather?: Weather;
  readonly clock?: { now(): number; after?: After };
}

export interface Carrier {
  /** `http://127.0.0.1:<port>`, both {base_url} and {flash_url}. */
  readonly url: string;
  state(): CarrierState;
  setFaults(faults: readonly CarrierFault[]): void;
  setReports(reports: Reports): void;
  /** From now on; undefined is calm. */
  setWeather(weather: Weather | undefined): void;
  /** Forgets requests, messages and faults. */
  reset(): void;
  /** What a customer does on a phone, told to Herald. */
  reply(wish: CustomerReply): Promise<ReplyResult>;
  subscribe(listener: (event: CarrierEvent) => void): () => void;
  close(): Promise<void>;
}

const KEEP_REQUESTS = 5_000;

/**
 * Starts a messaging service in a box: all endpoints of the interface document on one port, strict about each
 * rule it states, with phones that get what was accepted and failures that can be chosen (`setFaults`, or the
 * sentinel numbers of sentinels.ts).
 *
 * Whatever a fault does to the answer, a message that the carrier took (reset, hang, garbage, HTML) is on the
 * phone: that is what makes such an outcome unknown to the caller. A refused one (code, 4xx, 5xx, redirect) is not.
 *
 * Rejects when the port is taken or forbidden (Node's `EADDRINUSE`, `EACCES`).
 */
export async function startCarrier(options: CarrierOptions): Promise<Carrier> {
  const host = options.host ?? '127.0.0.1';
  const { clock, webhookUrl } = options;
  const now = clock ? () => clock.now() : () => Date.now();
  const journal = new Journal(options.keepRequests ?? KEEP_REQUESTS);
  const after: After = clock?.after ?? ((ms, run) => setTimeout(run, ms).unref());
  const tell = async (due: readonly Report[]) => {
    journal.report(due);
    if (webhookUrl !== undefined) await tellReports(webhookUrl, due, now());
  };
  const reports = new ReportPlan(options.reports ?? 'never', tell, after);
  const faults: FaultPlan = new FaultPlan(now, () =>
    journal.planned({ faults: faults.list(), reports: reports.reports }),
  );
  const registry = createRegistry(options.templates, options.senders);
  const keyHash = hashKey(options.apiKey);
  const parts: ServiceParts = {
    registry,
    journal,
    faults,
    reports,
    keyHash,
    now,
    after,
    forecast: undefined,
  };
  const controls = controlsOf(parts, webhookUrl);
  controls.setWeather(options.weather);
  const phoneFile = await keepPhones(options.phonesFile, parts.journal);

  const server = createServer((request, response) => {
    const path = pathOf(request.url);
    const answered = answerControl(request, response, path, controls).then((handled) =>
      handled ? undefined : answerService(request, response, path, parts),
    );
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

  const { port } = server.address() as AddressInfo;
  return {
    ...controls,
    url: `http://${host}:${port}`,
    close: async () => {
      reports.forget();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await phoneFile?.flush();
    },
  };
}

async function keepPhones(path: string | undefined, journal: Journal): Promise<PhoneFile | undefined> {
  if (path === undefined) return undefined;
  const file = new PhoneFile(path, () => journal.phones());
  journal.restore(await file.read());
  journal.subscribe((event) => {
    if (event.type !== 'request' && event.type !== 'plan') file.save();
  });
  return file;
}

function controlsOf(parts: ServiceParts, webhookUrl: string | undefined) {
  const { journal, faults, reports, now } = parts;
  const plan = () => ({ faults: faults.list(), reports: reports.reports });
  return {
    state: () => journal.state(plan()),
    setFaults: (list: readonly CarrierFault[]) => faults.replace(list),
    setReports: (wish: Reports) => {
      reports.set(wish);
      journal.planned(plan());
    },
    setWeather: (weather: Weather | undefined) => {
      parts.forecast = weather === undefined ? undefined : new Forecast(weather);
      reports.setForecast(parts.forecast);
    },
    reset: () => {
      faults.forget();
      reports.forget();
      journal.reset();
    },
    subscribe: (listener: (event: CarrierEvent) => void) => journal.subscribe(listener),
    reply: (wish: CustomerReply) => reply(wish, { journal, webhookUrl, now }),
    dismiss: (number: string, id: string) => journal.dismiss(number, id),
  };
}

function pathOf(url: string | undefined): string {
  return URL.canParse(url ?? '', 'http://carrier') ? new URL(url ?? '', 'http://carrier').pathname : '/';
}
