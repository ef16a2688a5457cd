import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Carrier } from '../../../sandbox/carrier/server.ts';
import { FROM, GOOD, PATHS, post, startTestCarrier, TO } from './carrier-client.ts';

let carrier: Carrier;
beforeAll(async () => {
  carrier = await startTestCarrier();
});
afterAll(() => carrier.close());
beforeEach(() => carrier.reset());

describe('a good request of each row', () => {
  test.each(Object.keys(GOOD) as (keyof typeof GOOD)[])('%s is accepted', async (row) => {
    const response = await post(carrier, PATHS[row], GOOD[row]);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      code: 200,
      message: 'Success.',
      messageId: expect.stringMatching(/^msg-\d{8}$/),
    });
    expect(carrier.state().requests.map((request) => request.body)).toEqual([GOOD[row]]);
  });

  test('lands on the phone as its reader sees it', async () => {
    for (const row of ['text', 'document', 'carousel', 'otp'] as const)
      await post(carrier, PATHS[row], GOOD[row]);
    const common = { id: expect.any(String), at: 1_700_000_000_000, number: TO };
    const chat = { ...common, channel: 'chatapp', from: FROM };
    const pdf = { type: 'document', link: 'https://files.example/may.pdf', filename: 'may.pdf' };
    const pictures = [1, 2].map((n) => ({ type: 'image', link: `https://files.example/${n}.png` }));
    expect(carrier.state().phones[TO]).toEqual([
      { ...chat, text: 'Hello Asha, order A-1.', templateName: 'order_update', params: ['Asha', 'A-1'] },
      { ...chat, text: '[invoice] May', templateName: 'invoice', params: ['May'], media: [pdf] },
      {
        ...{ ...common, channel: 'rcs', from: 'acme-bot' },
        ...{ text: '[offers]', templateName: 'offers', params: [], media: pictures },
      },
      expect.objectContaining({ text: '482913 is your code.', params: ['482913'] }),
    ]);
  });

  test('bulk SMS lands on every phone with its own id', async () => {
    const answer = await (await post(carrier, '/v1/sms', GOOD.sms)).json();
    const { phones } = carrier.state();
    const ids = ['+6591234567', '+919812345678'].map((number) => phones[number]?.[0]?.id);
    expect(answer).toEqual({
      code: 200,
      message: 'Success.',
      messageId: ids[0],
      messages: ids.map((id) => ({ id })),
    });
    expect(Object.keys(phones)).toEqual(['+6591234567', '+919812345678']);
  });
});

type Change = Record<string, unknown>;
/** A body with one thing changed; `undefined` takes the key away. */
const changed = (row: keyof typeof GOOD, change: Change): unknown => ({ ...GOOD[row], ...change });
const components = (params: unknown, header?: unknown): Change => ({
  components: { body: { params }, ...(header ? { header } : {}) },
});
const document = (link: unknown, filename: unknown): unknown => ({
  type: 'document',
  document: { link, filename },
});
const image = (link: string): unknown => ({ type: 'image', image: { link } });
const NAMELESS = components(['May'], document('https://x.example/a', undefined));
const CARD = 'https://x.example/1.png';
const TOO_MANY = Array.from({ length: 101 }, (_, i) => String(6590000000 + i));
const BY_FTP = components(['May'], document('ftp://x.example/a', 'a'));
const PNG = image('https://x.example/a.png');
const rcs = (...params: unknown[][]): Change => ({ content: params.map((one) => ({ params: one })) });
const cards = (...urls: string[]): Change => ({ content: urls.map((fileUrl) => ({ fileUrl })) });

