import { parseArgs } from 'node:util';
import type { Mode } from './herald-environment.ts';
import { THINGS_TO_TRY } from './ui/things-to-try.ts';

export interface Arguments {
  readonly ports: { readonly workspace: number; readonly carrier: number; readonly herald: number };
  readonly mode: Mode;
  readonly fresh: boolean;
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: Arguments }
  /** Without a problem the usage was asked for. */
  | { readonly ok: false; readonly problem?: string };

export const DEFAULT_PORT = 8080;

/** The carrier and Herald take the two ports after the page's. */
const PORTS_USED = 3;
const HIGHEST_PORT = 65_535;

export const USAGE = `Usage: npm run sandbox -- [--port ${DEFAULT_PORT}] [--fresh] [--http] [--help]
  --port N   the page's port; the carrier and Herald take N+1 and N+2
  --fresh    begin with an empty workspace and an empty database
  --http     Slack reaches Herald by signed HTTP requests instead of Socket Mode
  --help     says this, and starts nothing`;

/** The terminal's version of what the page offers to click. */
export function linesToTry(): string {
  const width = Math.max(...THINGS_TO_TRY.map(({ line }) => line.length));
  return THINGS_TO_TRY.map(({ line, what }) => `  ${line.padEnd(width)}  ${what}`).join('\n');
}

/** Reads the launcher's arguments; a problem is one sentence. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  let values: { port?: string; fresh?: boolean; http?: boolean; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        fresh: { type: 'boolean' },
        http: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return { ok: false };
  const port = Number(values.port ?? DEFAULT_PORT);
  const highest = HIGHEST_PORT - PORTS_USED + 1;
  if (!Number.isInteger(port) || port < 1 || port > highest)
    return {
      ok: false,
      problem: `--port must be a whole number from 1 to ${highest}, not "${values.port}".`,
    };
  return {
    ok: true,
    value: {
      ports: { workspace: port, carrier: port + 1, herald: port + 2 },
      mode: values.http ? 'http' : 'socket',
      fresh: values.fresh ?? false,
    },
  };
}
