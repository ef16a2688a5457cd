import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { createSqliteStores } from '../src/store/sqlite/stores.ts';
import { prepareBenchSend } from './bench-send.ts';

/** Recipients of each send that is on record. */
const A_SEND = 500;
/** Recipients that are still to be sent to. */
const PENDING = 60_000;

/** Recipient `n` of those on record. */
export const grownNumber = (n: number) => `+9197${String(n).padStart(8, '0')}` as Msisdn;

/**
 * Makes a file with so many recipients of sends that are done, all older than what is kept, each with a message id of its own
 * in the index, and a send under way.
 *
 * @returns its path
 */
export async function grownFile(folder: string, recipients: number): Promise<string> {
  const path = join(folder, `${recipients}-${randomUUID()}.db`);
  const opened = openDatabase(path);
  if (!opened.ok) throw new Error(opened.error);
  const file = opened.value;
  const stores = createSqliteStores(file);
  file.exec(`BEGIN;
    INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, request_key, created_at, state, recipient_count,
        accepted, audience)
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${recipients / A_SEND})
      SELECT 'S-' || i, 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Hello","type":"TRANS","unicode":false}',
        'T', 'U1', 'C', 'S-' || i, i, 'done', ${A_SEND}, ${A_SEND}, '{"id":"A","columns":[]}' FROM n;
    INSERT INTO recipients (send_id, row, number, state, cells, message_id, status, attempted_at, settled_at)
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${recipients})
      SELECT 'S-' || (i / ${A_SEND}), i % ${A_SEND}, '+9197' || substr('0000000' || i, -8), 'accepted', '["Asha"]',
        lower(hex(randomblob(16))), 200, i, i FROM n;
    INSERT INTO message_ids (message_id, send_id, row) SELECT message_id, send_id, row FROM recipients ORDER BY 1;
    COMMIT;`);
  await prepareBenchSend(stores.sends, PENDING);
  await stores.sends.close();
  return path;
}
