import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/** Addresses that a payload could name; those of this machine would be heard. */
function foreignAddresses(port: number): readonly string[] {
  const metadata = '169.254.169.254 [::ffff:169.254.169.254] 2852039166 0xa9fea9fe metadata.google.internal';
  const here = '127.0.0.1 localhost [::1] 0.0.0.0 2130706433 127.1';
  const http = ['http://slack.com@HERE', 'http://HERE#slack.com', '//HERE', 'http://HERE?files.slack.com'];
  const others = `http:HERE http://127.0.0.1:${port}\\@slack.com
    https://slack.com.evil.test/x https://evilslack.com/x https://slack.com:444/x https://u:p@slack.com/x
    http://files.slack.com/x https://files.slack.com:8443/x ftp://slack.com/x file:///etc/passwd
    data:text/csv,phone javascript:1 https://slack.com\u3002evil.test/x https://ｓlack.com.evil.test
    https://xn--slck-4nd.com/x blob:https://slack.com/x https:evil.test`;
  return [
    ...metadata
      .split(' ')
      .flatMap((host) => ['http', 'https'].map((by) => `${by}://${host}/latest/meta-data/`)),
    ...here.split(' ').map((host) => `http://${host}:${port}/200`),
    ...[...http, ...others.split(/\s+/)].map((one) => one.replace('HERE', `127.0.0.1:${port}/200`)),
    '',
  ];
}

test('addresses of files: Slack’s token goes to Slack’s hosts only', async ({ task }) => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.headers.host} ${request.headers.authorization}`);
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { location: `http://localhost:${port}/200` }).end('phone\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const botToken = 'xoxb-trust-token';
  let address = '';
  const client = {
    files: {
      info: async () => ({ ok: true, file: { url_private_download: address } }),
      getUploadURLExternal: async () => ({ ok: true, upload_url: address, file_id: 'F1' }),
      completeUploadExternal: async () => ({ ok: true }),
    },
    chat: { postMessage: async () => ({ ok: true, channel: 'D1', ts: '1.1' }) },
  } as never;
  const reaches = async (slackApiUrl: string) => {
    const files = createSlackFiles({ client, botToken, slackApiUrl, logger: createRecordingLogger() });
    const down = await files.download({ id: 'F1', name: 'a.csv' }, 100);
    const up = await files.sendTo('U1', 'The list:', { name: 'a.csv', content: ['abc'] });
    return [down.ok, up.ok];
  };
  const origin = `http://127.0.0.1:${port}`;
  const foreign = foreignAddresses(port);
  // Whatever is asked answers, so that no address is refused only because nobody is there.
  const asking = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('phone\n'));
  for (const one of foreign) {
    address = one;
    expect([one, await reaches('https://slack.com/api/')]).toEqual([one, [false, false]]);
  }
  expect(asking.mock.calls).toEqual([]);
  asking.mockRestore();
  const redirects = [301, 302, 303, 307, 308];
  for (const status of redirects) {
    address = `${origin}/${status}`;
    expect(await reaches(`${origin}/api/`)).toEqual([false, false]);
  }
  expect(heard.filter((line) => !line.includes('127.0.0.1'))).toEqual([]);
  expect(heard).toHaveLength(2 * redirects.length);
  address = `${origin}/200`;
  expect(await reaches(`${origin}/api/`)).toEqual([true, true]);
  server.close();
  task.meta.figure = `${foreign.length} foreign addresses, none asked; ${redirects.length} redirects, none followed`;
});
