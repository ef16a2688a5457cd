import { afterEach } from 'vitest';
import { createHttpServer, type HttpServer, type Routes } from '../../src/http/server.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/** Opens servers on this machine, which are closed after each test. */
export function serving() {
  const servers: HttpServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close(0);
  });
  return async (routes: Routes, { port = 0, logger = createRecordingLogger() } = {}) => {
    const server = createHttpServer({ host: '127.0.0.1', port, routes, logger });
    const listening = await server.listen();
    if (listening.ok) servers.push(server);
    const url = listening.ok ? `http://127.0.0.1:${listening.value}` : '';
    return { server, listening, url, logger };
  };
}
