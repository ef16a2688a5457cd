import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers each request with the address of a fresh, empty database, or with why there is none (status 503). */
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
  let missing: string | undefined;

  async function freshDatabase(): Promise<string> {
    starting ??= startServer(operators);
    const { url } = await starting;
    const name = `herald_test_${randomBytes(6).toString('hex')}`;
    await administer(url, `CREATE DATABASE ${name} TEMPLATE template0`);
    databases.push(name);
    const database = new URL(url);
    database.pathname = `/${name}`;
    return database.href;
  }

  const door = createServer((_request, response) => {
    // A connection that is kept would be closed after some seconds, perhaps just when the next request goes out.
    response.setHeader('connection', 'close');
    freshDatabase().then(
      (url) => response.end(url),
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
        await administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await server.stop();
    }
    const sentence = summary(server, databases.length, missing);
    if (sentence !== undefined) console.log(`\nPostgreSQL, ${project.name}: ${sentence}`);
    if (process.env.CI && missing !== undefined) process.exitCode = 1;
  };
}

function summary(
  server: PostgresServer | undefined,
  databases: number,
  missing: string | undefined,
): string | undefined {
  if (missing !== undefined) return `its tests DID NOT RUN: ${missing}`;
  return server && `tested on ${databases} databases of ${server.origin}.`;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
