import { hash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Stores } from '../src/store/stores.ts';
import { startServer } from '../test/postgres/server.ts';
import { benchSend, expectAllArrived, openBenchDatabase, prepareBenchSend } from './bench-send.ts';
import { dropDatabase, freshDatabase } from './databases.ts';
import { keepStorage, type Storage } from './results.ts';

/*
 * What a send costs PostgreSQL on disk, by how full the pages of recipients are written at first: an attempt that finds room
 * on its page is written there, and needs no new entry in any index. No requests: claims and outcomes only. What was measured
 * is kept in results.json.
 */
const RECIPIENTS = Number(process.argv[2] ?? 100_000);
const FILL_FACTORS = [100, 80, 60, 50, 40];
const BATCH = 200;
const REPORTS = 10_000;
const MESSAGE_ID = '0c9d7c2e-5b6f-4c53-9a44-7b7f7f7b1a11';

const server = await startServer(process.env.TEST_DATABASE_URL, { fsync: 'on' });
const pages: Storage['pages'][number][] = [];
for (const fillFactor of FILL_FACTORS) pages.push(await measure(fillFactor));
keepStorage({ recipients: RECIPIENTS, pages, rows: await measureRest() });
await server.stop();
// Reads what was just written.
await import('../scripts/update-documents.ts');

/** What a list and delivery reports take beside the recipients of the send, one report a recipient. */
async function measureRest(): Promise<Storage['rows']> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { audiences, replies, sends } = await openBenchDatabase(server.url);
  const people = Array.from({ length: REPORTS }, (_, row) => row);
  await audiences.begin({ id: 'A', source: 'file', columns: ['name'], createdBy: 'U', createdAt: 1 });
  await audiences.append(
    'A',
    JSON.stringify(people.map((row) => [row, `+9198${String(row).padStart(8, '0')}`, [`Person ${row}`]])),
    [],
  );
  await prepareBenchSend(sends, REPORTS);
  const { id } = await benchSend(sends);
  for (let from = 0; from < REPORTS; from += BATCH) {
    const rows = people.slice(from, from + BATCH);
    const body = (row: number) =>
      Buffer.from(
        JSON.stringify({
          messageId: `${MESSAGE_ID}-${row}`,
          to: `9198${row}`,
          status: 'delivered',
          timestamp: 1_790_000_000,
        }),
      );
    const webhooks = rows.map((row) => ({
      digest: hash('sha256', body(row)),
      receivedAt: row,
      contentType: 'application/json',
      body: body(row).toString('base64'),
    }));
    await replies.keep(webhooks, 1);
    const waiting = await replies.waiting(REPORTS, BATCH);
    await replies.record(
      waiting.map((webhook, place) => ({
        webhookId: webhook.id,
        events: [],
        deliveries: [{ sendId: id, row: from + place, status: 'delivered', at: 1_790_000_000_000 }],
      })),
    );
  }
  await sends.close();
  const bytes: Record<string, number> = {};
  for (const table of ['audience_rows', 'deliveries', 'webhooks']) {
    const { rows } = await client.query(
      `SELECT pg_total_relation_size('${table}')::float8 AS bytes FROM ${table} LIMIT 1`,
    );
    bytes[table] = Math.round(Number(rows[0]?.bytes) / REPORTS);
    console.log(`${table}: ${bytes[table]} bytes a row, indexes included`);
  }
  await client.end();
  return bytes;
}

async function measure(filledTo: number): Promise<Storage['pages'][number]> {
  const url = await freshDatabase(server.url);
  const stores = await openBenchDatabase(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER TABLE recipients SET (fillfactor = ${filledTo})`);
  await prepareBenchSend(stores.sends, RECIPIENTS);
  const before = await sizes(client);
  const begun = performance.now();
  await sendAll(stores);
  const perSecond = (RECIPIENTS * 1_000) / (performance.now() - begun);
  await expectAllArrived(stores.sends, RECIPIENTS);
  const after = await sizes(client);
  await stores.sends.close();
  const { rows } = await client.query(
    `SELECT round(100.0 * n_tup_hot_upd / nullif(n_tup_upd, 0)) AS hot FROM pg_stat_user_tables
     WHERE relname IN ('recipients', 'sends') ORDER BY relname`,
  );
  console.log(
    `fillfactor ${filledTo}: ${(perSecond / 1_000).toFixed(1)} k/s; for each recipient ` +
      `${before.bytes} bytes before, ${after.bytes} after (indexes ${after.indexes}), ${after.wal - before.wal} bytes of WAL; ` +
      `${rows[0]?.hot} % of attempts and ${rows[1]?.hot} % of their sends written in place`,
  );
  await client.end();
  await dropDatabase(server.url, url);
  return {
    filledTo,
    before: before.bytes,
    after: after.bytes,
    log: after.wal - before.wal,
    inPlace: Math.round(Number(rows[0]?.hot)),
  };
}

async function sendAll({ sends }: Stores): Promise<void> {
  const { id } = await benchSend(sends);
  for (;;) {
    const claimed = await sends.claim(id, BATCH, Date.now());
    if (claimed.length === 0) return;
    await sends.settle(
      claimed.map(({ row }) => ({
        sendId: id,
        row,
        outcome: { state: 'accepted', status: 200, messageId: randomUUID() },
        settledAt: Date.now(),
      })),
    );
  }
}

/** Whole bytes a recipient. */
async function sizes(client: Client): Promise<{ bytes: number; indexes: number; wal: number }> {
  const { rows } = await client.query(
    `SELECT pg_total_relation_size('recipients')::float8 AS bytes, pg_indexes_size('recipients')::float8 AS indexes,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal`,
  );
  const { bytes, indexes, wal } = rows[0] as { bytes: number; indexes: number; wal: number };
  const each = (sum: number) => Math.round(sum / RECIPIENTS);
  return { bytes: each(bytes), indexes: each(indexes), wal: each(wal) };
}
