import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadTeam } from './config/load.ts';
import { renderProblem } from './config/problems.ts';
import { fail, ok, type Result } from './core/result.ts';
import { onDatabase } from './database-commands.ts';
import { explainAnswer, explainWebhook } from './gateway/explain.ts';
import { isJsonObject, parseJson } from './gateway/json.ts';
import { ROWS, type RowName } from './gateway/rows.ts';
import { type WireTable, wireSchema } from './gateway/wire.ts';
import type { Surroundings } from './herald.ts';
import { readSomebodysNumber } from './messages/numbers/person.ts';
import { readAccount } from './wiring/account.ts';

const USAGE =
  'explain needs answer FILE [--row sms] [--status 200] [--to NUMBER …], webhook FILE, or unread. The file is what the service sent, ' +
  'with its first line and headers or without, or what unread has said.';
const NOT_READ = 'The database that DATABASE_URL names cannot be read; doctor says more.';
/** Nobody's, for a sample of which it does not matter whom it went to. */
const SOMEBODY = '+12025550100';

/**
 * `explain answer FILE` and `explain webhook FILE`: says how Herald reads a sample. It sends nothing, and needs neither the
 * database nor Slack; herald.yml is read where there is one. `explain unread` says as JSON, for a file that `explain webhook`
 * and `explain answer` take, which shapes of webhooks and answers in the database it has no name for. Returns the exit code.
 */
export async function runExplain(options: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, say, give } = surroundings;
  if (options.length === 1 && options[0] === 'unread')
    return onDatabase({ env, say, answer: give }, async (url) => {
      const wire = wireOf(env);
      if (!wire.ok) return wire;
      const known = await readAccount(url, wire.value);
      return known === undefined ? fail(NOT_READ) : ok(JSON.stringify(known.shapes, undefined, 2));
    });
  const explained = explain(options, env);
  say(explained.ok ? explained.value.join('\n') : explained.error);
  return explained.ok ? 0 : 1;
}

function explain(options: readonly string[], env: Surroundings['env']): Result<readonly string[], string> {
  const asked = read(options);
  if (asked === undefined) return fail(USAGE);
  const { what, path, row = 'sms', status, to = [] } = asked;
  const wire = wireOf(env);
  if (!wire.ok) return wire;
  let samples: readonly ReturnType<typeof sampleIn>[];
  try {
    samples = samplesIn(readFileSync(path), what === 'answer');
  } catch (error) {
    return fail(`${path} could not be read: ${error instanceof Error ? error.message : error}`);
  }
  if (what === 'webhook') return ok(samples.flatMap(({ body }) => explainWebhook(body, wire.value.webhooks)));
  if (!Object.hasOwn(ROWS, row))
    return fail(`There is no row ${row}; there are ${Object.keys(ROWS).join(', ')}.`);
  const numbers = to.map((typed) => readSomebodysNumber(typed, undefined));
  if (numbers.some((number) => !number.ok))
    return fail('--to needs a number with its country, e.g. +919812345678.');
  const people = numbers.flatMap((number) => (number.ok ? number.value : []));
  return ok(
    samples.flatMap((sample) =>
      explainAnswer({
        status: Number(status ?? sample.status ?? 200),
        body: sample.body,
        row: wire.value.rows[row as RowName],
        numbers: people.length === 0 ? [SOMEBODY] : people,
      }),
    ),
  );
}

function read(options: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...options],
      allowPositionals: true,
      options: {
        row: { type: 'string' },
        status: { type: 'string' },
        to: { type: 'string', multiple: true },
      },
    });
    const [what, path, ...more] = positionals;
    const isKnown = (what === 'answer' || what === 'webhook') && /^[2-5]\d\d$/.test(values.status ?? '200');
    // `--to A B` lists several as well as `--to A --to B`.
    const to = [...(values.to ?? []), ...more];
    const isWhole = isKnown && path !== undefined && (more.length === 0 || values.to !== undefined);
    return isWhole ? { ...values, what, path, to } : undefined;
  } catch {
    return undefined;
  }
}

/** Without a file, the careful defaults alone. */
function wireOf(env: Surroundings['env']): Result<WireTable, string> {
  const loaded = loadTeam(env.HERALD_CONFIG ?? './herald.yml', (name) => readFileSync(name, 'utf8'));
  if (loaded.ok) return ok(loaded.value.wire);
  const isMissing = loaded.error.some((problem) => problem.path === 'HERALD_CONFIG');
  return isMissing ? ok(wireSchema.parse({})) : fail(loaded.error.map(renderProblem).join('\n'));
}

/** What a file holds, or those of the answers, or the webhooks, that `explain unread` has said. */
function samplesIn(bytes: Buffer, isAnswer: boolean): readonly ReturnType<typeof sampleIn>[] {
  const value = parseJson(bytes.toString());
  if (
    !Array.isArray(value) ||
    value.length === 0 ||
    !value.every((one) => isJsonObject(one) && 'times' in one)
  )
    return [sampleIn(bytes)];
  const asked = value.filter((one) => 'status' in one === isAnswer);
  return asked.map(({ status, body }) => ({ status, body: Buffer.from(JSON.stringify(body ?? '')) }));
}

/** A body, with the status of what stands before it where it was saved with its headers (`curl -i`). */
function sampleIn(bytes: Buffer) {
  const text = bytes.toString('latin1');
  const status = /^HTTP\/[\d.]{1,3} (\d{3})/.exec(text)?.[1];
  const isRequest = /^(?:POST|GET) \S+ HTTP\//.test(text);
  if (status === undefined && !isRequest) return { body: bytes };
  const end = /\r?\n\r?\n/.exec(text);
  return { status, body: bytes.subarray(end === null ? bytes.length : end.index + end[0].length) };
}
