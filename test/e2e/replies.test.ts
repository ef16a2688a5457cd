import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { CustomerReply, SandboxMessage } from '../../sandbox/protocol.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}\nwebhooks: { channel: ${TEAM} }\n`;

describe('answers of customers', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });

  /** Sends an SMS and returns the message that tells of it, and the one on the phone. */
  async function send(text: string) {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} ${text}`);
    const { ts } = await channel.message(new RegExp(`accepted by the service[\\s\\S]*${text}`));
    const onPhone = stack.phone(CUSTOMER).findLast((message) => message.text === text);
    return { ts, messageId: onPhone?.id ?? '' };
  }

  const answer = (messageId: string, what: CustomerReply['answer']) =>
    stack.carrier.reply({ number: CUSTOMER, messageId, answer: what });

  const card = (ts: string): string =>
    stack
      .messages()
      .filter((message) => message.ts === ts)
      .map(messageText)
      .join('');

  test('a tap stands in the thread with title and masked number, and is counted on the message', async () => {
    const { ts, messageId } = await send('Shall we come tomorrow?');
    expect(await answer(messageId, { type: 'button', id: 'later', title: 'Reschedule' })).toEqual({
      ok: true,
    });
    await stack.eventually('the tap in the thread', () => stack.thread(ts).length === 1);
    expect(stack.thread(ts).map(messageText).join('')).toMatch(/Reschedule[\s\S]*\+65 •••• 4567/);
    expect(JSON.stringify(stack.thread(ts)[0]?.blocks)).toContain(`"user_id":"${ASHA}"`);
    await stack.eventually('the tally', () => /💬 Reschedule – \*?1/.test(card(ts)));
    await answer(messageId, { type: 'text', text: 'At five, <!channel> please' });
    await stack.eventually('the text in the thread', () => stack.thread(ts).length === 2);
    expect(JSON.stringify(stack.thread(ts)[1])).not.toContain('user_id');
    expect(stack.thread(ts).map(messageText).join('')).toContain('At five, <!channel> please');
  });

  test('a click of which only the id is told shows the title of its button, and counts as it', async () => {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    form.fillAll({
      to: CUSTOMER,
      'interactive.body.text': 'Is Friday good?',
      'interactive.action.buttons.0.reply.title': 'Friday is fine',
    });
    await form.submit();
    const { ts } = await channel.message(/accepted by the service[\s\S]*Is Friday good/);
    const onPhone = stack.phone(CUSTOMER).findLast(({ interactive }) => interactive);
    const { interactive, id: messageId = '' } = onPhone ?? {};
    const [button] = interactive?.type === 'button' ? (interactive.action.buttons ?? []) : [];
    const click = { type: 'button', id: button?.reply.id ?? '', title: 'Friday is fine' } as const;
    for (const [index, told] of [{ tells: 'id' } as const, { tells: 'flat_id' } as const, {}].entries()) {
      expect(await answer(messageId, { ...click, title: 'OK', ...told })).toEqual({ ok: true });
      await stack.eventually(`click ${index + 1} in the thread`, () => stack.thread(ts).length === index + 1);
      expect(messageText(stack.thread(ts)[index] as SandboxMessage)).toContain(
        index < 2 ? 'Friday is fine' : 'OK',
      );
    }
    await stack.eventually('the tally', () => /💬 Friday is fine – \*?3\*?(\s|$)/.test(card(ts)));
    expect(card(ts)).not.toMatch(/💬[^\n]*(OK|friday-is-fine)/);
  });

  test('an address is a table in the thread; a failed delivery is decoded on the message', async () => {
    const { ts, messageId } = await send('Where shall we deliver?');
    await answer(messageId, { type: 'address', values: { name: 'Asha', in_pin_code: '560001' } });
    await stack.eventually('the table', () => JSON.stringify(stack.thread(ts)).includes('"data_table"'));
    expect(JSON.stringify(stack.thread(ts)[0]?.blocks)).toContain('560001');
    await answer(messageId, { type: 'report', status: 'failed', code: 131009 });
    await stack.eventually('the report', () =>
      /not delivered[\s\S]*with code 131009: parameter value is invalid[\s\S]*The text of a parameter cannot/.test(
        card(ts),
      ),
    );
  });

  test('what belongs to no send goes to the configured channel', async () => {
    const channel = stack.from(stack.person(ASHA));
    const stranger = { number: '+919812340000', answer: { type: 'text', text: 'Who are you?' } } as const;
    expect(await stack.carrier.reply(stranger)).toEqual({ ok: true });
    await channel.message(/Who are you\?[\s\S]*Herald found no send/);
  });

  /** What Ravi's Home says of open questions, and what follows, once there are so many. */
  const questions = async (count?: number): Promise<string> => {
    const home = await stack.home(RAVI, count ? new RegExp(`Waiting for an answer: ${count}\\b`) : undefined);
    return home.slice(home.search(/Waiting for an answer|$/));
  };
  const countIn = (shown: string) => Number(/Waiting for an answer: (\d+)/.exec(shown)?.[1] ?? 0);
  const open = async (count: number): Promise<string> => {
    const shown = await questions(count);
    return countIn(shown) === count ? shown : open(count);
  };
  const saying = (ts: string, words: RegExp) =>
    stack.eventually(`${words} in the thread`, () =>
      stack.thread(ts).find((message) => words.test(messageText(message))),
    );
  /** A customer asks something, and Herald knows where it stands. */
  async function asked(what: string) {
    const before = countIn(await questions());
    const { ts, messageId } = await send(`Your table is booked. ${what.replace('?', '.')}`);
    await answer(messageId, { type: 'text', text: what });
    const question = await saying(ts, new RegExp(what.replace('?', '.')));
    return { ts, before, question, shown: await open(before + 1) };
  }

  test('a question is answered from its thread, and the conversation stays there', async () => {
    const { ts, before, question, shown } = await asked('For how many?');
    expect(shown).toMatch(/\+65 •••• 4567[\s\S]*archives\/C0TEAM/);
    const ravi = stack.person(RAVI);
    await ravi.press('answer_customer', { message: question });
    const form = ravi.form();
    expect(form.paths()).not.toContain('to');
    expect(JSON.stringify(form.view.blocks)).toContain('To +65 •••• 4567, who wrote: “For how many?”');
    expect(JSON.stringify(form.view)).not.toContain(CUSTOMER.slice(1));
    expect(await form.fill('text', 'For four people.').submit()).toEqual({ ok: true });
    await saying(ts, /accepted by the service[\s\S]*For four people/);
    const onPhone = stack.phone(CUSTOMER).at(-1);
    expect(onPhone?.text).toBe('For four people.');
    await open(before);
    await answer(onPhone?.id ?? '', { type: 'text', text: 'Make it five' });
    const next = await saying(ts, /Make it five/);
    await open(before + 1);
    await ravi.click('answer_none', { message: next });
    await saying(ts, /Make it five[\s\S]*No answer needed, says/);
    await open(before);
    expect(JSON.stringify(stack.messages())).not.toContain(CUSTOMER.slice(1));
  });

  test('who types into the thread is told once, and alone, that the customer does not see it', async () => {
    const { ts } = await asked('On Sundays, too?');
    const quiet = await send('Nobody answers this.');
    const type = (text: string, as = RAVI, thread_ts = ts) =>
      stack.workspace.act({ type: 'post', as, channel: TEAM, text, thread_ts });
    const hints = (root: string) => stack.thread(root).filter((one) => one.ephemeralFor !== undefined);
    await type('A note for the team', RAVI, quiet.ts);
    await type('Yes, on Sundays, too');
    await stack.eventually('the hint', () => hints(ts).length === 1);
    expect(hints(ts).map(messageText).join('')).toContain('The customer does not see');
    await type('Hello?');
    await type('Is anybody there?', ASHA);
    await stack.eventually('the hint to the other', () => hints(ts).length === 2);
    expect(hints(ts).map(({ ephemeralFor }) => ephemeralFor)).toEqual([RAVI, ASHA]);
    expect(hints(quiet.ts)).toEqual([]);
    const ravi = stack.person(RAVI);
    await ravi.press('answer_customer', { message: hints(ts)[0] as SandboxMessage });
    expect(await ravi.form().fill('text', 'Yes, from ten.').submit()).toEqual({ ok: true });
    await saying(ts, /accepted by the service[\s\S]*Yes, from ten/);
    expect(stack.phone(CUSTOMER).at(-1)?.text).toBe('Yes, from ten.');
  });

  test('STOP puts the number on the opt-out list, says so, and the next send is refused', async () => {
    const { ts, messageId } = await send('Do you like these?');
    await answer(messageId, { type: 'text', text: 'Stop.' });
    await stack.eventually('the opt-out', () =>
      /opt-out list/.test(stack.thread(ts).map(messageText).join('')),
    );
    const asha = stack.person(ASHA);
    const before = stack.wholeRequests().length;
    await asha.command(TEAM, `/sms ${CUSTOMER} One more`);
    await stack.eventually('the refusal', () => /opted out/.test(JSON.stringify(asha.messages(TEAM))));
    expect(stack.wholeRequests()).toHaveLength(before);
    expect(stack.logs()).not.toContain(CUSTOMER.slice(1));
    expect(stack.logs()).not.toContain('sandbox-webhook-token');
  });
});
