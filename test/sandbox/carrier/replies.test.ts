import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Carrier, startCarrier } from '../../../sandbox/carrier/server.ts';
import type { CustomerReply } from '../../../sandbox/protocol.ts';
import { API_KEY, FROM, GOOD, PATHS, post, TO } from './carrier-client.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A carrier that knows a webhook, which answers `status`; and a message on the customer's phone. */
async function start(status = 200) {
  const bodies: unknown[] = [];
  const webhook = createServer(async (request, response) => {
    bodies.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')));
    response.writeHead(status).end();
    webhook.emit('told');
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => webhook.close(resolve)));
  const { port } = webhook.address() as AddressInfo;
  const carrier: Carrier = await startCarrier({
    port: 0,
    apiKey: API_KEY,
    senders: { chatapp: [FROM], rcs: [], sms: ['ACMEIN'] },
    clock: { now: () => 1_700_000_000_000 },
    webhookUrl: `http://127.0.0.1:${port}/hook`,
  });
  closing.push(() => carrier.close());
  await post(carrier, PATHS.text, GOOD.text);
  return { carrier, bodies, webhook: () => once(webhook, 'told') };
}

const customer = TO.slice(1);
const told = (content: object) => ({
  contacts: [{ wa_id: customer }],
  messages: [
    {
      from: customer,
      id: 'reply-00000002',
      timestamp: '1700000000',
      context: { from: FROM, id: 'msg-00000001' },
      ...content,
    },
  ],
});
const interactive = (type: string, content: object) => ({
  type: 'interactive',
  interactive: { type, [type]: content },
});

test.each<[CustomerReply['answer'], object]>([
  [{ type: 'text', text: 'Hi' }, told({ type: 'text', text: { body: 'Hi' } })],
  [{ type: 'button', id: 'y', title: 'Yes' }, told(interactive('button_reply', { id: 'y', title: 'Yes' }))],
  [{ type: 'button', id: 'y', title: 'Yes', tells: 'id' }, { reply: { id: 'y' } }],
  [{ type: 'button', id: 'y', title: 'Yes', tells: 'flat_id' }, { 'reply.id': 'y' }],
  [
    { type: 'list', id: 'r', title: 'Row', description: 'One' },
    told(interactive('list_reply', { id: 'r', title: 'Row', description: 'One' })),
  ],
  [
    { type: 'address', values: { city: 'Pune' } },
    told(interactive('nfm_reply', { name: 'address_message', response_json: '{"values":{"city":"Pune"}}' })),
  ],
  [
    { type: 'report', status: 'failed', code: 131009 },
    {
      statuses: [
        {
          id: 'msg-00000001',
          status: 'failed',
          timestamp: '1700000000',
          recipient_id: customer,
          errors: [
            {
              code: 131009,
              title: 'Parameter value is invalid.',
              message: 'Parameter value is invalid.',
              error_data: { details: expect.any(String) },
            },
          ],
        },
      ],
    },
  ],
])('%j is told whole, and shown on the phone', async (answer, body) => {
  const { carrier, bodies } = await start();
  expect(await carrier.reply({ number: TO, messageId: 'msg-00000001', answer })).toEqual({ ok: true });
  expect(bodies).toEqual([body]);
  const [, written] = carrier.state().phones[TO] ?? [];
  expect(written?.outgoing).toBe(answer.type === 'report' ? undefined : true);
});

test('a flash message is answered by an SMS to its sender, which knows of no message before it', async () => {
  const { carrier, bodies } = await start();
  await post(carrier, PATHS.flash, { ...GOOD.flash, to: TO.slice(1) });
  const answer = { type: 'text', text: 'On my way' } as const;
  expect(await carrier.reply({ number: TO, messageId: 'msg-00000002', answer })).toEqual({ ok: true });
  const { context: _, ...message } = told({ type: 'text', text: { body: 'On my way' } }).messages[0] ?? {};
  expect(bodies).toEqual([
    { contacts: [{ wa_id: customer }], messages: [{ ...message, id: 'reply-00000003' }] },
  ]);
  expect(carrier.state().phones[TO]?.at(-1)).toMatchObject({
    channel: 'sms',
    from: 'ACMEIN',
    text: 'On my way',
    outgoing: true,
  });
});

test('reports are told to Herald, and kept with the messages that arrived', async () => {
  const { carrier, bodies, webhook } = await start();
  carrier.setReports('soon');
  await post(carrier, PATHS.text, GOOD.text);
  await webhook();
  expect(bodies).toEqual([
    {
      statuses: [
        { id: 'msg-00000002', status: 'delivered', timestamp: '1700000000', recipient_id: customer },
      ],
    },
  ]);
  expect(carrier.state().phones[TO]?.at(-1)?.report).toBe('delivered');
});

test('what is to fail reaches no phone', async () => {
  const { carrier, bodies, webhook } = await start();
  carrier.setReports('failed');
  await post(carrier, PATHS.text, GOOD.text);
  await webhook();
  expect(bodies).toMatchObject([{ statuses: [{ status: 'failed', errors: [{ code: 131000 }] }] }]);
  expect(carrier.state().phones[TO]).toHaveLength(1);
});

test('what Herald does not take, and what answers nothing, is said', async () => {
  const { carrier, bodies } = await start(503);
  const answer = { type: 'text', text: 'Hi' } as const;
  expect(await carrier.reply({ number: TO, messageId: 'msg-9', answer })).toEqual({
    ok: false,
    error: 'There is no such message on this phone.',
  });
  expect(bodies).toEqual([]);
  const response = await fetch(`${carrier.url}/carrier/reply`, {
    method: 'POST',
    body: JSON.stringify({ number: TO, answer }),
  });
  expect([response.status, await response.json()]).toEqual([
    502,
    { ok: false, error: 'Herald answered 503.' },
  ]);
});
