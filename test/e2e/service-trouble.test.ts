import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { messageText } from '../../sandbox/message-text.ts';
import type { Person } from '../../sandbox/person.ts';
import type { Conversation } from './scene.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

const HANGS = '+919999800001';

const stack = runningStack({ mode: 'socket', isQuick: true });
let asha: Person;
beforeAll(() => {
  asha = stack.person(ASHA);
});
beforeEach(() => stack.carrier.reset());

describe('a slow service', () => {
  test('the command is answered at once, “sending” stands in the channel and is updated in place', async () => {
    stack.carrier.setFaults([{ do: { type: 'delay', ms: 3_500 } }]);
    const conversation = stack.from(asha);
    const startedAt = performance.now();
    expect(await asha.command(TEAM, `/sms ${CUSTOMER} Slowly`)).toEqual({ ok: true });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const sending = await conversation.message(/sending/i);
    const accepted = await conversation.message(/accepted by the service/i);
    expect(accepted.ts).toBe(sending.ts);
    expect(conversation.texts()).toHaveLength(1);
  });
});

describe('the messaging key has expired', () => {
  const status = async (): Promise<string> => {
    const conversation = stack.from(asha);
    await asha.command(TEAM, '/herald status');
    return messageText(await conversation.message(/Herald (is|has)/));
  };

  test('status, readiness, metrics and the log say so once, and say when it is over', async () => {
    stack.carrier.setFaults([{ do: { type: 'status', status: 401 } }]);
    const earlier = stack.logs().length;
    const logged = (words: RegExp) => stack.logs().slice(earlier).match(words);
    const conversation = stack.from(asha);
    for (const text of ['First', 'Second']) {
      await asha.command(TEAM, `/sms ${CUSTOMER} ${text}`);
      await conversation.message(new RegExp(`nothing was sent[\\s\\S]*${text}`, 'i'));
    }
    const said = await status();
    expect(said).toContain('Herald has a problem.');
    expect(said).toMatch(/refuses Herald’s API key \(HTTP 401\).*MESSAGING_API_KEY/);
    const readiness = await stack.read('/readyz');
    expect(readiness.status).toBe(200);
    expect(readiness.text).toContain('refuses Herald’s API key');
    expect((await stack.read('/metrics')).text).toContain('herald_service_key_refused 1');
    expect(logged(/refuses Herald’s API key/g)).toHaveLength(1);

    stack.carrier.reset();
    await asha.command(TEAM, `/sms ${CUSTOMER} Third`);
    await conversation.message(/accepted by the service[\s\S]*Third/i);
    expect(await status()).toContain('Herald is working normally.');
    expect((await stack.read('/readyz')).text).not.toContain('API key');
    // What was rendered a moment ago is given again.
    await expect
      .poll(async () => (await stack.read('/metrics')).text)
      .toContain('herald_service_key_refused 0');
    expect(logged(/takes Herald’s API key again/g)).toHaveLength(1);
  });
});

describe('the service is down', () => {
  test('nothing was sent, said as such; the next one goes out when it is back', async () => {
    const nobody = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    await stack.restart({ env: { MESSAGING_BASE_URL: nobody, MESSAGING_FLASH_URL: nobody } });
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello`);
    const text = messageText(await conversation.message(/SMS: not sent/));
    expect(text).not.toMatch(/may have been sent|ECONNREFUSED.* at /i);
    await stack.restart();
    const after = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello again`);
    await after.message(/accepted by the service/i);
    expect(stack.phone(CUSTOMER).map(({ text }) => text)).toEqual(['Hello again']);
  });
});

describe('Herald is killed in the middle', () => {
  test('what was attempting shows as unknown, is not sent again, and the rest works', async () => {
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/sms ${HANGS} In the middle`);
    await stack.eventually('the request', () => stack.phone(HANGS).length === 1);
    expect(await stack.killHerald()).toEqual({ code: null, signal: 'SIGKILL' });
    await stack.restart();
    await conversation.message(/may have been sent/i);
    const after = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} After`);
    await after.message(/accepted by the service/i);
    expect(stack.phone(HANGS)).toHaveLength(1);
    expect(conversation.texts().filter((text) => /may have been sent/i.test(text))).toHaveLength(1);
  });

  test('a one-time password is in no file afterwards', async () => {
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/chatapp login_code ${HANGS} 719264`);
    await stack.eventually('the request', () => stack.phone(HANGS).length === 1);
    await stack.killHerald();
    expect(await stack.databaseBytes()).not.toContain('719264');
    await stack.restart();
    await conversation.message(/may have been sent/i);
  });
});

describe('Slack has trouble', () => {
  const cards = (conversation: Conversation, text: string): string[] =>
    conversation.texts().filter((card) => /accepted by the service/i.test(card) && card.includes(text));

  test('the answer to chat.postMessage is lost: one more card at most, of the same send', async () => {
    const conversation = stack.from(asha);
    const text = 'Slack lost the answer';
    const callsBefore = stack.workspace.apiCalls().length;
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: 'chat.postMessage', times: 1, do: 'drop_answer' }],
    });
    await asha.command(TEAM, `/flash ${CUSTOMER} ${text}`);
    // Herald looks again once, by reading the channel or, without that scope, by posting anew.
    const looksAgain = () => {
      const calls = stack.workspace.apiCalls().slice(callsBefore);
      const updated = calls.some(
        ({ method, args, answer }) =>
          method === 'chat.update' && answer.ok && JSON.stringify(args).includes(text),
      );
      return updated || cards(conversation, text).length === 2;
    };
    // Its call is on record a moment after the card has changed.
    await expect.poll(looksAgain).toBe(true);
    const references = cards(conversation, text).map((card) => /S-\w+/.exec(card)?.[0]);
    expect(references.length).toBeLessThanOrEqual(2);
    expect(new Set(references).size).toBe(1);
    expect(stack.phone(CUSTOMER)).toHaveLength(1);
  });

  test('Slack says that it will close the socket: nothing is lost or doubled meanwhile', async () => {
    const connections = () =>
      stack.workspace.apiCalls().filter(({ method }) => method === 'apps.connections.open').length;
    const conversation = stack.from(asha);
    const before = connections();
    stack.workspace.setFaults({ faults: [{ on: 'socket', times: 1, do: 'disconnect' }] });
    let count = 0;
    while (connections() === before || count < 6) {
      count += 1;
      expect(await asha.command(TEAM, `/flash ${CUSTOMER} Back ${count}`)).toMatchObject({ ok: true });
      // One after the other: Slack takes one result a second, and as many as can be typed would stand in line for minutes.
      await stack.eventually('the message', () => stack.phone(CUSTOMER).length >= count);
    }
    const patience = 20_000 + count * 1_500;
    await stack.eventually('the card', () => cards(conversation, `Back ${count}`).length === 1, patience);
    expect(stack.phone(CUSTOMER)).toHaveLength(count);
  });
});
