/** What the record keeps: the words that were asked for, what was found of a list, and who was taken off the opt-out list. */
export const RECORD_SCHEMA = `
ALTER TABLE sends ADD COLUMN template TEXT;
ALTER TABLE sends ADD COLUMN survey TEXT;
CREATE TABLE opt_out_removals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  number TEXT NOT NULL
) STRICT;
CREATE TRIGGER opt_out_removals_keep BEFORE UPDATE ON opt_out_removals
  BEGIN SELECT RAISE(ABORT, 'the record of opt-outs is append-only'); END;
CREATE TRIGGER opt_out_removals_stay BEFORE DELETE ON opt_out_removals
  BEGIN SELECT RAISE(ABORT, 'the record of opt-outs is append-only'); END;
`;
