import type { Dispatcher } from 'undici';
import { CLOSED_CODE } from './evidence.ts';
import type { Exchange } from './exchange.ts';

/** The connections to one host. */
export interface Connections {
  /** Writes the request on a free connection, or as soon as one is free; in the order of the calls. */
  dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange): void;
  /** Waits for the requests on their way; what still waits for a connection and what comes later is refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly request: Dispatcher.DispatchOptions;
  readonly exchange: Exchange;
}

/**
 * One undici client a connection, each given one request at a time, and a queue of our own in front: undici's pool
 * looks through its connections anew for every request, which at a hundred of them costs a tenth of the sending.
 * A connection is opened when it is first needed, and again by its client when the other side closes it.
 *
 * @param most open at once
 * @param open makes what keeps one connection
 */
export function createConnections(most: number, open: () => Dispatcher): Connections {
  const clients: Dispatcher[] = [];
  /** Used last first: a few warm connections serve a slow pace. */
  const free: Dispatcher[] = [];
  const waiting: Waiting[] = [];
  let isClosed = false;

  function take(): Dispatcher | undefined {
    const client = free.pop();
    if (client !== undefined || clients.length >= most) return client;
    const opened = open();
    clients.push(opened);
    return opened;
  }

  function start(client: Dispatcher, { request, exchange }: Waiting): void {
    exchange.whenOver(() => next(client));
    client.dispatch(request, exchange);
  }

  function next(client: Dispatcher): void {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      if (first.exchange.isSettled) continue;
      start(client, first);
      return;
    }
    free.push(client);
  }

  return {
    dispatch: (request, exchange) => {
      if (isClosed) {
        exchange.refuse(CLOSED_CODE);
        return;
      }
      const client = take();
      if (client === undefined) waiting.push({ request, exchange });
      else start(client, { request, exchange });
    },
    close: async () => {
      isClosed = true;
      for (const { exchange } of waiting.splice(0)) exchange.refuse(CLOSED_CODE);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
