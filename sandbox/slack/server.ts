import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Act, ActResult, Bootstrap, Faults, PageEvent, WorkspaceSnapshot } from '../protocol.ts';
import { performAct } from './acts/act.ts';
import { systemClock, type WorkspaceClock } from './clock.ts';
import { AppDelivery, type DeliveryMode } from './delivery.ts';
import type { DeliveryResult } from './delivery-request.ts';
import { AppEvents } from './events.ts';
import { FaultList } from './faults.ts';
import { Files } from './files.ts';
import { TimestampSource } from './identifiers.ts';
import { NO_MANIFEST, readManifest } from './manifest.ts';
import { Messages } from './messages.ts';
import type { WorkspaceParts } from './parts.ts';
import { WorkspaceDisk } from './persistence.ts';
import { RateLimits } from './rate-limits.ts';
import { ResponseUrls } from './response-urls.ts';
import { answerRequest } from './routes.ts';
import { APP, DEFAULT_USER_ID, type Organisation, seedWorkspace, TEAM } from './seed.ts';
import { SocketMode } from './socket-mode.ts';
import { WorkspaceState } from './state.ts';
import { TriggerIds } from './trigger-ids.ts';
import { Views } from './views.ts';
import type { ApiCall } from './web-api/index.ts';

export interface WorkspaceOptions {
  /** 0 picks a free one. */
  port: number;
  host?: '127.0.0.1';
  /** Folder that keeps messages, files and Home tabs over a restart; absent: memory only. */
  dataDir?: string;
  /** The app's tokens; any other is `invalid_auth`. */
  botToken: string;
  appToken: string;
  delivery: DeliveryMode;
  /** The carrier's origin, for the page. */
  carrierUrl: string;
  /** Numbers (E.164) whose phones the page shows from the start. */
  phones: Bootstrap['phones'];
  /** Folder of the page; absent: no page is served. */
  uiDir?: string;
  /** The app's manifest: its commands, shortcuts, scopes and events. Absent: none, and everything is granted. */
  manifestPath?: string;
  clock?: WorkspaceClock;
  /** The organisation that the workspace is one of several of; absent: it stands alone. */
  organisation?: Organisation;
  /** People of other workspaces are there as well: Noor (U0NOOR), Lena (U0LENA), and the shared channel C0SHARED. */
  withOthers?: boolean;
  /** Whether calls are counted and refused as Slack does; a test that hammers for another reason turns it off. */
  rateLimits?: boolean;
  /** How long the app has to acknowledge, in milliseconds: Slack's three seconds unless a test hurries. */
  ackTimeoutMs?: number;
  /** How long a click may open a view: three seconds, unless a test has a clock of its own. */
  triggerLifetimeMs?: number;
  /** How often an open socket is pinged: each ten seconds, unless a test has a clock of its own. */
  pingIntervalMs?: number;
}

/** A running workspace. */
export interface Workspace {
  /** The page, for a person: http://localhost:<port>/ */
  readonly url: string;
  /** http://127.0.0.1:<port> */
  readonly origin: string;
  /** What the app takes for Slack: `<origin>/api/` */
  readonly apiUrl: string;
  /** Does what Slack's client would do on a person's behalf. */
  act(act: Act): Promise<ActResult>;
  snapshot(): WorkspaceSnapshot;
  /** Hears of every change; the answer ends the subscription. */
  subscribe(listener: (event: PageEvent) => void): () => void;
  /**
   * Waits until `probe` finds what it looks for, looking now and after each change.
   * Rejects after `timeoutMs` (5,000 by default) with what was there instead.
   */
  waitFor<Found>(
    probe: (snapshot: WorkspaceSnapshot) => Found | undefined | null | false,
    timeoutMs?: number,
  ): Promise<Found>;
  /** The Web API calls so far, oldest first, without their tokens; the newest 10,000 are kept. */
  apiCalls(): readonly ApiCall[];
  setFaults(faults: Faults): void;
  /** Makes exactly these people the members of a user group, as an administrator would. */
  setUserGroup(id: string, userIds: readonly string[]): void;
  setDelivery(delivery: DeliveryMode): void;
  /** Turns Socket Mode off or on, as somebody does in the app's settings. */
  setSocketMode(isOn: boolean): void;
  /** Tells the app that Slack drops events because there are too many; resolves with how it took that. */
  tellRateLimited(): Promise<DeliveryResult>;
  /** Asks the request URL whether it is the app's, as Slack does when somebody enters it in the app's settings. */
  verifyRequestUrl(): Promise<DeliveryResult>;
  /** A person deletes a file that they had uploaded. */
  deleteFile(fileId: string): void;
  /** A person puts another content in the place of a file that they had uploaded. */
  replaceFile(fileId: string, content: string): Promise<void>;
  close(): Promise<void>;
}

