import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { SmsMessage } from '../../src/messages/kinds/sms.ts';
import { ASHA, openGateway, SMS } from './gateways.ts';
import { listen, onRequests, startTcpServer } from './servers.ts';

const ACCEPT = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

/** A message whose text says what the server shall do with it. */
function message(text: string): SmsMessage {
  return { ...SMS, text };
}

/** Calls back with the text of each request that has arrived whole. */
function onTexts(socket: Socket, onText: (text: string) => void): void {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
    const text = /"text":"([^"]+)"[^}]*}$/.exec(received)?.[1];
    if (text === undefined) return;
    received = '';
    onText(text);
  });
}

it('tells for each of 200 parallel requests whether it was written', async () => {
  const seen: string[] = [];
  const url = await startTcpServer((socket) =>
    onTexts(socket, (text) => {
      seen.push(text);
      if (text.startsWith('reset')) socket.resetAndDestroy();
      else if (text.startsWith('close')) socket.end();
      else socket.write(ACCEPT);
    }),
  );
  const wishes = Array.from(
    { length: 200 },
    (_, index) => `${['take', 'reset', 'close', 'take'][index % 4]} ${index}`,
  );
  const gateway = openGateway(url, { connections: 7 });
  const outcomes = await Promise.all(wishes.map((wish) => gateway.deliver(message(wish), [ASHA])));
  const expected = wishes.map((wish) => (wish.startsWith('take') ? 'accepted' : 'unknown'));
  expect(outcomes.map(({ state }) => state)).toEqual(expected);
  // Each arrived exactly once: nothing was repeated behind Herald's back.
  expect(seen.toSorted()).toEqual(wishes.toSorted());
});

it('has started each request before undici writes anything of it', async () => {
  const url = await startTcpServer((socket) => socket.on('data', () => socket.write(ACCEPT)));
  const started = new Set<string>();
  const written: { readonly text: string; readonly wasStarted: boolean }[] = [];
  const onSendHeaders = (published: unknown) => {
    const { request } = published as { readonly request: { readonly body: Buffer | string } };
    const text = /"text":"([^"]+)"/.exec(String(request.body))?.[1] ?? '';
    written.push({ text, wasStarted: started.has(text) });
  };
  subscribe('undici:client:sendHeaders', onSendHeaders);
  const gateway = openGateway(url, { connections: 5 });
  const texts = Array.from({ length: 50 }, (_, index) => `number ${index}`);
  await Promise.all(
    texts.map((text) => gateway.deliver(message(text), [ASHA], () => Boolean(started.add(text)))),
  );
  unsubscribe('undici:client:sendHeaders', onSendHeaders);
  expect(written.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
  expect(written.filter(({ wasStarted }) => !wasStarted)).toEqual([]);
});

it('knows the unwritten from the written when the service goes away under load', async () => {
  const arrived = new Set<string>();
  let connections = 0;
  const url = await startTcpServer((socket) => {
    connections += 1;
    // Every second connection is thrown away before it can read anything.
    if (connections % 2 === 0) {
      socket.resetAndDestroy();
      return;
    }
    onTexts(socket, (text) => {
      expect(arrived.has(text)).toBe(false);
      arrived.add(text);
      if (arrived.size % 3 === 0) socket.resetAndDestroy();
      else socket.write(ACCEPT);
    });
  });
  const wishes = Array.from({ length: 200 }, (_, index) => `n ${index}`);
  const gateway = openGateway(url, { connections: 20 });
  const outcomes = await Promise.all(wishes.map((wish) => gateway.deliver(message(wish), [ASHA])));
  const became = wishes.map(
    (wish, at) => `${arrived.has(wish) ? 'arrived' : 'absent'}, ${outcomes[at]?.state}`,
  );
  expect(became).not.toContain('arrived, not_sent');
  expect(became).not.toContain('absent, accepted');
  expect(outcomes.map(({ state }) => state)).toContain('unknown');
});

