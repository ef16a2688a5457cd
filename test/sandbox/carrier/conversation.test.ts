import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Carrier } from '../../../sandbox/carrier/server.ts';
import { FROM, post, startTestCarrier } from './carrier-client.ts';

const TO = '+919812345678';
let carrier: Carrier;
beforeAll(async () => {
  carrier = await startTestCarrier();
});
afterAll(() => carrier.close());
beforeEach(() => carrier.reset());

const BUTTONS = {
  type: 'button',
  header: { type: 'image', image: { link: 'https://files.example/a.png', provider: { name: 'files' } } },
  body: { text: 'Come?' },
  footer: { text: 'Thanks' },
  action: { buttons: ['Yes', 'No'].map((title) => ({ type: 'reply', reply: { id: title, title } })) },
};
const LIST = {
  type: 'list',
  body: { text: 'Choose.' },
  action: {
    button: 'Slots',
    sections: [{ id: 's', title: 'Today', rows: [{ id: 'am', title: 'Morning', description: '9 to 12' }] }],
  },
};
const ADDRESS = {
  type: 'address_message',
  header: { type: 'image', image: { link: 'https://files.example/van.png' } },
  body: { text: 'Where?' },
  footer: { text: 'Thanks' },
  action: { name: 'address_message', parameters: { country: 'IN', values: { in_pin_code: '560001' } } },
};

const send = (interactive: unknown, to = TO) =>
  post(carrier, '/v1/chatapp', {
    recipient_type: 'individual',
    from: FROM,
    to,
    type: 'interactive',
    campaignName: 'May',
    interactive,
  });

test.each([
  ['buttons', BUTTONS],
  ['a list', LIST],
  ['an address form', ADDRESS],
])('%s reach the phone as the service received them', async (_what, interactive) => {
  expect((await send(interactive)).status).toBe(200);
  expect(carrier.state().phones[TO]).toMatchObject([
    { channel: 'chatapp', from: FROM, text: interactive.body.text, interactive },
  ]);
});

describe('is refused:', () => {
  const button = (reply: object) => ({ ...BUTTONS, action: { buttons: [{ type: 'reply', reply }] } });
  const reply = (id: string) => ({ type: 'reply', reply: { id, title: id } });
  const address = (country: string, values: object) => ({
    ...ADDRESS,
    action: { name: 'address_message', parameters: { country, values } },
  });
  test.each<[string, unknown, number]>([
    ['a fourth button', { ...BUTTONS, action: { buttons: [1, 2, 3, 4].map(String).map(reply) } }, 131009],
    ['a title of 21', button({ id: '1', title: 'x'.repeat(21) }), 131009],
    ['an emoji on a button', button({ id: '1', title: '👍' }), 131009],
    ['an id of 257', button({ id: 'x'.repeat(257), title: 'x' }), 131009],
    ['a button without an id', button({ title: 'x' }), 100],
    ['a picture above a list', { ...LIST, header: BUTTONS.header }, 131009],
    ['a list without rows', { ...LIST, action: { button: 'x', sections: [{ id: 's', rows: [] }] } }, 131009],
    ['a country without address messages', address('US', {}), 131009],
    ['a field of another country', address('IN', { sg_post_code: '1' }), 100],
    ['a pin code of seven', address('IN', { in_pin_code: '5600011' }), 131009],
  ])('%s', async (_what, interactive, code) => {
    const response = await send(interactive);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(carrier.state().phones[TO] ?? []).toEqual([]);
  });

  test('an address form for a number of another country', async () => {
    expect(await (await send(ADDRESS, '+6591234567')).json()).toMatchObject({
      error: { code: 131009, field: 'to' },
    });
  });
});
