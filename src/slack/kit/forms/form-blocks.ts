import type { InputBlock } from '@slack/types';
import type { z } from 'zod';
import { inputBlock } from './input-block.ts';
import { type Leaf, leavesOf } from './leaves.ts';
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
  return shownLeaves(schema, options).map((leaf) => {
    const given = valueAt(options.values, leaf.path);
    return inputBlock(leaf, given === undefined ? leaf.meta.initial : given, options.suffixOf?.(leaf.path));
  });
}

/** What a form holds before anybody typed, as one nested value. */
export function initialValues(schema: z.ZodType, options: FormOptions = {}): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const leaf of shownLeaves(schema, options)) {
    if (leaf.meta.initial !== undefined) putAt(values, leaf.path, leaf.meta.initial);
  }
  return values;
}

function shownLeaves(schema: z.ZodType, { omit = [] }: FormOptions): readonly Leaf[] {
  return leavesOf(schema).filter((leaf) => !omit.some((path) => isWithin(leaf.path, path)));
}
