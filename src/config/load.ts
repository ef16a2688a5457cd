import { type Document, LineCounter, parseDocument } from 'yaml';
import { fail, ok, type Result } from '../core/result.ts';
import {
  alertsToken,
  type Environment,
  environmentSchema,
  isAlertsToken,
  UNGUESSABLE,
} from './environment.ts';
import { firstOfEachPath, nearestKey, type Problem, problemsOf } from './problems.ts';
import { problemsOfFiles } from './secret-files.ts';
import { type Team, teamSchema } from './team.ts';

/** Everything that was configured, checked. */
export interface Configuration {
  readonly environment: Environment;
  readonly team: Team;
}

interface ConfigurationSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file as text; throws what `fs` throws. */
  readFile(path: string): string;
}

/** Reads the environment and the file it names. Every problem of both comes back at once. */
export function loadConfiguration(sources: ConfigurationSources): Result<Configuration, readonly Problem[]> {
  const env = writtenVariables(sources.env);
  const environment = environmentSchema.safeParse(env);
  const path = env.HERALD_CONFIG ?? environmentSchema.shape.HERALD_CONFIG.parse(undefined);
  const team = loadTeam(path, sources.readFile);
  const files = problemsOfFiles(env);
  const tokens = Object.fromEntries(Object.entries(env).filter(([key]) => isAlertsToken(key)));
  const named = new Set(files.map(({ path }) => path));
  const problems = [
    ...(environment.success
      ? []
      : problemsOf(environment.error, environmentSchema, env).map((problem) => withMisspelt(problem, env))),
    ...(team.ok ? problemsOfNeeds(team.value, env) : team.error),
  ].filter(({ path }) => !named.has(`${path}_FILE`));
  return environment.success && team.ok && files.length + problems.length === 0
    ? ok({ environment: { ...environment.data, ...tokens }, team: team.value })
    : fail([...files, ...problems]);
}

/** Variables that herald.yml makes needed. */
function problemsOfNeeds(
  { alerts, wire, retention }: Team,
  env: Readonly<Record<string, string>>,
): readonly Problem[] {
  const missing = (path: string, why: string, expected: string): readonly Problem[] =>
    env[path] ? [] : [{ path, found: `nothing, and ${why}`, expected }];
  const removesNumbers = (retention.recipients ?? retention.answers) !== undefined;
  return [
    ...alerts.sources.flatMap(({ name, token: path }) => {
      const found = env[path] === undefined ? 'nothing' : 'too few characters';
      const expected = `${UNGUESSABLE}, for alerts.sources “${name}”`;
      return alertsToken.safeParse(env[path]).success ? [] : [{ path, found, expected }];
    }),
    ...(wire.webhooks.signature
      ? missing(
          'WEBHOOK_SECRET',
          'wire.webhooks.signature asks for signatures',
          'the secret with which the messaging service signs what it posts',
        )
      : []),
    ...(removesNumbers ? missing('PSEUDONYM_KEY', 'retention removes numbers', UNGUESSABLE) : []),
  ];
}

/** Without what is empty; secrets from files often end with a line break, which is no part of them. */
function writtenVariables(env: ConfigurationSources['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => {
      const written = value?.trim() ?? '';
      return written === '' ? [] : [[key, written]];
    }),
  );
}

/** Variables cannot be refused for being unknown, as keys of the file are; a missing one may stand there misspelt. */
function withMisspelt(problem: Problem, env: Readonly<Record<string, string>>): Problem {
  const known = new Set(Object.keys(environmentSchema.shape));
  if (problem.path in env) return problem;
  const misspelt = nearestKey(
    problem.path,
    Object.keys(env).filter((key) => !known.has(key)),
  );
  return misspelt === undefined ? problem : { ...problem, found: `nothing, but ${misspelt} is set` };
}

/** Reads and checks herald.yml alone. */
export function loadTeam(
  path: string,
  readFile: ConfigurationSources['readFile'],
): Result<Team, readonly Problem[]> {
  const source = readText(path, readFile);
  if (!source.ok) return fail([source.error]);
  const written = parseYaml(path, source.value);
  if (!written.ok) return written;
  const input = withoutEmptySections(written.value);
  const parsed = teamSchema.safeParse(input);
  return parsed.success ? ok(parsed.data) : fail(problemsOf(parsed.error, teamSchema, input, `${path}: `));
}

/** A section whose keys are all commented out is left as `null`, and means the same as one that is not there. */
function withoutEmptySections(value: unknown): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) return value ?? {};
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, section]) => section !== null));
}

function readText(path: string, readFile: ConfigurationSources['readFile']): Result<string, Problem> {
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
  if (document.errors.length === 0) return valueIn(path, document);
  const problems = document.errors.map((error) => {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    const [found, expected] = YAML_WORDS[error.code] ?? ['something that is not YAML', 'valid YAML'];
    return { path: `${path}: line ${line}, column ${col}`, found, expected };
  });
  return fail(firstOfEachPath(problems));
}

const REFERENCE = ['a word that begins with &, * or !', 'quotation marks around it'] as const;

/** What the parser's codes mean to whoever wrote the file: what was found, and what would be right. */
const YAML_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  ALIAS_PROPS: REFERENCE,
  BAD_ALIAS: REFERENCE,
  BAD_DQ_ESCAPE: ['a \\ inside double quotation marks that YAML reads otherwise', 'single quotation marks'],
  BAD_INDENT: [
    'a line that begins in the wrong column, or a [ or { without its end',
    'the indentation of its neighbours, and an end to each [ and {',
  ],
  BAD_SCALAR_START: ['a value that begins with a sign such as @ or `', 'quotation marks around it'],
  BLOCK_AS_IMPLICIT_KEY: ['a second “: ” in one line', 'quotation marks around the value'],
  DUPLICATE_KEY: ['a key that stands there twice', 'each key once'],
  MISSING_CHAR: [
    'a sign missing',
    'a : and a space after each key, a comma between items, and an end to each " \' [ {',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'a line that is neither “key: value” nor part of the list before it',
    'a key with : after it, as far to the right as its neighbours',
  ],
  MULTIPLE_DOCS: ['a line --- that begins a second document', 'valid YAML'],
  TAB_AS_INDENT: ['a tab at the beginning of a line', 'spaces'],
  TAG_RESOLVE_FAILED: REFERENCE,
  UNEXPECTED_TOKEN: ['a sign that cannot stand here', 'valid YAML'],
};

function valueIn(path: string, document: Document): Result<unknown, readonly Problem[]> {
  try {
    return ok(document.toJS());
  } catch {
    // Aliases of aliases of aliases: a few lines that unfold to more than memory holds.
    return fail([{ path, found: 'aliases that unfold to too much', expected: 'each value written out' }]);
  }
}
