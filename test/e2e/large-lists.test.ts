import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { runningStack } from './stack.ts';
import { ASHA, TEAM, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
access: { lists: [U0ASHA] }
approvals: { channel: C0APPROVALS, approvers: [S0MANAGERS], over: 1 }
`;
const stack = runningStack({ config: CONFIG });
afterEach(() => stack.closeViews());

test('a million rows of three columns are posted packed, and read and counted to the last', async () => {
  const asha = stack.person(ASHA);
  const number = (n: number) => `+91${7_000_000_000 + n}`;
  const rows = Array.from({ length: 1_000_000 }, (_, n) => `${number(n)},Customer ${n},A-${n}`);
  const packed = gzipSync(['phone,customer,order', ...rows].join('\n'), { level: 1 });
  const message = await asha.post(TEAM, 'Everybody', [await asha.upload('everybody.csv.gz', packed)]);
  const form = await asha.openFormByShortcut('use_as_audience', message);
  expect(await form.submit()).toEqual({ ok: true });
  expect(stack.words()).toContain('The file is being read.');
  await stack.shows(/is saved\./, ASHA, 120_000);
  expect(stack.words()).toContain(', 1,000,000 people');
}, 150_000);

/* As many as the ten megabytes that a form takes hold. */
test('700,000 rows, half of them twice, are read, counted and held, with every number once', async () => {
  const asha = stack.person(ASHA);
  const numbers = Array.from({ length: 350_000 }, (_, n) => `+9198${String(n + 10_000_000)}`);
  const file = await asha.upload('many.csv', ['phone', ...numbers, ...numbers].join('\n'));
  const form = await asha.openForm(TEAM, '/sms');
  await form.choose('recipients', 'file');
  form.attach('file', [file]).fill('text', 'Hello');
  expect(await form.submit()).toEqual({ ok: true });
  await stack.shows(/350,000 of 700,000 people get it/, ASHA, 120_000);
  expect(stack.words()).toContain('Left out: 350,000 twice.');
  expect(stack.wholeRequests()).toEqual([]);
}, 150_000);
