import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASHA, MEI, RAVI, TEAM } from '../e2e/team.ts';
import { forge } from './forged.ts';
import { isFull } from './how-many.ts';
import { inManyFormats, many, numbers, type Sent, startLeave } from './leave-steps.ts';
import { ALERTS } from './world.ts';

/* Each attempt to send without enough people’s leave has a send of its own, and says what must be the truth of it. */

/** At once. */
const CLICKS = isFull ? 50 : 12;

/** How it ends, and how many get it. */
type Truth = readonly [state: string, got: number];
const WAITS: Truth = ['awaiting_approval', 0];
const VOID: Truth = ['cancelled', 0];

/** What is done to a send to so many, which waits all the same unless it says how it ends. */
interface Attempt {
  readonly to: 'two' | 'three' | 'five' | 'six';
  readonly act?: (send: Sent) => Promise<unknown>;
  readonly truth?: Truth;
}

let steps: Awaited<ReturnType<typeof startLeave>>;
let asked = 0;
const newText = () => {
  asked += 1;
  return `Attempt ${asked}.`;
};
beforeAll(async () => {
  steps = await startLeave();
});
afterAll(() => steps?.stack.stop());

const click = (userId: string, send: Sent) => steps.click(userId, send);
const approvedBy = async (userId: string, send: Sent) => {
  await click(userId, send);
  await steps.recorded(send, 'approved_by');
};

