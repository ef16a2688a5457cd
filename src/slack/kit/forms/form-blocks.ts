import type { InputBlock } from '@slack/types';
import type { z } from 'zod';
import { inputBlock } from './input-block.ts';
import { leavesOf } from './leaves.ts';
import { isWithin, putAt, valueAt } from './path.ts';

export interface FormOptions {
  /** What is known so far, as `readState` gives it. A field that is not in it holds its own initial value. */
  readonly values?: unknown;
  /** Paths, with all below them, that the caller shows in its own way. */
  readonly omit?: readonly string[];
  /** A suffix for the block of the field at `path`; see `blockIdOf`. */
  readonly suffixOf?: (path: string) => string | undefined;
}

/** The input blocks of a form, one a field, in the schema's order. */
export function formBlocks(schema: z.ZodType, options: FormOptions = {}): InputBlock[] {
  const { values, omit = [], suffixOf } = options;
  const shown = leavesOf(schema).filter((leaf) => !omit.some((path) => isWithin(leaf.path, path)));
  return shown.map((leaf) => {
    const given = valueAt(values, leaf.path);
    return inputBlock(leaf, given === undefined ? leaf.meta.initial : given, suffixOf?.(leaf.path));
  });
}

/** What a form holds before anybody typed, as one nested value. */
export function initialValues(schema: z.ZodType): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const leaf of leavesOf(schema)) {
    if (leaf.meta.initial !== undefined) putAt(values, leaf.path, leaf.meta.initial);
  }
  return values;
}
