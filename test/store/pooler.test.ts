import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkSessions } from '../../src/store/postgres/database.ts';

/** A pooler in front of nothing, which says of each question that the session with the next of `pids` answers. */
async function startPooler(pids: readonly number[]): Promise<string> {
  const left = [...pids];
  const message = (type: string, ...body: readonly (string | Buffer)[]) => {
    const bytes = Buffer.concat(body.map((part) => Buffer.from(part as string)));
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(type), length, bytes]);
  };
  const ready = message('Z', 'I');
  const number = (value: number, size: 2 | 4) => {
    const buffer = Buffer.alloc(size);
    buffer.writeIntBE(value, 0, size);
    return buffer;
  };
  const place = [number(0, 4), number(0, 2)];
  const int4 = [number(23, 4), number(4, 2), number(-1, 4), number(0, 2)];
  const column = message('T', number(1, 2), 'pid\0', ...place, ...int4);
  const row = (pid: number) => {
    const text = String(pid);
    return message('D', number(1, 2), number(text.length, 4), text);
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', number(0, 4)), ready]));
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('X')) socket.end();
        else if (chunk.includes('pg_backend_pid'))
          socket.write(Buffer.concat([column, row(left.shift() ?? 0), message('C', 'SELECT 1\0'), ready]));
        else socket.write(Buffer.concat([message('C', 'BEGIN\0'), message('Z', 'T')]));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `postgres://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/herald`;
}

it.each([
  ['the second connection is given the session of the first', [7, 7]],
  ['the first connection has another session than before', [7, 8, 9]],
  ['the second connection has another session than before', [7, 8, 7, 7]],
])('a pooler that shares sessions is refused: %s', async (_how, pids) => {
  expect(await checkSessions(await startPooler(pids))).toEqual({
    ok: false,
    error: expect.stringMatching(
      /pool_mode = transaction.*Set pool_mode = session for this database, or let DATABASE_URL name PostgreSQL itself/,
    ),
  });
});

it('one that gives each its own is not', async () => {
  expect(await checkSessions(await startPooler([7, 8, 7, 8]))).toEqual({ ok: true, value: undefined });
});
