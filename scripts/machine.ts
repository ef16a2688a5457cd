import { cpus, totalmem } from 'node:os';

/** Where and when something is measured, as documents say it. */
export interface Occasion {
  /** The day, in UTC: `2026-11-22`. */
  readonly on: string;
  readonly machine: string;
}

export function thisOccasion(): Occasion {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  return { on: new Date().toISOString().slice(0, 10), machine };
}
