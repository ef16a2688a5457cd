import type { AudienceRow, ListedRow } from '../../src/sends/audience.ts';

/** Rows as an audience takes them. */
export function listed(...rows: readonly AudienceRow[]): string {
  return JSON.stringify(rows.map(({ row, number, values }): ListedRow => [row, number, values]));
}
