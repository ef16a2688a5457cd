import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack, startStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* An account whose webhooks come in words of their own, signed, and whose address is verified first. */
const SECRET = 'a-secret-for-signatures';
const stack = runningStack({
  config: `${TEAM_CONFIGURATION}
webhooks: { channel: ${TEAM} }
wire:
  webhooks:
    methods: [GET, POST]
    verify: true
    signature: { header: X-Signature }
    reports: { when: { path: art, values: [bericht] }, id: kennung, status: zustand, words: { failed: [weg] } }
    replies: { when: { path: art, values: [antwort] }, sender: absender, text: inhalt }
`,
  env: { WEBHOOK_SECRET: SECRET },
  isQuick: true,
});

const url = () => `${stack.heraldUrl}/webhooks/messaging/${SANDBOX_CREDENTIALS.webhookToken}`;
const signed = (text: string) => ({
  'x-signature': createHmac('sha256', SECRET).update(text).digest('hex'),
});
const shown = () => stack.messages().map(messageText).join('\n');

test('an address is verified, and a report and an answer are read as herald.yml says', async () => {
  const token = SANDBOX_CREDENTIALS.webhookToken;
  const fields = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': '1158',
  });
  expect(await (await fetch(`${url()}?${fields}`)).text()).toBe('1158');

  await stack.says(
    ASHA,
    `/sms ${CUSTOMER} Your parcel is here`,
    /accepted by the service[\s\S]*Your parcel is here/,
  );
  const id = stack.phone(CUSTOMER).at(-1)?.id ?? '';

  const report = new URLSearchParams({ art: 'bericht', kennung: id, zustand: 'weg' }).toString();
  expect((await fetch(`${url()}?${report}`, { headers: signed('another') })).status).toBe(401);
  expect((await fetch(`${url()}?${report}`, { headers: signed(report) })).status).toBe(200);
  await stack.eventually('the report', () => /not delivered/i.test(shown()));

  const reply = JSON.stringify({ art: 'antwort', absender: CUSTOMER, inhalt: 'Danke schön' });
  expect((await fetch(url(), { method: 'POST', body: reply })).status).toBe(401);
  expect((await fetch(url(), { method: 'POST', body: reply, headers: signed(reply) })).status).toBe(200);
  await stack.eventually('the answer', () => shown().includes('Danke schön'));
  expect(stack.logs()).not.toContain(SECRET);
});

test('a report that knows a message by our reference alone says what became of a doubt', async () => {
  const requests: unknown[] = [];
  // It takes the message, and breaks off before it answers.
  const service = createServer(async (request) => {
    requests.push([request.headers.authorization, JSON.parse(await textOf(request))]);
    request.socket.destroy();
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const own = await startStack({
    config: `${TEAM_CONFIGURATION}
wire:
  headers: { Authorization: "Bearer {{apiKey}}" }
  sms: { path: /send, body: [{ to: "{{to}}", text: "{{text}}", ref: "{{reference}}" }] }
  webhooks: { reports: { reference: ref, status: zustand } }
`,
    env: { MESSAGING_BASE_URL: base },
  });
  try {
    const asha = own.person(ASHA);
    const channel = own.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Your parcel is here`);
    await channel.message(/may have been sent/i);
    const ref = /S-[0-9A-Z]{10}-0/.exec(JSON.stringify(requests))?.[0];
    expect(requests).toEqual([
      [`Bearer ${SANDBOX_CREDENTIALS.apiKey}`, [{ to: CUSTOMER.slice(1), text: 'Your parcel is here', ref }]],
    ]);
    const address = `${own.heraldUrl}/webhooks/messaging/${SANDBOX_CREDENTIALS.webhookToken}`;
    const body = JSON.stringify({ ref, zustand: 'delivered' });
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    const words = () => own.workspace.snapshot().messages.map(messageText).join('\n');
    await own.eventually('the outcome', () => /SMS: delivered /.test(words()));
  } finally {
    await own.stop();
    service.close();
  }
});
