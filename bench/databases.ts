import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The address of a new, empty database on the server at `server`. */
export async function freshDatabase(server: string): Promise<string> {
  const name = `herald_bench_${randomBytes(4).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(server: string, url: string): Promise<void> {
  await ask(server, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** Runs one statement on a connection of its own. */
export async function ask(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
