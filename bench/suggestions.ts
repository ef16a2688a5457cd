import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Template, templateSchema } from '../src/messages/templates/template.ts';
import { createStoredCatalogue } from '../src/sends/templates/catalogue.ts';
import { openSqliteStores } from '../src/store/sqlite/in-thread.ts';
import { median } from './row.ts';

/*
 * How long the template picker of a form waits for its suggestions, with 5,000 templates on disk: at the first
 * search after a start (which Herald makes itself, before Slack can ask), at the first keystroke after somebody has
 * changed a template, and at every other one, typos included. Slack's share of the way is not in it.
 */
const TEMPLATES = Number(process.argv[2] ?? 5_000);
const ROUNDS = 20;
const SUBJECTS = [
  'Order',
  'Delivery',
  'Invoice',
  'Appointment',
  'Payment',
  'Refund',
  'Welcome',
  'Reminder',
  'Offer',
  'Café',
];
const DEEDS = [
  'update',
  'confirmed',
  'delayed',
  'cancelled',
  'rescheduled',
  'ready for pickup',
  'on its way',
  'overdue',
];
const TYPED = [
  'order update',
  'delivery resch',
  'cafe on its',
  'appointmnet',
  'remider overdeu',
  'tomorrow',
  '4711',
  'zzzz',
];

const folder = mkdtempSync(join(tmpdir(), 'herald-suggestions-'));
const stores = await openSqliteStores(join(folder, 'herald.db'));
if (!stores.ok) throw new Error(stores.error);
const { templates: store, sends } = stores.value;

function template(n: number): Template {
  const label = `${SUBJECTS[n % SUBJECTS.length]} ${DEEDS[n % DEEDS.length]} ${n}`;
  return templateSchema.parse({
    name: label
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_'),
    channel: 'chatapp',
    variant: 'text',
    label,
    text: `Hello {{1}}, this is about your ${label.toLowerCase()} of {{2}}. See you tomorrow, or answer here.`,
  });
}

const writes = Array.from({ length: TEMPLATES }, (_none, n) => ({
  template: template(n),
  archived: false,
  action: 'added' as const,
  expected: 0,
}));
await store.write(writes, { actor: 'U0ASHA', at: Date.now(), source: 'form' });
const catalogue = createStoredCatalogue(store);

async function timed(query: string): Promise<number> {
  const startedAt = performance.now();
  await catalogue.search('chatapp', query, 100);
  return performance.now() - startedAt;
}

const first = await timed('o');
const keystrokes: number[] = [];
const afterChange: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const words of TYPED)
    for (let length = 0; length <= words.length; length += 1)
      keystrokes.push(await timed(words.slice(0, length)));
  const changed = { ...template(round), text: `Changed ${round}` };
  await store.write([{ template: changed, archived: false, action: 'edited', expected: 1 }], {
    actor: 'U0ASHA',
    at: Date.now(),
    source: 'form',
  });
  afterChange.push(await timed('order'));
}
const sorted = keystrokes.toSorted((a, b) => a - b);
const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
console.log(`${TEMPLATES} templates, ${keystrokes.length} keystrokes, in milliseconds:`);
console.log(`  first after a start ${first.toFixed(0)}`);
console.log(
  `  first after a change ${median(afterChange).toFixed(0)}, at most ${Math.max(...afterChange).toFixed(0)}`,
);
console.log(`  any other: median ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1 - 1 / sorted.length)}`);
await sends.close();
rmSync(folder, { recursive: true });
