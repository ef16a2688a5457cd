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
});
