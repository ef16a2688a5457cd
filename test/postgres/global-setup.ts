import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { installTools } from '../../scripts/tools.ts';
import { opened } from '../store/postgres-stores.ts';
import { directly } from './database.ts';
import { type PostgresServer, startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Answers each request with the address of a fresh database, or with why there is none (status 503). `/prepared` has
     * Herald's tables, `/empty` has none, and `/server` is only asked whether there is one.
     */
    postgresDoor: string;
  }
}

/**
 * PostgreSQL for the tests of one group that ask for it: started with the first one, in this process, and ended with
 * the last. Says at the end whether it was there; on CI it must have been.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const operators = process.env.TEST_DATABASE_URL;
  const databases: string[] = [];
  let starting: Promise<PostgresServer> | undefined;
  let preparing: Promise<string> | undefined;
  let missing: string | undefined;
  try {
    if (!operators) installTools('test/postgres');
  } catch (error) {
    missing = String(error);
  }

  function server(): Promise<PostgresServer> {
    starting ??= startServer(operators);
    return starting;
  }

  async function askServer(): Promise<string> {
    const { url, origin } = await server();
    await directly(url, 'SELECT 1');
    return origin;
  }

  async function copyOf(template: string): Promise<string> {
    const { url } = await server();
    const name = `herald_test_${randomBytes(6).toString('hex')}`;
    await directly(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    databases.push(name);
    const database = new URL(url);
    database.pathname = `/${name}`;
    return database.href;
  }

  async function database(asked: string | undefined): Promise<string> {
    if (asked === '/server') return askServer();
    if (asked === '/empty') return copyOf('template0');
    preparing ??= copyOf('template0').then(prepare);
    return copyOf(await preparing);
  }

  const door = createServer(({ url }, response) => {
    // A connection that is kept would be closed after some seconds, perhaps just when the next request goes out.
    response.setHeader('connection', 'close');
    database(url).then(
      (answer) => response.end(answer),
      (error: unknown) => {
        missing = String(error);
        response.writeHead(503).end(missing);
      },
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);

  return async () => {
    door.closeAllConnections();
    door.close();
    const server = await starting?.catch(() => undefined);
    if (server !== undefined) {
      // A server of our own goes with all that it holds.
      for (const name of operators ? databases : [])
        await directly(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await server.stop();
    }
    const sentence = summary(server, databases.length, missing);
    if (sentence !== undefined) console.log(`\nPostgreSQL, ${project.name}: ${sentence}`);
    if (process.env.CI && missing !== undefined) process.exitCode = 1;
  };
}

/** Makes Herald's tables, as a first start does; returns the name of the database, to be copied. */
async function prepare(url: string): Promise<string> {
  const { sends } = await opened(url);
  await sends.close();
  // Who made them is nobody's replica.
  await directly(url, 'DELETE FROM replicas');
  return new URL(url).pathname.slice(1);
}

function summary(
  server: PostgresServer | undefined,
  databases: number,
  missing: string | undefined,
): string | undefined {
  if (missing !== undefined) return `its tests DID NOT RUN: ${missing}`;
  return server && `tested on ${databases} databases of ${server.origin}.`;
}
