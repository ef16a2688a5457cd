import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';

/*
 * The whole of Herald, asked and approved in Slack, killed again and again in the middle of a send: nobody is reached
 * twice, nobody is forgotten, and the channel hears of the end once, and not before it.
 */
const RECIPIENTS = 20_000;
const KILLS = 50;
const PER_SECOND = 400;
const CONCURRENCY = 50;
/** What a crash may leave in doubt: what was on its way, and what the pace starts within 50 ms. */
const MOST_UNKNOWN_A_KILL = CONCURRENCY + (PER_SECOND * 50) / 1_000;
/** From the first message after a start to the kill: at most this long. */
const LONGEST_LIFE_MS = 300;
const APPROVALS = 'C0APPROVALS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
pacing: { chatapp: { perSecond: ${PER_SECOND}, concurrency: ${CONCURRENCY} } }
`;

let stack: E2eStack;
/** How often the carrier got a message for each number. */
const received = new Map<string, number>();
let total = 0;

beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIG });
  stack.carrier.subscribe((event) => {
    if (event.type !== 'message') return;
    total += 1;
    received.set(event.message.number, (received.get(event.message.number) ?? 0) + 1);
  });
}, 60_000);

afterAll(() => stack?.stop(), 60_000);

const numberOf = (n: number) => `+91981${String(n).padStart(7, '0')}`;
const said = () =>
  stack.workspace
    .snapshot()
    .messages.map((message) => ({ ...message, words: message.text + JSON.stringify(message.blocks ?? '') }));
const isDone = () =>
  said().some(({ channel, words }) => channel === TEAM && /recipients\*?: done/.test(words));

it('reaches everybody at most once through fifty kills, and says so once', async () => {
  await ask();
  await approve();
  const kills: { readonly attempting: number; readonly early: boolean }[] = [];
  while (kills.length < KILLS) {
    await untilSending();
    await delay(Math.random() * LONGEST_LIFE_MS);
    await stack.killHerald();
    const { state, counts } = await look();
    const open = counts.pending + counts.attempting;
    kills.push({ attempting: counts.attempting, early: open > 0 && (state === 'done' || isDone()) });
    if (open === 0) break;
    await stack.restart();
  }
  await stack.eventually('the end', isDone, 120_000);
  const report = await stack.eventually(
    'the report',
    () => said().find(({ files }) => files?.length),
    60_000,
  );
  await stack.stopHerald();
  const { state, counts } = await look();
  const twice = [...received.values()].filter((count) => count > 1).length;
  const most = Math.max(...kills.map(({ attempting }) => attempting));
  console.log(
    `${kills.length} kills of the whole Herald: ${received.size} numbers reached, ${twice} twice, ${counts.unknown} unknown ` +
      `(at most ${most} a kill, ${MOST_UNKNOWN_A_KILL} allowed), ${kills.filter(({ early }) => early).length} times done early`,
  );
  // The marker beside the database lags behind at each kill, and must not be taken for that of a newer copy.
  expect(stack.logs()).not.toContain('older copy');
  expect(kills).toHaveLength(KILLS);
  expect(twice).toBe(0);
  expect(state).toBe('done');
  expect(counts).toMatchObject({ pending: 0, attempting: 0, accepted: RECIPIENTS - counts.unknown });
  // Whoever was not reached is among the unknown; some of the unknown were reached all the same.
  expect(received.size + counts.unknown).toBeGreaterThanOrEqual(RECIPIENTS);
  expect(most).toBeLessThanOrEqual(MOST_UNKNOWN_A_KILL);
  expect(kills.filter(({ early }) => early)).toEqual([]);
  expect(said().filter(({ files }) => files?.length)).toEqual([report]);
  expect(said().filter(({ channel, words }) => channel === TEAM && words.includes('progress:'))).toHaveLength(
    1,
  );
}, 1_200_000);

async function ask(): Promise<void> {
  const asha = stack.person(ASHA);
  const rows = Array.from({ length: RECIPIENTS }, (_, n) => `${numberOf(n)},Person ${n},A-${n}`);
  const file = await asha.upload('customers.csv', ['phone,customer,order', ...rows].join('\n'));
  const form = await asha.openForm(TEAM, '/chatapp order_update');
  await form.choose('recipients', 'file');
  form.attach('file', [file]);
  await form.submit();
  const shows = (pattern: RegExp) => () => pattern.test(JSON.stringify(asha.views()));
  await stack.eventually('the review', shows(/Ask for approval/), 60_000);
  await form.submit();
  await stack.eventually('the card', () => said().some(({ channel }) => channel === APPROVALS), 60_000);
}

async function approve(): Promise<void> {
  const card = said().find(({ channel }) => channel === APPROVALS);
  const block = card?.blocks?.find((one) => (one as { type: string }).type === 'actions') as
    | { block_id: string; elements: { action_id: string; value?: string }[] }
    | undefined;
  const button = block?.elements.find(({ action_id }) => action_id === 'approval_approve');
  if (card === undefined || block === undefined || button === undefined)
    throw new Error('nothing can be approved');
  await stack.workspace.act({
    type: 'block_action',
    as: RAVI,
    container: { type: 'message', channel: APPROVALS, ts: card.ts },
    blockId: block.block_id,
    actionId: button.action_id,
    value: { type: 'button', value: button.value },
  });
}

async function untilSending(): Promise<void> {
  const before = total;
  await stack.eventually('messages at the carrier', () => total > before || isDone(), 60_000);
}

/** What is on disk while no Herald runs. */
async function look() {
  const database = openDatabase(join(stack.dataDirectory, 'herald.db'));
  if (!database.ok) throw new Error(database.error);
  const store = createSqliteStores(database.value).sends;
  const [send] = await store.list({ limit: 1 });
  await store.close();
  if (send === undefined) throw new Error('the send is gone');
  return send;
}
