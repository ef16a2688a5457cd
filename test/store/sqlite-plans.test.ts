import type { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import { sqliteDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { callEveryMethod, LIFE_KEY } from './every-method.ts';
import { openedFile } from './file-setting.ts';

/** Tables that hold few rows however long Herald runs. */
const SMALL: readonly string[] = [
  ...['newest_copy', 'alert_version', 'alert_rules', 'alert_numbers', 'templates'],
  // What is tried at the moment, and what was set aside.
  'input_attempts',
];
/** Indexes of what is still to be done; what is done has left them. */
const TO_DO: readonly string[] = [
  'sends_half_removed',
  ...['alert_events_undecided', 'alerts_due', 'send_failures_unknown'],
];
/** Beginnings of statements that read a table as a whole, and why they may. */
const WHOLE: Readonly<Record<string, string>> = {
  'SELECT id FROM sends WHERE attempting > 0': 'once, at the start',
  'SELECT count(*) AS count FROM opt_outs': 'when a person asks',
  'SELECT mark FROM posts WHERE wanted > shown': 'an index has only those that are to be shown',
  'SELECT count(*) AS count, min(since) AS since FROM posts': 'an index has only those that are to be shown',
  'UPDATE audiences SET digest = NULL':
    'once a day or an hour, and there is a list for each large send at most',
  'SELECT audience_id, row, name, cells': 'the operator’s command, which has the file alone',
  'DELETE FROM audience_rows WHERE number': 'the operator’s command, which has the file alone',
  'DELETE FROM audience_exclusions\n  WHERE replace': 'the operator’s command, which has the file alone',
  'DELETE FROM drafts WHERE form LIKE': 'the operator’s command, which has the file alone',
  'UPDATE customer_events SET event = replace': 'the operator’s command, which has the file alone',
  'UPDATE alerts SET document = replace': 'the operator’s command, which has the file alone',
  "UPDATE webhooks SET body = x'', removed = max": 'the operator’s command, which has the file alone',
};

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The steps of a plan that read more the more there is on record, or read a list anew for each row. */
function scansIn(steps: readonly Step[], text: string): readonly string[] {
  const detailOf = (id: number) => steps.find((step) => step.id === id)?.detail ?? '';
  return steps.flatMap(({ id, parent, detail }) => {
    const [, table = '', index] = /^SCAN (\w+)(?:.* USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    // No table: a row of constants, or what a part of the statement gives, which is a step of its own.
    if (table === '' || table === 'CONSTANT' || steps.some((step) => step.detail === `CO-ROUTINE ${table}`))
      return [];
    const loops = steps.filter((step) => step.parent === parent && /^(?:SCAN|SEARCH) /.test(step.detail));
    const isRepeated = loops[0]?.id !== id || detailOf(parent).startsWith('CORRELATED');
    // Of the row's own list, not of one that was given.
    if (/^jsonb?_each$/.test(table)) return isRepeated && /FROM jsonb?_each\(\?/.test(text) ? [detail] : [];
    return !isRepeated && (SMALL.includes(table) || TO_DO.includes(index ?? '')) ? [] : [detail];
  });
}

function explain(file: DatabaseSync, text: string): readonly Step[] {
  return file.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as unknown as Step[];
}

/** Every statement that the stores prepare in a life in which each of their methods is called. */
async function everyStatement(): Promise<{ file: DatabaseSync; texts: readonly string[] }> {
  const file = openedFile(':memory:');
  onTestFinished(() => file.close());
  const prepare = file.prepare.bind(file);
  const texts = new Set<string>();
  file.prepare = (text) => {
    texts.add(text);
    return prepare(text);
  };
  const stores = createSqliteStores(file, createPseudonym(LIFE_KEY));
  await callEveryMethod(stores, sqliteDatabase(file), 'first');
  return { file, texts: [...texts].filter((text) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) };
}

it('no statement on a file reads a table as a whole, or a given list again for each row', async () => {
  const { file, texts } = await everyStatement();
  expect(texts.length).toBeGreaterThan(100);
  const { whole = [], others = [] } = Object.groupBy(texts, (text) =>
    Object.keys(WHOLE).some((beginning) => text.startsWith(beginning)) ? 'whole' : 'others',
  );
  const found = others.flatMap((text) =>
    scansIn(explain(file, text), text).map((scan) => `${scan}: ${text}`),
  );
  expect(found).toEqual([]);
  // What is no exception any more leaves the list.
  expect(whole.filter((text) => scansIn(explain(file, text), text).length === 0)).toEqual([]);
});
