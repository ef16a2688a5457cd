import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { HeraldProcess } from '../../sandbox/herald-process.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { Person } from '../../sandbox/person.ts';
import { type Stack, startStack } from '../../sandbox/stack.ts';
import { environmentOf, readCompose } from '../compose.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { ASHA, TEAM, TEAM_CONFIGURATION } from './team.ts';

const HOST = '127.0.0.1';
const compose = readCompose();

let directory: string;
let servers: Stack;
let lines: string[];
const replicas: HeraldProcess[] = [];

/** One replica with the environment of compose.yml; only addresses within the containers' own network are this machine's. */
async function startReplica(databaseUrl: string): Promise<HeraldProcess> {
  const service = compose.services.herald;
  if (service === undefined) throw new Error('compose.yml has no service herald');
  const environment = environmentOf(service, {
    SLACK_API_URL: servers.workspace.apiUrl,
    MESSAGING_BASE_URL: servers.carrier.url,
    MESSAGING_FLASH_URL: servers.carrier.url,
  });
  const secrets: Readonly<Record<string, string>> = {
    DATABASE_URL: databaseUrl,
    SLACK_BOT_TOKEN: SANDBOX_CREDENTIALS.botToken,
    SLACK_APP_TOKEN: SANDBOX_CREDENTIALS.appToken,
    MESSAGING_API_KEY: SANDBOX_CREDENTIALS.apiKey,
    WEBHOOK_TOKEN: SANDBOX_CREDENTIALS.webhookToken,
  };
  const folder = join(directory, 'secrets');
  await mkdir(folder, { recursive: true });
  for (const name of service.secrets ?? []) await writeFile(join(folder, name), `${secrets[name] ?? ''}\n`);
  const mounted = Object.entries(environment).map(([key, path]) => [
    key,
    path.replace(/^\/run\/secrets\//, `${folder}/`),
  ]);
  const port = await freePort(HOST);
  const replica = new HeraldProcess({
    environment: {
      ...Object.fromEntries(mounted),
      HERALD_CONFIG: join(directory, 'herald.yml'),
      PORT: String(port),
    },
    url: `http://${HOST}:${port}`,
    onLine: (line) => lines.push(line),
  });
  replicas.push(replica);
  if (!(await replica.ready())) throw new Error(`Herald did not become ready:\n${lines.join('\n')}`);
  return replica;
}

await describeWithPostgres('what compose.yml starts', () => {
  beforeEach(async () => {
    lines = [];
    directory = await mkdtemp(join(tmpdir(), 'herald-compose-'));
    const configurationFile = join(directory, 'herald.yml');
    await writeFile(configurationFile, TEAM_CONFIGURATION);
    servers = await startStack({
      mode: 'socket',
      ports: { workspace: 0, carrier: 0, herald: await freePort(HOST) },
      dataDir: directory,
      configurationFile,
      onLine: (line) => lines.push(line),
    });
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
    await servers?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('works as one: two replicas on one database, and one when the other is gone', async () => {
    const url = await freshDatabase();
    const [first] = await Promise.all([startReplica(url), startReplica(url)]);
    const asha = new Person(servers.workspace, servers.watch, ASHA);
    const results = () =>
      asha.messages(TEAM).filter((message) => /accepted by the service/i.test(messageText(message)));
    // Slack takes turns between connections: both replicas have their part.
    for (let count = 1; count <= 4; count += 1) {
      await asha.command(TEAM, `/sms +9198123450${count}0 Your table ${count} is ready.`);
      await servers.watch.until(`result ${count}`, () => results().length === count);
    }
    await first?.kill();
    await asha.command(TEAM, '/sms +919812345090 The other replica is gone.');
    await servers.watch.until('the last result', () => results().length === 5);
    const sent = Object.values(servers.carrier.state().phones).flat();
    expect(sent.map(({ number }) => number).toSorted()).toEqual(
      [1, 2, 3, 4, 9].map((count) => `+9198123450${count}0`),
    );
  });
});
