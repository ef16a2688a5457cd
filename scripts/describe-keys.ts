import { z } from 'zod';
import { environmentSchema } from '../src/config/environment.ts';
import { metaOf, unwrapped } from '../src/config/key.ts';
import { teamSchema } from '../src/config/team.ts';
import type { KeyMeta } from '../src/messages/setting-values.ts';

/** One line of a document's table. */
export interface KeyDescription {
  readonly key: string;
  /** What holds when the key is left out; "needed" when it may not be. */
  readonly absent: string;
  readonly doc: string;
  /** Its value is shown nowhere, and should stand in no file that is shared. */
  readonly secret: boolean;
}

export function describeEnvironment(): readonly KeyDescription[] {
  return Object.entries(environmentSchema.shape).map(([key, schema]) => describe(key, schema as z.ZodType));
}

export function describeTeam(): readonly KeyDescription[] {
  return describeShape(teamSchema.shape, '');
}

function describeShape(shape: z.ZodRawShape, prefix: string): readonly KeyDescription[] {
  return Object.entries(shape).flatMap(([key, value]) => {
    const schema = value as z.ZodType;
    if (metaOf(schema).doc !== undefined) return [describe(prefix + key, schema)];
    const inner = unwrapped(schema);
    return inner instanceof z.ZodObject ? describeShape(inner.shape, `${prefix}${key}.`) : [];
  });
}

function describe(key: string, schema: z.ZodType): KeyDescription {
  const meta = metaOf(schema);
  return { key, absent: absentText(schema, meta), doc: meta.doc ?? '', secret: meta.secret === true };
}

function absentText(schema: z.ZodType, meta: Partial<KeyMeta>): string {
  if (meta.absent !== undefined) return meta.absent;
  const inner = schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : schema;
  if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
    return `\`${valueText(inner.def.defaultValue)}\``;
  return schema.safeParse(undefined).success ? 'not set' : 'needed';
}

function valueText(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** A Markdown table of keys, for the documents. */
export function renderTable(heading: string, rows: readonly KeyDescription[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ({ key, absent, doc, secret }) =>
      `| \`${key}\` | ${cell(absent)} | ${cell(secret ? `Secret. ${doc}` : doc)} |`,
  );
  return [`| ${heading} | when left out | what it is |`, '| --- | --- | --- |', ...lines].join('\n');
}
