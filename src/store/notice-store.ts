import type { NoticeStore } from '../sends/notices.ts';
import type { Database } from './sql.ts';

const BEGIN = `INSERT INTO notices (name, what, since) VALUES (:name, :what, :since)
  ON CONFLICT (name) DO UPDATE SET over_at = NULL WHERE notices.over_at IS NOT NULL`;
const END = 'UPDATE notices SET over_at = :at WHERE name = :name AND over_at IS NULL AND since < :at';
const UNTOLD = `SELECT name, what, since, over_at FROM notices WHERE told = 0 OR over_at IS NOT NULL ORDER BY since, name`;
const TOLD = 'UPDATE notices SET told = 1 WHERE name = :name AND since = :since';
const FORGET = 'DELETE FROM notices WHERE name = :name AND since = :since AND over_at IS NOT NULL';

export function createNoticeStore(database: Database): NoticeStore {
  return {
    begin: async (notice) => {
      await database.change(BEGIN, notice);
    },
    end: async (name, at) => {
      await database.change(END, { name, at });
    },
    untold: async () =>
      (await database.run(UNTOLD)).map(({ name, what, since, over_at }) => ({
        name: String(name),
        what: String(what),
        since: Number(since),
        ...(over_at !== null && { overAt: Number(over_at) }),
      })),
    told: async (notice) => {
      await database.change(notice.overAt === undefined ? TOLD : FORGET, notice);
    },
  };
}
