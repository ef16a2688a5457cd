import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { ASHA, runningStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

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
const shown = () => stack.workspace.snapshot().messages.map(messageText).join('\n');

test('an address is verified, and a report and an answer are read as herald.yml says', async () => {
  const token = SANDBOX_CREDENTIALS.webhookToken;
  const fields = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': '1158',
  });
  expect(await (await fetch(`${url()}?${fields}`)).text()).toBe('1158');

  const asha = stack.person(ASHA);
  const channel = stack.from(asha);
  await asha.command(TEAM, `/sms ${CUSTOMER} Your parcel is here`);
  await channel.message(/accepted by the service[\s\S]*Your parcel is here/);
  const id = stack.carrier.state().phones[CUSTOMER]?.at(-1)?.id ?? '';

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
