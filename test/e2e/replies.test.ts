import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import type { CustomerReply, SandboxMessage } from '../../sandbox/protocol.ts';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}\nwebhooks: { channel: ${TEAM} }\n`;

describe.each(['socket', 'http'] satisfies Mode[])('answers of customers, in %s mode', (mode) => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ mode, config: CONFIG });
  });
  afterAll(() => stack?.stop());

  /** Sends an SMS and returns the message that tells of it, and the one on the phone. */
  async function send(text: string) {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} ${text}`);
    const { ts } = await channel.message(new RegExp(`accepted by the service[\\s\\S]*${text}`));
    const onPhone = stack.carrier.state().phones[CUSTOMER]?.findLast((message) => message.text === text);
    return { ts, messageId: onPhone?.id ?? '' };
  }

  const answer = (messageId: string, what: CustomerReply['answer']) =>
    stack.carrier.reply({ number: CUSTOMER, messageId, answer: what });

  const thread = (ts: string): SandboxMessage[] =>
    stack.workspace.snapshot().messages.filter((message) => message.thread_ts === ts && message.ts !== ts);
  const card = (ts: string): string =>
    stack.workspace
      .snapshot()
      .messages.filter((message) => message.ts === ts)
      .map(messageText)
      .join('');

  test('a tap stands in the thread with title and masked number, and is counted on the message', async () => {
    const { ts, messageId } = await send('Shall we come tomorrow?');
    expect(await answer(messageId, { type: 'button', id: 'later', title: 'Reschedule' })).toEqual({
      ok: true,
    });
    await stack.eventually('the tap in the thread', () => thread(ts).length === 1);
    expect(thread(ts).map(messageText).join('')).toMatch(/Reschedule[\s\S]*\+65 •••• 4567/);
    expect(JSON.stringify(thread(ts)[0]?.blocks)).toContain(`"user_id":"${ASHA}"`);
    await stack.eventually('the tally', () => /💬 Reschedule \*?1/.test(card(ts)));
    await answer(messageId, { type: 'text', text: 'At five, <!channel> please' });
    await stack.eventually('the text in the thread', () => thread(ts).length === 2);
    expect(JSON.stringify(thread(ts)[1])).not.toContain('user_id');
    expect(thread(ts).map(messageText).join('')).toContain('At five, <!channel> please');
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
    const onPhone = stack.carrier.state().phones[CUSTOMER]?.findLast(({ interactive }) => interactive);
    const { interactive, id: messageId = '' } = onPhone ?? {};
    const [button] = interactive?.type === 'button' ? (interactive.action.buttons ?? []) : [];
    const click = { type: 'button', id: button?.reply.id ?? '', title: 'Friday is fine' } as const;
    for (const [index, told] of [{ tells: 'id' } as const, { tells: 'flat_id' } as const, {}].entries()) {
      expect(await answer(messageId, { ...click, title: 'OK', ...told })).toEqual({ ok: true });
      await stack.eventually(`click ${index + 1} in the thread`, () => thread(ts).length === index + 1);
      expect(messageText(thread(ts)[index] as SandboxMessage)).toContain(index < 2 ? 'Friday is fine' : 'OK');
    }
    await stack.eventually('the tally', () => /💬 Friday is fine \*?3\*?(\s|$)/.test(card(ts)));
    expect(card(ts)).not.toMatch(/💬[^\n]*(OK|friday-is-fine)/);
  });

  test('an address is a table in the thread; a failed delivery is decoded on the message', async () => {
    const { ts, messageId } = await send('Where shall we deliver?');
    await answer(messageId, { type: 'address', values: { name: 'Asha', in_pin_code: '560001' } });
    await stack.eventually('the table', () => JSON.stringify(thread(ts)).includes('"table"'));
    expect(JSON.stringify(thread(ts)[0]?.blocks)).toContain('560001');
    await answer(messageId, { type: 'report', status: 'failed', code: 131009 });
    await stack.eventually('the report', () =>
      /1\*? not delivered[\s\S]*with code 131009: parameter value is invalid[\s\S]*The text of a parameter cannot/.test(
        card(ts),
      ),
    );
  });

  test('a body that is nearly a form, and once had no end, holds nothing up', async () => {
    const url = `${stack.heraldUrl}/webhooks/messaging/sandbox-webhook-token`;
    const body = `a=${'&a='.repeat(38)} {`;
    const headers = { 'content-type': 'text/plain' };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
    const { ts, messageId } = await send('Are you still there?');
    await answer(messageId, { type: 'text', text: 'Still here' });
    await stack.eventually('the answer behind it', () => thread(ts).length === 1);
  });

  test('what belongs to no send goes to the configured channel', async () => {
    const channel = stack.from(stack.person(ASHA));
    const stranger = { number: '+919812340000', answer: { type: 'text', text: 'Who are you?' } } as const;
    expect(await stack.carrier.reply(stranger)).toEqual({ ok: true });
    await channel.message(/Who are you\?[\s\S]*Herald found no send/);
  });

  test('STOP puts the number on the opt-out list, says so, and the next send is refused', async () => {
    const { ts, messageId } = await send('Do you like these?');
    await answer(messageId, { type: 'text', text: 'Stop.' });
    await stack.eventually('the opt-out', () => /opt-out list/.test(thread(ts).map(messageText).join('')));
    const asha = stack.person(ASHA);
    const before = stack.wholeRequests().length;
    await asha.command(TEAM, `/sms ${CUSTOMER} One more`);
    await stack.eventually('the refusal', () => /opted out/.test(JSON.stringify(asha.messages(TEAM))));
    expect(stack.wholeRequests()).toHaveLength(before);
    expect(stack.logs()).not.toContain(CUSTOMER.slice(1));
    expect(stack.logs()).not.toContain('sandbox-webhook-token');
  });
});
