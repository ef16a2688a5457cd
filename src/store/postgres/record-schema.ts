/**
 * What the record keeps: see the embedded store's. Additions only: replicas of the version before leave the new columns
 * empty, and what they take off the opt-out list unrecorded.
 */
export const RECORD_SCHEMA = `
ALTER TABLE sends ADD COLUMN template TEXT, ADD COLUMN survey TEXT;
CREATE TABLE opt_out_removals (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  number TEXT NOT NULL
);
CREATE TRIGGER opt_out_removals_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON opt_out_removals
  FOR EACH STATEMENT EXECUTE FUNCTION keep_the_record();
`;