it('sends one request at a time on a connection', async () => {
  let busy = 0;
  let most = 0;
  const url = await startTcpServer((socket) =>
    onRequests(socket, () => {
      busy += 1;
      most = Math.max(most, busy);
      setImmediate(() => {
        busy -= 1;
        socket.write(ACCEPT);
      });
    }),
  );
  const gateway = openGateway(url, { connections: 1 });
  await Promise.all(Array.from({ length: 20 }, () => gateway.deliver(SMS, [ASHA])));
  expect(most).toBe(1);
});

it('survives the service closing idle connections just as they are used again', async () => {
  const arrivals = new Map<string, number>();
  const url = await startTcpServer((socket) => {
    onTexts(socket, (text) => {
      arrivals.set(text, (arrivals.get(text) ?? 0) + 1);
      // Promises to keep the connection and closes it at once: the close races with the next request.
      socket.write(ACCEPT, () => socket.end());
    });
  });
  const gateway = openGateway(url, { connections: 1 });
  const wishes = Array.from({ length: 100 }, (_, index) => `n ${index}`);
  const states: string[] = [];
  for (const wish of wishes) states.push((await gateway.deliver(message(wish), [ASHA])).state);
  // Never twice; accepted only what arrived, and not sent only what did not.
  for (const [at, wish] of wishes.entries())
    expect(`${arrivals.get(wish) ?? 0} ${states[at]}`).toMatch(
      /^(0 (not_sent|unknown)|1 (accepted|unknown))$/,
    );
});

it('tells the refused from the taken when the service stops listening', async () => {
  const arrived = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onTexts(socket, (text) => {
      arrived.add(text);
      if (arrived.size < 60) {
        socket.write(ACCEPT);
        return;
      }
      server.close();
      for (const one of sockets) one.resetAndDestroy();
    });
  });
  const gateway = openGateway(await listen(server), { connections: 8 });
  const wishes = Array.from({ length: 200 }, (_, index) => `n ${index}`);
  const outcomes = await Promise.all(wishes.map((wish) => gateway.deliver(message(wish), [ASHA])));
  const states = outcomes.map(({ state }) => state);
  const count = (state: string) => states.filter((one) => one === state).length;
  // 60 arrived, 59 of them were answered; at most the other connections were in doubt; the rest never left.
  expect({ arrived: arrived.size, accepted: count('accepted') }).toEqual({ arrived: 60, accepted: 59 });
  expect(count('unknown')).toBeGreaterThanOrEqual(1);
  expect(count('unknown')).toBeLessThanOrEqual(8);
  expect(count('not_sent')).toBe(200 - 59 - count('unknown'));
  expect(wishes.filter((wish, index) => states[index] === 'not_sent' && arrived.has(wish))).toEqual([]);
});

it('writes nothing that lost its leave while it waited for a connection, and goes on with the next', async () => {
  const seen: string[] = [];
  let answerFirst: () => void = () => {};
  const url = await startTcpServer((socket) => {
    onTexts(socket, (text) => {
      seen.push(text);
      if (text === 'first') answerFirst = () => socket.write(ACCEPT);
      else socket.write(ACCEPT);
    });
  });
  const gateway = openGateway(url, { connections: 1 });
  let leave = true;
  const first = gateway.deliver(message('first'), [ASHA], () => leave);
  const second = gateway.deliver(message('second'), [ASHA], () => leave);
  const third = gateway.deliver(message('third'), [ASHA]);
  await expect.poll(() => seen).toEqual(['first']);
  leave = false;
  answerFirst();
  expect((await first).state).toBe('accepted');
  expect(await second).toEqual({
    state: 'not_sent',
    failure: {
      what: 'Herald stood still for so long that others may have taken over, so it did not start this request.',
      next: 'Send it again in a few minutes; if it keeps failing, inform whoever runs Herald.',
      scope: 'recipient',
    },
    retry: { kind: 'backoff' },
  });
  expect((await third).state).toBe('accepted');
  expect(seen).toEqual(['first', 'third']);
});