/** Of what an approval is for, edited in the database. */
const OF_LIST = `(SELECT audience ->> 'id' FROM sends WHERE id = ?)`;
const LAST_ROW = 'send_id = ?1 AND row = (SELECT max(row) FROM recipients WHERE send_id = ?1)';
const SEEN_AT_THE_CLICK: Readonly<Record<string, string>> = {
  text: `UPDATE sends SET message = replace(message, 'Attempt', 'Other words. Attempt') WHERE id = ?`,
  sender: `UPDATE sends SET message = replace(message, 'ACMEIN', 'OTHERS') WHERE id = ?`,
  schedule: 'UPDATE sends SET start_at = created_at + 1 WHERE id = ?',
  'size of the list': 'UPDATE sends SET recipient_count = recipient_count - 1 WHERE id = ?',
  'columns of the list': `UPDATE audiences SET columns = '["x"]' WHERE id = ${OF_LIST}`,
  'digest of the list': `UPDATE audiences SET digest = 'x' WHERE id = ${OF_LIST}`,
};
const SEEN_AT_THE_START: Readonly<Record<string, string>> = {
  ...SEEN_AT_THE_CLICK,
  number: `UPDATE recipients SET number = '+919812346099' WHERE ${LAST_ROW}`,
  'values of a row': `UPDATE recipients SET cells = '["x"]' WHERE ${LAST_ROW}`,
  'row more': `INSERT INTO recipients (send_id, row, number, state) VALUES (?1, 9999, '+919812346099', 'pending')`,
  'row less': `DELETE FROM recipients WHERE ${LAST_ROW}`,
};
const edited = (to: 'three' | 'six', when: string, edits: Readonly<Record<string, string>>) =>
  Object.entries(edits).map(([what, edit]): readonly [string, Attempt] => {
    const act = async (send: Sent) => {
      if (to === 'six') await approvedBy(RAVI, send);
      const restore = await steps.editFor(send, edit);
      await click(MEI, send);
      await steps.becomes(send, /^cancelled$/);
      restore();
    };
    return [`${what} changed ${when}`, { to, act, truth: VOID }];
  });

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'as many as need no leave': { to: 'two', truth: ['done', 2] },
  'one more': { to: 'three' },
  'as many as one may approve': { to: 'five', act: (send) => click(RAVI, send), truth: ['done', 5] },
  'one more, by one': { to: 'six', act: (send) => approvedBy(RAVI, send) },
  'by who asked': { to: 'three', act: (send) => steps.clicks(CLICKS, [ASHA], send) },
  'by one of two, one time after the other and at once': {
    to: 'six',
    act: async (send) => {
      await approvedBy(RAVI, send);
      await click(RAVI, send);
      await steps.clicks(CLICKS, [RAVI], send);
    },
  },
  'by one of two and who asked': {
    to: 'six',
    act: (send) => steps.clicks(CLICKS, [RAVI, ASHA], send),
  },
  'by both at once, many times: one start': {
    to: 'six',
    act: (send) => steps.clicks(CLICKS, [RAVI, MEI], send),
    truth: ['done', 6],
  },
  'with the digest of another send, and the other way round': {
    to: 'three',
    act: async (send) => {
      const other = await steps.ask('three', newText());
      await steps.approve(RAVI, `${send.id}.${other.digest}`);
      await steps.approve(RAVI, `${other.id}.${send.digest}`);
      // With its own digest it is another matter.
      await click(RAVI, other);
      await steps.becomes(other, /^done$/);
    },
  },
  'by two, of whom one has read another digest': {
    to: 'six',
    act: async (send) => {
      await steps.approve(RAVI, `${send.id}.${send.digest.replaceAll('a', 'b')}`);
      await click(MEI, send);
    },
  },
  'with a payload that was tampered with': {
    to: 'three',
    act: ({ id, digest }) => {
      const flipped = `${digest.startsWith('0') ? '1' : '0'}${digest.slice(1)}`;
      const digests = ['', ' ', digest.slice(1), digest.slice(0, -1), flipped, `${digest}0`, ` ${digest}`];
      const odd = ['undefined', '%', digest.toUpperCase(), `${digest}\u0000`, digest.repeat(500)];
      const ids = ['', id.toLowerCase(), `${id} `, `${id}\n`, '%', `' OR '1'='1`, '__proto__', '\u0000'];
      const values = [...digests, ...odd].map((one) => `${id}.${one}`);
      const all = [...values, id, '.', ...ids.map((one) => `${one}.${digest}`)];
      return many(all.length, (n) => steps.approve(RAVI, all[n] ?? ''));
    },
  },
  'withdrawn by somebody else as their own': {
    to: 'three',
    act: (send) => steps.reject(RAVI, send, true),
  },
  'rejected by who asked': { to: 'three', act: (send) => steps.reject(ASHA, send) },
  'by the card of what was taken back': {
    to: 'three',
    act: async (send) => {
      await steps.reject(ASHA, send, true);
      await steps.becomes(send, /^cancelled$/);
      await click(RAVI, send);
    },
    truth: VOID,
  },
  'by the card of what was rejected': {
    to: 'three',
    act: async (send) => {
      await steps.reject(RAVI, send);
      await steps.becomes(send, /^rejected$/);
      await steps.clicks(10, [RAVI, MEI], send);
    },
    truth: ['rejected', 0],
  },
  'by the card of what has expired': {
    to: 'three',
    act: (send) => {
      steps.byHand('UPDATE sends SET expires_at = created_at WHERE id = ?', send.id);
      return click(RAVI, send);
    },
    truth: ['expired', 0],
  },
  'by the card of what is done': {
    to: 'three',
    act: async (send) => {
      await click(RAVI, send);
      await steps.becomes(send, /^done$/);
      await steps.clicks(10, [RAVI, MEI], send);
    },
    truth: ['done', 3],
  },
  'by whoever has lost the role': {
    to: 'three',
    act: (send) =>
      steps.withManagers([ASHA, MEI], async () => {
        await click(RAVI, send);
        await steps.recorded(send, 'approval_refused');
      }),
  },
  'by two, of whom one has lost the role since': {
    to: 'six',
    act: async (send) => {
      await approvedBy(RAVI, send);
      await steps.withManagers([ASHA, MEI], async () => {
        await click(MEI, send);
        await steps.becomes(send, /^cancelled$/);
      });
    },
    truth: VOID,
  },
  'by one and, in the database, by who asked': {
    to: 'six',
    act: (send) => {
      steps.byHand(
        'INSERT INTO approvals SELECT id, user_id, digest, created_at FROM sends WHERE id = ?',
        send.id,
      );
      return click(RAVI, send);
    },
    truth: VOID,
  },
  'by one, with the number needed lowered in the database': {
    to: 'six',
    act: (send) => {
      steps.byHand('UPDATE sends SET approvals_needed = 1 WHERE id = ?', send.id);
      return click(RAVI, send);
    },
  },
  'under the name of a list that holds others meanwhile: who was approved gets it': {
    to: 'six',
    act: async (send) => {
      await approvedBy(RAVI, send);
      await steps.save('six', numbers(6, 20), 'replace');
      await click(MEI, send);
      await steps.becomes(send, /^done$/);
      expect(steps.got(send.text)).toEqual(numbers(6));
      await steps.save('six', numbers(6), 'replace');
    },
    truth: ['done', 6],
  },
  ...Object.fromEntries(edited('three', 'after the card', SEEN_AT_THE_CLICK)),
  ...Object.fromEntries(edited('six', 'after the first of two approvals', SEEN_AT_THE_START)),
};

