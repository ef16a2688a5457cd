import { expect, it } from 'vitest';
import type { ChatappMessage } from '../../src/messages/kinds/chatapp.ts';
import { ASHA, openGateway, SMS } from './gateways.ts';
import { closedPort, startHttpServer } from './servers.ts';

const refused = (name: string) => ({
  weight: 'wrong',
  what: `${name}: The messaging service refused the connection.`,
  fix: `Check ${name}, the network, and the proxy where there is one.`,
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

const OTP: ChatappMessage = {
  kind: 'chatapp',
  variant: 'otp',
  from: ASHA.number,
  templateName: 'login_code',
  params: [],
  otp: 'XKQ2',
};

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
