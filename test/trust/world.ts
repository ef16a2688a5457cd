import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { Faults } from '../../sandbox/protocol.ts';
import type { E2eStack } from '../e2e/stack.ts';
import { ASHA, TEAM } from '../e2e/team.ts';

/* What attacks on a running Herald share: who and where, what was asked of Slack, said, sent and stored. */

export const ALERTS = 'C0ALERTS';
export const WEBHOOKS = `/webhooks/messaging/${SANDBOX_CREDENTIALS.webhookToken}`;

export type Fault = Faults['faults'][number];
type Part<Name extends keyof E2eStack> = Pick<E2eStack, Name>;
type Rows = readonly Record<string, unknown>[];

/** A group of on-call people, as `herald.yml` has it. */
export const groupOf = (numbers: readonly string[]) =>
  JSON.stringify(numbers.map((number, n) => ({ name: `P${n}`, number })));

/** From now on this becomes of calls and deliveries; without faults all goes well. */
export const disturb = ({ workspace }: Part<'workspace'>, ...faults: readonly Fault[]) =>
  workspace.setFaults({ faults: [...faults] });

/** How often Slack was asked this, answered or not. */
export const callsOf = ({ workspace }: Part<'workspace'>, method: string) =>
  workspace.apiCalls().filter((call) => call.method === method).length;

/** What somebody was told alone or directly. */
export function toldTo({ workspace }: Part<'workspace'>, userId: string) {
  const direct = `D${userId.slice(1)}`;
  return workspace
    .snapshot()
    .messages.filter(({ ephemeralFor, channel }) => ephemeralFor === userId || channel === direct);
}

/** Of each message with a text that a phone got, its number, in order. */
export const got = ({ carrier }: Part<'carrier'>, text: string): readonly string[] =>
  Object.values(carrier.state().phones)
    .flat()
    .filter((one) => one.text?.includes(text))
    .map(({ number }) => number)
    .toSorted();

/** Asha saves a list under a name, by its form. @param command `replace` for one that there is */
export async function saveAudience(stack: E2eStack, name: string, csv: string, command = 'upload') {
  const asha = stack.person(ASHA);
  const file = await asha.upload(`${name}.csv`, csv);
  const form = await asha.openForm(TEAM, `/audiences ${command} ${name}`);
  form.attach('file', [file]);
  await form.submit();
  await stack.shows(/is saved\./);
  await form.close();
}

export const postWebhook = (
  { heraldUrl }: Part<'heraldUrl'>,
  body: string | object,
  headers: Record<string, string> = {},
  address = WEBHOOKS,
) =>
  fetch(heraldUrl + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** What a question to Herald's database file is answered with, as whoever has the file might ask it. */
export function inFile({ dataDirectory }: Part<'dataDirectory'>, sql: string, ...given: readonly string[]) {
  const database = new DatabaseSync(join(dataDirectory, 'herald.db'), { timeout: 5_000 });
  try {
    return database.prepare(sql).all(...given) as Rows;
  } finally {
    database.close();
  }
}

/** Every row of every table. */
export function tablesIn(stack: Part<'dataDirectory'>): Readonly<Record<string, Rows>> {
  const tables = inFile(stack, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  return Object.fromEntries(
    tables.map(({ name }) => [name, inFile(stack, `SELECT * FROM "${String(name)}"`)]),
  );
}