test('leave: nobody sends to many alone, whatever is done with a card', async ({ task }) => {
  const tried: { readonly name: string; readonly truth: Truth; readonly send: Sent }[] = [];
  for (const [name, { to, act, truth = WAITS }] of Object.entries(ATTEMPTS)) {
    const send = await steps.ask(to, newText());
    await act?.(send);
    tried.push({ name, truth, send });
  }
  for (const { truth, send } of tried) await steps.becomes(send, new RegExp(`^${truth[0]}$`));
  // A stop waits for what is still being worked on; a start takes up whatever may go on.
  await steps.stack.restart();
  await steps.stack.stopHerald();
  for (const { name, truth, send } of tried) {
    const phones = steps.got(send.text);
    expect([name, phones.length]).toEqual([name, truth[1]]);
    await steps.ends(send, [truth[0]], [...new Set(phones)]);
  }
  await steps.stack.restart();
  task.meta.figure = `${tried.length} attempts, each with the end that it must have`;
});

test('leave: every other way to many asks for it, too', async ({ task }) => {
  const asha = steps.stack.person(ASHA);
  const waiting: Sent[] = [];
  const waits = async (text: string) => {
    const send = await steps.sendOf(text);
    await steps.becomes(send, /^awaiting_approval$/);
    expect(steps.got(text)).toEqual([]);
    waiting.push(send);
    return send;
  };
  const gets = (text: string, count: number) =>
    expect.poll(() => new Set(steps.got(text)).size, { message: text }).toBe(count);

  await steps.ask('pair', 'Line to a pair.');
  await gets('Line to a pair.', 2);
  await steps.ask('crew', 'Line to the crew.');
  await waits('Line to the crew.');

  const alert = (text: string) => asha.post(ALERTS, text, []);
  await alert('pair: smoke.');
  await gets('pair: smoke.', 2);
  await alert('crew: fire.');
  const fire = await waits('crew: fire.');

  const step = (to: string, text: string) => asha.runStep('send_flash_sms', { channel: TEAM, to, text });
  const written = (count: number) => inManyFormats(numbers(count, 40)).replaceAll(/^tel:.*$/gm, '');
  expect((await step(written(2), 'Step to two.')).outputs).toMatchObject({ status: 'sending' });
  await gets('Step to two.', 2);
  expect((await step(written(3), 'Step to three.')).outputs).toMatchObject({ status: 'awaiting_approval' });
  await waits('Step to three.');

  // Whoever asked for the first one does not approve what tries it again.
  const failing = await steps.ask('three', 'In vain.');
  const { carrier } = steps.stack;
  carrier.setFaults(numbers(3).map((number) => ({ number, do: { type: 'status', status: 400 } })));
  await click(RAVI, failing);
  await steps.becomes(failing, /^done$/);
  carrier.setFaults([]);
  const value = failing.id;
  await many(20, () => forge(steps.stack, 'action:send_retry_failed', { userId: RAVI }, { value }));
  const retry = await steps.sendOf('In vain.', failing.id);
  await steps.clicks(20, [ASHA, RAVI], retry);
  await waits('In vain.');

  // Those that Asha asked for are not hers to approve.
  for (const send of waiting) if (send.id !== fire.id) await click(ASHA, send);

  const races: Sent[] = [];
  for (let race = 0; race < RACES; race += 1) {
    const send = await steps.ask('three', newText());
    const against = race % 2 === 0 ? steps.reject(MEI, send) : steps.reject(ASHA, send, true);
    await Promise.all([against, click(RAVI, send)]);
    races.push(send);
  }
  for (const send of races) await steps.becomes(send, /^(?:done|rejected|cancelled)$/);
  await steps.stack.restart();
  await steps.stack.stopHerald();
  for (const send of waiting) await steps.ends(send, ['awaiting_approval']);
  for (const send of races) await steps.ends(send, ['done', 'rejected', 'cancelled'], numbers(3));
  // The others may be approved: it is not that nobody could.
  await steps.stack.restart();
  for (const send of waiting) await click(MEI, send);
  for (const send of waiting) await steps.becomes(send, /^done$/);
  for (const { text } of waiting) expect(new Set(steps.got(text)).size).toBe(steps.got(text).length);
  task.meta.figure = `${waiting.length} ways wait; of ${RACES} races of approve against reject or withdraw each has one end`;
});

const RACES = isFull ? 12 : 4;