describe('a broken rule is refused with its code and its field', () => {
  test.each<[string, keyof typeof GOOD, Change, number, string]>([
    ['from missing', 'text', { from: undefined }, 100, 'from'],
    ['from without plus', 'text', { from: '919876543210' }, 131009, 'from'],
    ['from not registered', 'text', { from: '+919876543211' }, 133010, 'from'],
    ['to missing', 'text', { to: undefined }, 100, 'to'],
    ['to with spaces', 'text', { to: '+65 9123 4567' }, 131009, 'to'],
    ['to equal to from', 'text', { to: FROM }, 131021, 'to'],
    ['to equal to from, without plus', 'text', { to: FROM.slice(1) }, 131021, 'to'],
    ['template name in capitals', 'text', { templateName: 'Order_Update' }, 131009, 'templateName'],
    ['template unknown', 'text', { templateName: 'nobody_knows' }, 132001, 'templateName'],
    ['type missing', 'text', { type: undefined }, 100, 'type'],
    ['type unsupported', 'text', { type: 'location' }, 131051, 'type'],
    ['campaign name empty', 'text', { campaignName: '' }, 131009, 'campaignName'],
    ['unknown field', 'text', { campaign: 'May' }, 100, 'campaign'],
    ['language in the document variant', 'document', { language: { code: 'en' } }, 100, 'language'],
    ['language of a video not approved', 'video', { language: { code: 'en' } }, 132001, 'language.code'],
    ['an image where a video belongs', 'video', components([], PNG), 132015, 'components.header'],
    ['components missing', 'text', { components: undefined }, 100, 'components'],
    ['body missing', 'text', { components: {} }, 100, 'components.body'],
    ['params not an array', 'text', components('Asha'), 131009, 'components.body.params'],
    ['null among the values', 'text', components(['Asha', null]), 132015, 'components.body.params[1]'],
    ['a number among the values', 'text', components(['Asha', 1]), 132015, 'components.body.params[1]'],
    ...['a\nb', 'a\tb', 'a     b'].map((value): [string, 'text', Change, number, string] => [
      `the value ${JSON.stringify(value)}`,
      'text',
      components([value, 'A-1']),
      132015,
      'components.body.params[0]',
    ]),
    ['too few values', 'text', components(['Asha']), 132000, 'components.body.params'],
    ['too many values', 'text', components(['a', 'b', 'c']), 132000, 'components.body.params'],
    ['a header the template does not take', 'text', components(['a', 'b'], PNG), 132015, 'components.header'],
    ['no header where the template takes one', 'document', components(['May']), 132015, 'components.header'],
    ['document without filename', 'document', NAMELESS, 100, 'components.header.document.filename'],
    ['document link not http', 'document', BY_FTP, 131009, 'components.header.document.link'],
    ...[
      ...['https://x.example/a.gif', 'http://localhost/a.png', 'http://10.0.0.1/a.png'],
      'https://a:b@x.example/a.png',
    ].map((link): [string, 'image', Change, number, string] => {
      return [link, 'image', components([], image(link)), 131009, 'components.header.image.link'];
    }),
    ['otp missing', 'otp', { otp: undefined }, 100, 'otp'],
    ['otp empty', 'otp', { otp: '' }, 131009, 'otp'],
    ['otp for a template without', 'otp', { templateName: 'order_update' }, 131051, 'type'],
    ['language not approved', 'otp', { language: { code: 'fr' } }, 132001, 'language.code'],
    ['number without plus', 'plain', { number: '6591234567' }, 131009, 'number'],
    ['bot missing', 'plain', { botId: undefined }, 100, 'botId'],
    ['bot not registered', 'plain', { botId: 'other-bot' }, 131009, 'botId'],
    ['rcs type missing', 'plain', { type: undefined }, 100, 'type'],
    ['content in a plain text', 'plain', { content: [{ params: [] }] }, 131051, 'content'],
    ['content empty', 'plain', { content: [] }, 131009, 'content'],
    ['content missing', 'variables', { content: undefined }, 100, 'content'],
    ['null among rcs values', 'variables', rcs([null, 'a']), 132015, 'content[0].params[0]'],
    ['too few rcs values', 'variables', rcs(['a']), 132000, 'content'],
    ['values spread over items', 'variables', rcs(['a'], ['b']), 132000, 'content'],
    ['one card too few', 'carousel', cards(CARD), 132015, 'content'],
    ['a card that is not a URL', 'carousel', cards('x', 'x'), 131009, 'content[0].fileUrl'],
    [
      'unknown field in a card',
      'carousel',
      { content: [{ fileUrl: CARD, alt: 'x' }] },
      100,
      'content[0].alt',
    ],
    ['sms to is not a list', 'sms', { to: '6591234567' }, 131009, 'to'],
    ['sms to with plus', 'sms', { to: ['+6591234567'] }, 131009, 'to[0]'],
    ['sms to empty', 'sms', { to: [] }, 131009, 'to'],
    ['sms to twice the same', 'sms', { to: ['6591234567', '6591234567'] }, 131009, 'to'],
    ['sms to 101 numbers', 'sms', { to: TOO_MANY }, 131009, 'to'],
    ['sms type unknown', 'sms', { type: 'NEWS' }, 131009, 'type'],
    ['sms unicode missing', 'sms', { unicode: undefined }, 100, 'unicode'],
    ['sms unicode as boolean', 'sms', { unicode: true }, 131009, 'unicode'],
    ['sms text outside GSM without unicode', 'sms', { text: 'नमस्ते' }, 131009, 'unicode'],
    ['sms sender unknown', 'sms', { sender: 'OTHER' }, 131009, 'sender'],
    ['flash to is a list', 'flash', { to: ['6591234567'] }, 131009, 'to'],
    ['flash missing', 'flash', { flash: undefined }, 100, 'flash'],
    ['flash 0', 'flash', { flash: 0 }, 131009, 'flash'],
    ['flash with a campaign', 'flash', { campaignName: 'x' }, 100, 'campaignName'],
  ])('%s', async (_name, row, change, code, field) => {
    const response = await post(carrier, PATHS[row], changed(row, change));
    const body = (await response.json()) as { error: { code: number; field: string } };
    expect({ code: body.error.code, field: body.error.field }).toEqual({ code, field });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(carrier.state().phones).toEqual({});
  });

  test('the refusal says the document’s words and the detail', async () => {
    const response = await post(carrier, PATHS.text, changed('text', components(['Asha'])));
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: {
        error: {
          code: 132000,
          message:
            'Number of variable values in the request differs from the number of variables defined in the template.',
          field: 'components.body.params',
          error_data: { details: 'components.body.params has 1 values; the template has 2.' },
        },
      },
    });
  });
});

