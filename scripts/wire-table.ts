import type { JsonObject } from '../src/gateway/json.ts';
import { ROWS } from '../src/gateway/rows.ts';

/** One line of a document's table of request bodies. */
export interface WireDescription {
  readonly row: string;
  readonly title: string;
  /** With the host it goes to, e.g. `{base_url}/v1/chatapp`. */
  readonly path: string;
  /** Whether the interface document shows this body. */
  readonly documented: boolean;
  /** The key under `wire` that overrides it; absent for documented bodies. */
  readonly overriddenBy?: string;
  readonly body: JsonObject;
}

/** The bodies as Herald has them by default, in the document's order. */
export const wireTable: readonly WireDescription[] = Object.entries(ROWS).map(([name, row]) => ({
  row: row.number,
  title: row.title,
  path: `{${row.endpoint}_url}${row.path}`,
  documented: row.settable.length === 0,
  ...(row.settable.length > 0 && { overriddenBy: `wire.${name}` }),
  body: row.body,
}));
