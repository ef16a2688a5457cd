import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that says what a test writes, whether it is HTTP or not. */
export interface Wire {
  readonly socket: Socket;
  /** The status of each answer so far. */
  statuses(): readonly number[];
  /** Whether the other end has ended it. */
  isOver(): boolean;
  readonly over: Promise<unknown>;
}

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  let said = '';
  let isOver = false;
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1');
  });
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      socket.destroy();
      resolve();
    };
    socket.once('end', end).once('close', end);
  });
  await once(socket, 'connect');
  return {
    socket,
    statuses: () => [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    isOver: () => isOver,
    over,
  };
}

/** Says all of it, and waits for the other end to hang up. @returns the status of each answer */
export async function exchange(url: string, bytes: string | Buffer): Promise<readonly number[]> {
  const wire = await openWire(url);
  wire.socket.write(bytes);
  await wire.over;
  return wire.statuses();
}
