import diagnosticsChannel from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { watchWrittenHeaders } from '../../src/gateway/written-headers.ts';

const channel = diagnosticsChannel.channel('undici:client:sendHeaders');

it('hears of the request that carries this very body, and of no other client’s', () => {
  const written = watchWrittenHeaders();
  const heard: string[] = [];
  const [first, second] = [Buffer.from('{}'), Buffer.from('{}')];
  written.watch(first, { noteHeadersWritten: () => heard.push('first') });
  written.watch(second, { noteHeadersWritten: () => heard.push('second') });
  channel.publish({ request: { body: Buffer.from('{}') } });
  channel.publish({ request: { body: null } });
  channel.publish({ request: { body: '{}' } });
  channel.publish({ request: { body: second } });
  written.close();
  channel.publish({ request: { body: first } });
  expect(heard).toEqual(['second']);
});
