import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../sandbox/free-port.ts';
import { heraldEnvironment, type Mode } from '../../sandbox/herald-environment.ts';
import { HeraldProcess } from '../../sandbox/herald-process.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { Person } from '../../sandbox/person.ts';
import { startStack } from '../../sandbox/stack.ts';
import { preparedDatabase } from '../postgres/database.ts';

const HOST = '127.0.0.1';

/** One Herald of several. */
export interface Replica {
  readonly process: HeraldProcess;
  readonly lines: string[];
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

interface ReplicaOptions {
  /** The folder of the version that `join` starts; by default this one. */
  readonly next?: string;
  /** How many of them `join` starts later. */
  readonly later?: number;
  /** How a replica, by its index, reaches the Web API. */
  readonly wayToSlack?: (direct: string, replica: number) => Promise<string>;
  /** What each has in its environment besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** How all of them reach the database. */
  readonly wayToDatabase?: (direct: string) => Promise<string>;
}

/**
 * A workspace and a carrier in this process, and several Heralds as processes of their own on one PostgreSQL database. In
 * HTTP mode Slack's requests reach the replicas through a load balancer that tests steer: `next` names who gets the next.
 */
export async function startReplicas(
  mode: Mode,
  config: string,
  count: number,
  {
    wayToSlack = async (direct) => direct,
    wayToDatabase = async (direct) => direct,
    env = {},
    next,
    later = 0,
  }: ReplicaOptions = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'herald-replicas-'));
  const configurationFile = join(directory, 'herald.yml');
  await writeFile(configurationFile, config);
  const ports = await Promise.all(Array.from({ length: count }, () => freePort(HOST)));
  const balancer = await startBalancer(ports);
  const servers = await startStack({
    mode,
    ports: { workspace: 0, carrier: 0, herald: balancer.port },
    dataDir: directory,
    configurationFile,
    onLine: () => {},
  });
  const database = await preparedDatabase();
  const databaseUrl = await wayToDatabase(database);

  async function start(index: number, version?: string, file = configurationFile): Promise<Replica> {
    const port = ports[index] ?? 0;
    const lines: string[] = [];
    const environment = heraldEnvironment({
      mode,
      slackApiUrl: await wayToSlack(servers.workspace.apiUrl, index),
      carrierUrl: servers.carrier.url,
      host: HOST,
      port,
      databaseFile: '',
      configurationFile: file,
    });
    const process = new HeraldProcess({
      environment: { ...environment, ...env, DATABASE_URL: databaseUrl },
      url: `http://${HOST}:${port}`,
      onLine: (line) => lines.push(line),
      ...(version && { project: version }),
    });
    return { process, lines };
  }

  async function untilReady({ process, lines }: Replica): Promise<void> {
    if (!(await process.ready())) throw new Error(`A replica did not become ready:\n${lines.join('\n')}`);
  }

  const replicas = await Promise.all(ports.slice(later).map((_port, index) => start(index)));
  for (const replica of replicas) await untilReady(replica);

  return {
    ...servers,
    balancer,
    replicas,
    database,
    /** Starts one more, with a configuration of its own, and waits for it. */
    join: async (ownConfig: string) => {
      const file = join(directory, 'joining.yml');
      await writeFile(file, ownConfig);
      const replica = await start(replicas.length, next, file);
      replicas.push(replica);
      await untilReady(replica);
      return replica;
    },
    /** Starts what runs at first once more in the place of one that has ended, and does not wait for it. */
    startAgain: (index: number) => start(index),
    person: (userId: string) => new Person(servers.workspace, servers.watch, userId),
    /** Text of every message in a channel itself, threads left out, oldest first. */
    texts: (channel: string) =>
      servers.workspace
        .snapshot()
        .messages.filter((message) => message.channel === channel && message.thread_ts === undefined)
        .map(messageText),
    /** Every number that a phone was reached at, as often as it was. */
    reached: () =>
      Object.values(servers.carrier.state().phones)
        .flat()
        .map(({ number }) => number),
    stop: async () => {
      await Promise.all(replicas.map(({ process }) => (process.running ? process.stop() : undefined)));
      await servers.close();
      balancer.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startBalancer(ports: readonly number[]) {
  const steer = { next: undefined as number | undefined };
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const chosen = steer.next ?? turn % ports.length;
    turn += 1;
    const { method, url, headers } = incoming;
    const forwarded = request({ host: HOST, port: ports[chosen], method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  }).listen(0, HOST);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** From now on everything goes to this replica; to each in its turn when undefined. */
    sendTo: (replica: number | undefined) => {
      steer.next = replica;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
