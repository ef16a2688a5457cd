import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { type Environment, environmentSchema } from './environment.ts';
import { type Problem, problemsOf } from './problems.ts';
import { type TeamParts, type TeamSchema, teamSchema } from './team.ts';

/** Everything that was configured, checked. */
export interface Configuration<Parts extends TeamParts> {
  readonly environment: Environment;
  readonly team: z.output<TeamSchema<Parts>>;
}

export interface ConfigurationSources<Parts extends TeamParts> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file as text; throws what `fs` throws. */
  readFile(path: string): string;
  readonly parts: Parts;
}

/** Reads the environment and the file it names. Every problem of both comes back at once. */
export function loadConfiguration<Parts extends TeamParts>(
  sources: ConfigurationSources<Parts>,
): Result<Configuration<Parts>, readonly Problem[]> {
  const env = Object.fromEntries(
    Object.entries(sources.env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const environment = environmentSchema.safeParse(env);
  const path = env.HERALD_CONFIG ?? environmentSchema.shape.HERALD_CONFIG.parse(undefined);
  const team = loadTeam(path, sources);
  const problems = [
    ...(environment.success ? [] : problemsOf(environment.error, environmentSchema, env)),
    ...(team.ok ? [] : team.error),
  ];
  return environment.success && team.ok && problems.length === 0
    ? ok({ environment: environment.data, team: team.value })
    : fail(problems);
}

function loadTeam<Parts extends TeamParts>(
  path: string,
  { readFile, parts }: ConfigurationSources<Parts>,
): Result<z.output<TeamSchema<Parts>>, readonly Problem[]> {
  const source = readText(path, readFile);
  if (!source.ok) return fail([source.error]);
  const written = parseYaml(path, source.value);
  if (!written.ok) return written;
  const schema = teamSchema(parts);
  const parsed = schema.safeParse(written.value ?? {});
  return parsed.success
    ? ok(parsed.data)
    : fail(problemsOf(parsed.error, schema, written.value, `${path}: `));
}

function readText(path: string, readFile: (path: string) => string): Result<string, Problem> {
  try {
    return ok(readFile(path));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return fail({
      path: 'HERALD_CONFIG',
      found: missing ? `no file at ${path}` : `a file that cannot be read, ${path}`,
      expected: 'a file like herald.example.yml; it needs senders at least',
    });
  }
}

function parseYaml(path: string, source: string): Result<unknown, readonly Problem[]> {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  if (document.errors.length === 0) return ok(document.toJS() as unknown);
  return fail(
    document.errors.map((error) => {
      const { line, col } = lineCounter.linePos(error.pos[0]);
      return {
        path: `${path}: line ${line}, column ${col}`,
        found: error.message.replace(/\.$/, ''),
        expected: 'valid YAML',
      };
    }),
  );
}