const API_CALLS_KEPT = 10_000;
/** Longer than clients keep idle connections, so that none is cut just as a call goes out on it. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const ACK_TIMEOUT_MS = 3_000;
const WAIT_TIMEOUT_MS = 5_000;

/**
 * Starts a Slack workspace in a box: the Web API, Socket Mode, request URLs, the page. It listens on 127.0.0.1
 * only.
 *
 * Rejects when the port is taken (Node's `EADDRINUSE`), the manifest is missing or wrong, or dataDir holds
 * something else.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { parts, disk, setOrigin } = await assemble(options);
  const calls: ApiCall[] = [];
  const actions = actionsOf(parts, options);
  const server = createServer((request, response) => {
    void answerRequest(
      {
        parts,
        actions,
        uiDir: options.uiDir,
        record: (call) => {
          calls.push(call);
          if (calls.length > API_CALLS_KEPT) calls.shift();
        },
      },
      request,
      response,
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.on('upgrade', (request, stream, head) => {
    if (request.url?.startsWith('/socket?')) parts.socketMode.handleUpgrade(request, stream, head);
    else stream.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const origin = setOrigin(`http://${host}:${port}`);
  parts.delivery.setMode(options.delivery);
  return {
    url: `http://localhost:${port}/`,
    origin,
    apiUrl: `${origin}/api/`,
    act: actions.act,
    snapshot: () => parts.state.snapshot(),
    subscribe: (listener) => parts.state.subscribe(listener),
    waitFor: (probe, timeoutMs = WAIT_TIMEOUT_MS) => waitFor(parts.state, probe, timeoutMs),
    apiCalls: () => [...calls],
    setFaults: actions.setFaults,
    setUserGroup: (id, userIds) => parts.state.setUserGroup(id, userIds),
    setDelivery: (delivery) => parts.delivery.setMode(delivery),
    setSocketMode: (isOn) => parts.socketMode.setOn(isOn),
    tellRateLimited: () => parts.events.rateLimited(),
    verifyRequestUrl: () => parts.events.verifyRequestUrl(),
    deleteFile: (fileId) => parts.files.remove(fileId),
    replaceFile: (fileId, content) => parts.files.replace(fileId, Buffer.from(content)),
    close: async () => {
      parts.delivery.close();
      await parts.socketMode.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await disk?.flush();
    },
  };
}

async function assemble(options: WorkspaceOptions) {
  const clock = options.clock ?? systemClock;
  const manifest =
    options.manifestPath === undefined ? NO_MANIFEST : await readManifest(options.manifestPath);
  const state = new WorkspaceState(
    seedWorkspace(manifest.botDisplayName, manifest.isConversationReadOnly, options.withOthers === true),
    manifest,
    options.organisation ?? null,
  );
  const disk = options.dataDir === undefined ? null : new WorkspaceDisk(options.dataDir, state);
  await disk?.open();
  let origin = '';
  const faults = new FaultList();
  const socketMode = new SocketMode(
    faults,
    () => state.emit({ type: 'app', connected: delivery.isConnected() }),
    options.pingIntervalMs,
  );
  const ackTimeoutMs = options.ackTimeoutMs ?? ACK_TIMEOUT_MS;
  const delivery = new AppDelivery({ socketMode, faults, state, ackTimeoutMs, clock });
  const events = new AppEvents(state, delivery, clock);
  const newest = state.allMessages().reduce((max, message) => Math.max(max, Number(message.ts)), 0);
  const parts: WorkspaceParts = {
    state,
    clock,
    faults,
    socketMode,
    delivery,
    events,
    messages: new Messages(state, new TimestampSource(clock, String(newest)), events),
    views: new Views(state, clock),
    files: new Files(state, clock, disk, () => origin),
    rateLimits: options.rateLimits === false ? null : new RateLimits(clock),
    triggers: new TriggerIds(clock, options.triggerLifetimeMs),
    responseUrls: new ResponseUrls(clock),
    tokens: { bot: options.botToken, app: options.appToken },
    origin: () => origin,
  };
  const setOrigin = (value: string) => {
    origin = value;
    return value;
  };
  return { parts, disk, setOrigin };
}

function actionsOf(parts: WorkspaceParts, options: WorkspaceOptions) {
  const bootstrap: Bootstrap = {
    team: { ...TEAM },
    carrierUrl: options.carrierUrl,
    defaultUserId: DEFAULT_USER_ID,
    phones: options.phones,
    app: { id: APP.id, name: parts.state.manifest.name, botUserId: APP.botUserId },
  };
  return {
    bootstrap,
    act: (act: Act) => performAct(parts, act),
    setFaults: (faults: Faults) => {
      parts.faults.replace(faults);
      parts.socketMode.playDisconnects();
    },
  };
}

function waitFor<Found>(
  state: WorkspaceState,
  probe: (snapshot: WorkspaceSnapshot) => Found | undefined | null | false,
  timeoutMs: number,
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
    };
    const look = () => {
      try {
        const found = probe(state.snapshot());
        if (found === undefined || found === null || found === false) return;
        finish();
        resolve(found);
      } catch (error) {
        finish();
        reject(error);
      }
    };
    const timer = setTimeout(() => {
      finish();
      reject(new Error(`Not seen within ${timeoutMs} ms. ${summary(state)}`));
    }, timeoutMs);
    const unsubscribe = state.subscribe(look);
    look();
  });
}

/** The newest messages and open views, in a few lines, for whoever waited in vain. */
function summary(state: WorkspaceState): string {
  const messages = state
    .allMessages()
    .slice(-5)
    .map((message) => `${message.channel}: ${message.text}`);
  const views = [...state.viewStacks.values()].flat().map((view) => `${view.type} ${view.callback_id}`);
  return `Newest messages: ${JSON.stringify(messages)}; open views: ${JSON.stringify(views)}`;
}
