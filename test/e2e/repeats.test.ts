import { describe, expect, test } from 'vitest';
import { clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* Whoever gets the very same message once more is counted, in the review, on the card and where somebody approves. */

const config = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
`;
const SAME = 'this very message';
const idIn = (text: string) => /S-[0-9A-Z]{10}/.exec(text)?.[0] ?? '';

describe('the same message', () => {
  const stack = runningStack({ config });
  const asha = () => stack.person(ASHA);
  const person = (n: number) => `+91981234570${n}`;
  /** One with an order for each of these people. */
  const orders = (people: readonly number[], day: string) => people.map((n) => [person(n), `${day}-${n}`]);
  const card = () => JSON.stringify(stack.shown(APPROVALS, /please decide/)?.blocks ?? []);

  /** Asks to send a list its orders; returns what the review said, and the card. */
  async function ask(rows: readonly (readonly string[])[], text = 'Your order {{order}} is on its way.') {
    const list = ['phone,order', ...rows.map((row) => row.join(','))].join('\n');
    const file = await asha().upload('orders.csv', list);
    const form = await asha().openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', text);
    await form.submit();
    await stack.review();
    const review = stack.words();
    await form.submit();
    await stack.eventually('its card', () => /please decide/.test(card()));
    await form.close();
    return { review, card: card() };
  }

  async function approve(more: number) {
    const before = reached(stack).length;
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('all of them', () => reached(stack).length === before + more);
    await stack.eventually('its end', () => card() === '[]');
  }

  test('of other people, and of the same with other orders, nothing is said', async () => {
    await ask(orders([0, 1, 2, 3, 4], 'MON'));
    await approve(5);
    for (const rows of [orders([5, 6, 7], 'MON'), orders([0, 1, 2, 3, 4], 'TUE')]) {
      const said = await ask(rows);
      expect(said.review).not.toContain(SAME);
      expect(said.card).not.toContain(SAME);
      await approve(rows.length);
    }
  });

  test('of the same people, or some of them, it is said everywhere: how many, when, by which send', async () => {
    const all = await ask(orders([0, 1, 2, 3, 4], 'MON'));
    const [, when = '', first = ''] =
      new RegExp(`All 5 got ${SAME} (<!date.+?>) .(S-\\w+), by <@${ASHA}>`).exec(all.card) ?? [];
    const words = `All 5 got ${SAME} ${when} (${first}, by <@${ASHA}>).`;
    expect(first).not.toBe('');
    expect(all.review).toContain(words);
    expect(all.card).toContain(`⚠️ ${words}`);
    expect(all.card).toContain(`"All 5 got ${SAME} (${first}). `);
    await approve(5);

    const some = await ask(orders([3, 4, 5, 8, 9], 'MON'));
    expect(some.card).toContain(`⚠️ 3 of 5 got ${SAME} `);
    expect(some.review).toContain(`3 of 5 got ${SAME} `);
    expect(some.card).toContain(' and 1 more).');
    await approve(5);
  });

  test('by one line or form is asked about once, also of two at the same moment', async () => {
    const line = `/sms ${person(9)} Your parcel waits`;
    const to = () => reached(stack).filter((number) => number === person(9)).length;
    const before = to();
    await Promise.all([asha().command(TEAM, line), stack.person('U0MEI').command(TEAM, line)]);
    await stack.eventually('the first', () => to() === before + 1);
    const asking = await stack.eventually('whoever was second is asked', () =>
      [asha(), stack.person('U0MEI')].find((one) => one.views().length > 0),
    );
    expect(JSON.stringify(asking.views())).toMatch(
      new RegExp(`This person (is to get|got) ${SAME}.*\\(S-\\w+\\)\\. Nothing was sent yet\\.`),
    );
    const form = asking.form();
    await form.submit();
    await stack.eventually('what was meant', () => to() === before + 2);
    expect(asking.views()).toEqual([]);

    const again = await asha().openForm(TEAM, '/sms');
    again.fill('to', person(9)).fill('text', 'Your parcel waits');
    await again.submit();
    await stack.shows(/less than a minute ago/);
    expect(to()).toBe(before + 2);
    again.fill('text', 'Your parcel still waits');
    await again.submit();
    await stack.eventually('other words, of which nobody asks', () => to() === before + 3);
  });

  test('that went out after the card was shown is no surprise to who approves it', async () => {
    const text = 'The shop opens at nine';
    const { card: shownFirst } = await ask(
      [0, 1].map((n) => [person(n), 'x']),
      text,
    );
    expect(shownFirst).not.toContain(SAME);
    const waiting = idIn(shownFirst);
    await asha().command(TEAM, `/sms ${person(1)} ${text}`);
    await stack.eventually('the question', () => stack.words().includes(`is to get ${SAME} (${waiting})`));
    const before = reached(stack).length;
    await asha().form().submit();
    await stack.eventually('the single one', () => reached(stack).length === before + 1);

    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.told(RAVI, /Since this card was shown, more or other sends have come to bring/);
    await stack.eventually('the card says it', () => card().includes(`1 of 2 got ${SAME}`));
    expect(reached(stack)).toHaveLength(before + 1);
    await approve(2);
  });
});