describe('what HTTP itself forbids', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  test.each<[string, string, RequestInit, number]>([
    ['no key', '/v1/rcs', { method: 'POST', body: '{}', headers: JSON_TYPE }, 401],
    [
      'a wrong key',
      '/v1/rcs',
      { method: 'POST', body: '{}', headers: { ...JSON_TYPE, apikey: 'wrong' } },
      401,
    ],
    ['GET', '/sms', {}, 405],
    ['an unknown path', '/v2/chatapp', { method: 'POST', body: '{}' }, 404],
    ['a path of Object’s own', '/constructor', { method: 'POST', body: '{}' }, 404],
    ['flash under the version prefix', '/v1/flash', { method: 'POST', body: '{}' }, 404],
  ])('%s', async (_name, path, init, status) => {
    expect((await fetch(carrier.url + path, init)).status).toBe(status);
  });

  test.each([
    ['another content type', GOOD.plain, { 'content-type': 'text/plain' }],
    ['a body that is not JSON', '{"number":', {}],
    ['a body that is a list', [], {}],
    ['a body over a mebibyte', { padding: 'x'.repeat(1024 * 1024) }, {}],
  ])('%s is a 400', async (_name, body, headers) => {
    expect((await post(carrier, '/v1/rcs', body, headers as Record<string, string>)).status).toBe(400);
    expect(carrier.state().phones).toEqual({});
  });

  test('the key is nowhere in the state, and its presence is', async () => {
    await post(carrier, PATHS.plain, GOOD.plain);
    await post(carrier, PATHS.plain, GOOD.plain, { apikey: 'secret-but-wrong' });
    const state = carrier.state();
    expect(JSON.stringify(state)).not.toMatch(/carrier-test-key|secret-but-wrong/);
    expect(state.requests.map((request) => request.headers.apikey)).toEqual(['valid', 'invalid']);
  });
});
