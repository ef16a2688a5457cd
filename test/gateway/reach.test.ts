import { expect, it } from 'vitest';
import type { ChatappMessage } from '../../src/messages/kinds/chatapp.ts';
import { API_KEY, ASHA, openGateway, SMS } from './gateways.ts';
import { closedPort, startHttpServer } from './servers.ts';

const refused = (name: string) => ({
  weight: 'wrong',
  what: `${name}: The messaging service refused the connection.`,
  fix: `Check ${name} and the network.`,
});

it('connects to both hosts and writes nothing', async () => {
  const server = await startHttpServer();
  expect(await openGateway(server.url).reach()).toEqual([]);
  expect(server.requests).toEqual([]);
});

it('says which host it does not reach, and what to look at', async () => {
  const { url } = await startHttpServer();
  const nobody = await closedPort();
  expect(await openGateway(nobody).reach()).toEqual([
    refused('MESSAGING_BASE_URL'),
    refused('MESSAGING_FLASH_URL'),
  ]);
  expect(await openGateway(url, { flashUrl: nobody }).reach()).toEqual([refused('MESSAGING_FLASH_URL')]);
});

it('names the proxy that it goes through, without its password', async () => {
  const proxy = { httpProxy: '', httpsProxy: '', noProxy: '' };
  const nobody = new URL(await closedPort()).host;
  const through = { ...proxy, httpProxy: `http://user:secret@${nobody}` };
  const [found] = await openGateway('http://service.example', { proxy: through }).reach();
  expect(found).toMatchObject({
    weight: 'wrong',
    fix: `Check MESSAGING_BASE_URL, the network, and the proxy ${nobody} of HTTP_PROXY.`,
  });
});

it.each([
  [200, []],
  [401, [{ weight: 'wrong', what: expect.stringContaining('refuses MESSAGING_API_KEY') }]],
  [404, [{ weight: 'advice', what: expect.stringContaining('doctor.request expects 200') }]],
])('asks by doctor.request whether the service takes the key: %i', async (status, found) => {
  const server = await startHttpServer(() => ({ status, body: '{}' }));
  const keyRequest = { path: '/v1/balance', status: 200 };
  expect(await openGateway(`${server.url}/api`, { keyRequest }).reach()).toMatchObject(found);
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/api/v1/balance', headers: { apikey: API_KEY } },
  ]);
});

const TEMPLATE = { kind: 'chatapp', from: ASHA.number, templateName: 'login_code', params: [] } as const;
const OTP: ChatappMessage = { ...TEMPLATE, variant: 'otp', otp: 'XKQ2' };

it.each([
  ['a password of its own', OTP, 'Code XKQ2 or 7 refused', 'Code ••• or 7 refused'],
  ['a password in the text', { ...SMS, type: 'OTP', text: 'It is XKQ2.' }, 'XKQ2 refused', undefined],
  ['no password', { ...SMS, text: 'It is XKQ2.' }, 'Text XKQ2 refused', 'Text XKQ2 refused'],
] as const)(
  'quotes the service of a message with %s as far as it may',
  async (_what, message, said, quoted) => {
    const server = await startHttpServer(() => ({ status: 400, body: JSON.stringify({ error: said }) }));
    const outcome = await openGateway(server.url).deliver(message, [ASHA]);
    expect(outcome.state === 'accepted' ? outcome : outcome.failure.explanation).toBe(quoted);
  },
);

it('takes no id that holds a word of the text where the password stands in the text', async () => {
  const ids = ['XKQ2', 'is-refused', '२०२६-x'];
  const server = await startHttpServer(() => ({ body: JSON.stringify({ messageId: ids.shift() }) }));
  const gateway = openGateway(server.url);
  const text = 'It is-refused XKQ2/२०२६.';
  const idOf = async () => {
    const outcome = await gateway.deliver({ ...SMS, type: 'OTP', text }, [ASHA]);
    return outcome.state === 'accepted' ? outcome.messageId : outcome;
  };
  expect([await idOf(), await idOf(), await idOf()]).toEqual([undefined, 'is-refused', undefined]);
});
