import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Carrier, startCarrier } from './carrier/server.ts';
import { heraldEnvironment, type Mode, SANDBOX_CREDENTIALS } from './herald-environment.ts';
import { HeraldProcess } from './herald-process.ts';
import type { Reports, Weather } from './protocol.ts';
import type { WorkspaceClock } from './slack/clock.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from './slack/server.ts';
import { type Registered, registeredIn } from './team-configuration.ts';
import { Watch } from './watch.ts';

export interface StackOptions {
  readonly mode: Mode;
  /** 0 picks a free one; Herald's must be known before it starts. */
  readonly ports: { readonly workspace: number; readonly carrier: number; readonly herald: number };
  /** Where Herald's database is, and the workspace's history when `keepHistory`. */
  readonly dataDir: string;
  readonly keepHistory?: boolean;
  /** What the carrier tells of messages, until it is set anew; default never. */
  readonly reports?: Reports;
  /** What the carrier's answers and reports are like; default calm. */
  readonly weather?: Weather | undefined;
  /** Path of the team's `herald.yml`. */
  readonly configurationFile: string;
  /** What the carrier knows to be registered; by default what the team's file says. */
  readonly registered?: Registered;
  /** What time it is to the carrier; by default the machine's. The workspace has its own, among `others`. */
  readonly clock?: WorkspaceClock;
  /** The organisation of the workspace, who else is there, and how patient and strict it is. */
  readonly others?: Pick<
    WorkspaceOptions,
    | 'organisation'
    | 'withOthers'
    | 'rateLimits'
    | 'clock'
    | 'ackTimeoutMs'
    | 'triggerLifetimeMs'
    | 'pingIntervalMs'
  >;
  onLine(line: string): void;
}

/** Keys laid over the sandbox's environment; `undefined` takes one away. */
export type EnvironmentChanges = Readonly<Record<string, string | undefined>>;

/** A Slack workspace and a carrier in this process, and Herald as a process of its own. */
export interface Stack {
  readonly workspace: Workspace;
  readonly carrier: Carrier;
  readonly watch: Watch;
  readonly heraldUrl: string;
  /** Starts a Herald over the same data; the caller waits for `ready()`. `onLine` hears of this one alone. */
  startHerald(
    changes?: EnvironmentChanges,
    command?: readonly string[],
    onLine?: (line: string) => void,
  ): HeraldProcess;
  /** Stops the servers; Herald is its caller's to stop. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const UI_DIR = fileURLToPath(new URL('./ui', import.meta.url));
const MANIFEST = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** Phones the page shows from the start; any other number gets one with its first message. */
const PHONES = [
  { number: '+6591234567', name: 'Mei' },
  { number: '+919812345678', name: 'Arun' },
];

/** Rejects when a port is taken (Node's `EADDRINUSE`) or the team's file cannot be read. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { mode, ports, dataDir } = options;
  const heraldUrl = `http://${HOST}:${ports.herald}`;
  await mkdir(dataDir, { recursive: true });
  const registered = options.registered ?? registeredIn(await readFile(options.configurationFile, 'utf8'));
  const carrier = await startCarrier({
    port: ports.carrier,
    host: HOST,
    apiKey: SANDBOX_CREDENTIALS.apiKey,
    webhookUrl: `${heraldUrl}/webhooks/messaging/${SANDBOX_CREDENTIALS.webhookToken}`,
    ...registered,
    ...(options.reports ? { reports: options.reports } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.weather ? { weather: options.weather } : {}),
    ...(options.keepHistory ? { phonesFile: join(dataDir, 'phones.json') } : {}),
  });
  const workspace = await startWorkspaceFor(options, heraldUrl, carrier).catch(async (error: unknown) => {
    await carrier.close();
    throw error;
  });

  return {
    workspace,
    carrier,
    heraldUrl,
    watch: new Watch([
      (listener) => workspace.subscribe(listener),
      (listener) => carrier.subscribe(listener),
    ]),
    startHerald: (changes = {}, command = [], onLine = () => {}) => {
      const environment = heraldEnvironment({
        mode,
        slackApiUrl: workspace.apiUrl,
        carrierUrl: carrier.url,
        host: HOST,
        port: ports.herald,
        databaseFile: join(dataDir, 'herald.db'),
        configurationFile: options.configurationFile,
      });
      return new HeraldProcess({
        environment: overlay(environment, changes),
        url: heraldUrl,
        command,
        onLine: (line) => {
          options.onLine(line);
          onLine(line);
        },
      });
    },
    close: async () => {
      await Promise.all([workspace.close(), carrier.close()]);
    },
  };
}

function startWorkspaceFor(options: StackOptions, heraldUrl: string, carrier: Carrier): Promise<Workspace> {
  const { botToken, appToken, signingSecret } = SANDBOX_CREDENTIALS;
  return startWorkspace({
    port: options.ports.workspace,
    host: HOST,
    ...(options.keepHistory ? { dataDir: join(options.dataDir, 'workspace') } : {}),
    botToken,
    appToken,
    delivery:
      options.mode === 'socket'
        ? { mode: 'socket' }
        : { mode: 'http', url: `${heraldUrl}/slack/events`, signingSecret },
    carrierUrl: carrier.url,
    phones: PHONES,
    uiDir: UI_DIR,
    manifestPath: MANIFEST,
    ...options.others,
  });
}

function overlay(environment: Record<string, string>, changes: EnvironmentChanges): Record<string, string> {
  const changed = Object.entries({ ...environment, ...changes });
  return Object.fromEntries(changed.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
