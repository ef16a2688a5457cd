import type { lookup } from 'node:dns';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buildConnector } from 'undici';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { createMediaLook, publicConnector } from '../../src/gateway/media.ts';
import { createManualClock } from '../fakes/clock.ts';
import { listen } from './servers.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that every public name leads to. */
async function look(serve: Serve, clock: Clock = systemClock) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    asked.push(`${method} ${headers.host}${url} ${headers.range ?? ''}`.trim());
    serve(request, response);
  });
  const { hostname, protocol, port } = new URL(await listen(server));
  const connector = buildConnector({});
  const connect: buildConnector.connector = (options, done) =>
    connector({ ...options, hostname, protocol, port }, done);
  return { asked, look: createMediaLook({ clock, connect }) };
}

const PICTURE = 'http://pictures.example.com/sale.jpg?size=2';

test('a server that answers HEAD is asked for nothing else', async () => {
  const { asked, look: ask } = await look((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/JPEG; q=1', 'content-length': '1234' }).end();
  });
  expect(await ask(PICTURE)).toEqual({ state: 'found', contentType: 'image/jpeg', bytes: 1234 });
  expect(asked).toEqual(['HEAD pictures.example.com/sale.jpg?size=2']);
});

// Amazon S3 answers HEAD with 403 where a link is signed for GET, others with 405 or 501.
test.each([403, 405, 501])('where HEAD is answered with %i, one byte is asked for', async (refusal) => {
  const { asked, look: ask } = await look(({ method }, response) => {
    const range = { 'content-range': 'bytes 0-0/6000000', 'content-length': '1' };
    if (method === 'HEAD') response.writeHead(refusal).end();
    else response.writeHead(206, { 'content-type': 'image/png', ...range }).end('x');
  });
  expect(await ask(PICTURE)).toEqual({ state: 'found', contentType: 'image/png', bytes: 6_000_000 });
  expect(asked[1]).toBe('GET pictures.example.com/sale.jpg?size=2 bytes=0-0');
});

test('a body without an end is not read', async () => {
  const { look: ask } = await look(({ method }, response) => {
    if (method === 'HEAD') {
      response.writeHead(405).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'video/mp4' });
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(await ask(PICTURE)).toEqual({ state: 'found', contentType: 'video/mp4' });
});

test.each([
  [401, /asks for a password/],
  [403, /may not be opened by everybody/],
  [404, /leads to nothing/],
  [410, /leads to nothing/],
])('what is answered with %i nobody will fetch', async (status, why) => {
  const { look: ask } = await look((_request, response) => response.writeHead(status).end());
  expect(await ask(PICTURE)).toEqual({ state: 'unfit', why: expect.stringMatching(why) });
});

test.each([429, 500, 503])('an answer of %i says nothing about the link', async (status) => {
  const { look: ask } = await look((_request, response) => response.writeHead(status).end());
  expect(await ask(PICTURE)).toEqual({ state: 'silent' });
});

test('redirects are followed, without cookies, and not for ever', async () => {
  const cookies: unknown[] = [];
  const { look: ask } = await look(({ url, headers }, response) => {
    cookies.push(headers.cookie);
    if (url === '/a') response.writeHead(302, { location: '/b', 'set-cookie': 'seen=1' }).end();
    else if (url === '/b') response.writeHead(200, { 'content-type': 'image/png' }).end();
    else response.writeHead(301, { location: 'http://pictures.example.com/again' }).end();
  });
  expect(await ask('http://pictures.example.com/a')).toEqual({ state: 'found', contentType: 'image/png' });
  expect(await ask('http://pictures.example.com/c')).toEqual({
    state: 'unfit',
    why: 'leads on more than 3 times.',
  });
  expect(cookies.every((cookie) => cookie === undefined)).toBe(true);
});

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'http://2130706433/',
  'http://router.local/',
  'ftp://pictures.example.com/a',
  'http://me:secret@pictures.example.com/a',
])('a redirect to %s is not followed', async (location) => {
  const { asked, look: ask } = await look((_request, response) =>
    response.writeHead(302, { location }).end(),
  );
  expect((await ask(PICTURE)).state).toBe('unfit');
  expect(asked).toHaveLength(1);
});

test('a server that says nothing is waited for no longer than Slack waits', async () => {
  const clock = createManualClock();
  const { asked, look: ask } = await look(() => {}, clock);
  const answer = ask(PICTURE);
  await expect.poll(() => asked.length).toBe(1);
  await clock.advance(1_500);
  expect(await answer).toEqual({ state: 'silent' });
});

const answering = (addresses: readonly string[]) => {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const answer = (_host: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, found);
  return answer as unknown as typeof lookup;
};

const INWARD = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['::ffff:192.168.1.1'],
  ['fd00::1'],
  ['93.184.215.14', '127.0.0.1'],
];
test.each(INWARD)('a public name that leads to %s is not connected to', async (...addresses) => {
  const ask = createMediaLook({ clock: systemClock, connect: publicConnector(answering(addresses)) });
  const why = 'leads into a private network, where the service cannot fetch it.';
  for (const scheme of ['http', 'https'])
    expect(await ask(`${scheme}://pictures.example.com/a.jpg`)).toEqual({ state: 'unfit', why });
});
