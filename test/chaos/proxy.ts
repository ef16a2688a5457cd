import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut without either side being told. */
export interface CuttableProxy {
  /** The address with this way's port in the place of the server's. */
  readonly url: string;
  /** From now on no byte passes, either way; nothing is closed, as when a cable is pulled. */
  cut(): void;
  /** From now on every connection is broken, and every new one, as when the server is stopped. */
  refuse(): void;
  /** As `refuse`, from the moment that somebody asks something in which `mark` stands. */
  refuseFrom(mark: string): void;
  /** Bytes pass again; what was held back comes late. */
  restore(): void;
  /** Once the server has committed the next transaction in which `mark` stands, its answer is lost with the connection. */
  loseAnswer(mark: string): void;
  /** As `loseAnswer`; and from then on every answer is lost, whatever is asked, until `restore`. */
  loseAnswersFrom(mark: string): void;
  close(): void;
}

export async function startProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isRefusing = false;
  let refusedFrom: string | undefined;
  let losing: { readonly mark: string; readonly forGood: boolean } | undefined;
  const server = createServer((near) => {
    if (isRefusing) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
      if (isCut) socket.pause();
    }
    let isMarked = false;
    let isAnswerLost = false;
    near.on('data', (bytes) => {
      if (refusedFrom !== undefined && bytes.includes(refusedFrom)) return refuse();
      if (losing !== undefined) {
        isMarked ||= bytes.includes(losing.mark);
        if (isMarked && (losing.mark === '' || bytes.includes('COMMIT'))) {
          losing = losing.forGood ? { mark: '', forGood: true } : undefined;
          isAnswerLost = true;
        }
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isAnswerLost) near.destroy();
      else near.write(bytes);
    });
    if (isCut) for (const socket of [near, far]) socket.pause();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  function refuse(): void {
    isRefusing = true;
    for (const socket of sockets) socket.destroy();
  }
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    refuse,
    refuseFrom: (mark) => {
      refusedFrom = mark;
    },
    restore: () => {
      isCut = false;
      isRefusing = false;
      refusedFrom = undefined;
      losing = undefined;
      for (const socket of sockets) socket.resume();
    },
    loseAnswer: (mark) => {
      losing = { mark, forGood: false };
    },
    loseAnswersFrom: (mark) => {
      losing = { mark, forGood: true };
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
