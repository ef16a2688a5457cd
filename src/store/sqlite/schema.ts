import { firstSchema } from '../schema.ts';

/** Rows of a table that nobody may change or delete. */
const appendOnly = (table: string, what: string) => `
CREATE TRIGGER ${table}_keep BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${what} is append-only'); END;
CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${what} is append-only'); END;
`;

/** What only a file has of the schema of 0.1.0; see `../schema.ts`. */
export const FIRST_SCHEMA = firstSchema(
  'sqlite',
  `
CREATE INDEX sends_by_template ON sends
  (CASE WHEN json_valid(message) THEN json_extract(message, '$.templateName') END, created_at);

${appendOnly('send_events', 'the record of sends')}
${appendOnly('template_changes', 'the history of templates')}
${appendOnly('opt_out_removals', 'the record of opt-outs')}

-- Tells copies of the file apart: see newest-copy.ts. The position moves on with whatever an older copy must not take for
-- undone.
CREATE TABLE newest_copy (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  generation TEXT NOT NULL,
  position INTEGER NOT NULL,
  marked INTEGER NOT NULL
) STRICT;
INSERT INTO newest_copy VALUES (1, lower(hex(randomblob(16))), 0, 0);
CREATE TRIGGER record_moves_on AFTER INSERT ON send_events
  BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER claims_move_on AFTER UPDATE OF attempting ON sends WHEN NEW.attempting > OLD.attempting
  BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER opt_outs_move_on AFTER INSERT ON opt_outs
  BEGIN UPDATE newest_copy SET position = position + 1; END;
`,
);
