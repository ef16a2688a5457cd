import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { checkDatabase, latestReceived } from '../../src/store/check.ts';
import { UNTRUSTED_CERTIFICATE } from '../gateway/fixtures/untrusted-certificate.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { openedStores } from '../run-command.ts';

const UNSAFE = expect.stringContaining('does not wait for its disk (fsync = off)');
const whats = async (url: string) => (await checkDatabase(url, false)).map(({ what }) => what);

await describeWithPostgres('what is read beside a Herald on PostgreSQL', () => {
  it('are the latest webhooks that are short, and whether anything was sent', async () => {
    const url = await freshDatabase();
    const stores = await openedStores(url);
    const bodies = [Buffer.from('{}'), Buffer.alloc(9_000), Buffer.from('[]')];
    const kept = bodies.map((body, at) => ({
      digest: `d${at}`,
      receivedAt: at,
      body: body.toString('base64'),
    }));
    await stores.replies.keep(kept, 0);
    const found = await latestReceived(url);
    expect(found?.webhooks.map(({ at, body }) => [at, Buffer.from(body.bytes).toString()])).toEqual([
      [2, '[]'],
      [0, '{}'],
    ]);
    expect(found?.isTried).toBe(false);
    await stores.sends.close();
  });
});

await describeWithPostgres('what doctor finds of a PostgreSQL server', () => {
  it('is nothing of one that is fit, but for the settings of the tests', async () => {
    expect(await whats(await freshDatabase())).toEqual([UNSAFE]);
  });

  it('is a user who may not make tables', async () => {
    const url = new URL(await freshDatabase());
    const name = url.pathname.slice(1);
    await directly(url.href, `CREATE ROLE reader_${name} LOGIN PASSWORD 'a-password'`);
    url.username = `reader_${name}`;
    url.password = 'a-password';
    expect(await whats(url.href)).toEqual([expect.stringContaining('may not make tables in'), UNSAFE]);
    url.password = 'another';
    const [finding] = await checkDatabase(url.href, false);
    expect(finding).toEqual({
      weight: 'wrong',
      what: `The PostgreSQL database ${url.host}${url.pathname} could not be opened.`,
      fix: 'It refused the password. Check user and password in DATABASE_URL.',
    });
  });

  it('is that it cannot be reached; offline it is not asked', async () => {
    const url = 'postgres://herald:a-password@127.0.0.1:1/herald';
    expect(await whats(url)).toEqual(['The PostgreSQL database 127.0.0.1:1/herald could not be opened.']);
    expect(await checkDatabase(url, true)).toEqual([]);
  });

  it('is that it speaks no TLS where TLS is asked for', async () => {
    const [finding] = await checkDatabase(`${await freshDatabase()}?sslmode=verify-full`, false);
    expect(finding?.fix).toMatch(/^It speaks no TLS\. Turn it on there/);
  });
});

it('says how the certificate of a PostgreSQL server can be trusted', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, ...UNTRUSTED_CERTIFICATE }).on('error', () => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const findings = await checkDatabase(`postgres://u:p@127.0.0.1:${port}/herald?sslmode=verify-full`, false);
  server.close();
  expect(findings).toEqual([
    {
      weight: 'wrong',
      what: `The PostgreSQL database 127.0.0.1:${port}/herald could not be opened.`,
      fix: expect.stringMatching(
        /^Its certificate could not be verified \(\w+\)\. .*sslrootcert=.*sslmode=no-verify/,
      ),
    },
  ]);
});
