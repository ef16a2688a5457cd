import { expect, it } from 'vitest';
import type { FlashMessage } from '../../src/messages/kinds/flash.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { ASHA, openGateway, SMS } from './gateways.ts';
import { startHttpServer } from './servers.ts';

const FLASH: FlashMessage = { ...SMS, kind: 'flash' };

/** A service that answers each request with the next of `statuses`, by path. */
async function service(statuses: Readonly<Record<string, number[]>>) {
  const server = await startHttpServer(({ path = '' }) => ({ status: statuses[path]?.shift() ?? 500 }));
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const gateway = openGateway(server.url, { clock, logger });
  const told = () =>
    logger.lines.flatMap(({ level, fields, message }) =>
      level === 'debug' ? [] : [[level, ...Object.values(fields), message]],
    );
  return { gateway, clock, told };
}

const REFUSED =
  'the messaging service refuses Herald’s API key and nothing can be sent: have the key in MESSAGING_API_KEY and its rights checked';
const TAKEN = 'the messaging service takes Herald’s API key again';

it('a refused key is said once, stays known, and so is that it is over', async () => {
  const { gateway, clock, told } = await service({ '/v1/sms': [401, 401, 503, 401, 200, 200] });
  expect(gateway.health().keyRefusal).toBeUndefined();
  await gateway.deliver(SMS, [ASHA]);
  const since = clock.now();
  expect(gateway.health().keyRefusal).toEqual({ status: 401, since });
  await clock.advance(60_000);
  for (let time = 0; time < 3; time += 1) await gateway.deliver(SMS, [ASHA]);
  // A service in trouble says nothing of the key.
  expect(gateway.health().keyRefusal).toEqual({ status: 401, since });
  expect(told()).toEqual([['error', '/v1/sms', 401, REFUSED]]);
  for (let time = 0; time < 2; time += 1) await gateway.deliver(SMS, [ASHA]);
  expect(gateway.health().keyRefusal).toBeUndefined();
  expect(told().slice(1)).toEqual([['info', '/v1/sms', 200, TAKEN]]);
});

it('a refusal of the message is no refusal of the key', async () => {
  const { gateway, told } = await service({ '/v1/sms': [403, 400] });
  await gateway.deliver(SMS, [ASHA]);
  expect(gateway.health().keyRefusal).toMatchObject({ status: 403 });
  await gateway.deliver(SMS, [ASHA]);
  expect(gateway.health().keyRefusal).toBeUndefined();
  expect(told().map(([level]) => level)).toEqual(['error', 'info']);
});

it('a key that may send SMS and no flash SMS is told of once for each, however they alternate', async () => {
  const { gateway, told } = await service({ '/v1/sms': [200, 200, 200], '/sms': [403, 403, 403] });
  for (let time = 0; time < 3; time += 1) {
    await gateway.deliver(SMS, [ASHA]);
    expect(gateway.health().keyRefusal).toBeUndefined();
    await gateway.deliver(FLASH, [ASHA]);
    expect(gateway.health().keyRefusal).toMatchObject({ status: 403 });
  }
  expect(told()).toEqual([['error', '/sms', 403, REFUSED]]);
});

it('the request that ended last is known, and when it did', async () => {
  const { gateway, clock } = await service({ '/v1/sms': [200, 500] });
  expect(gateway.health().latest).toBeUndefined();
  await gateway.deliver(SMS, [ASHA]);
  expect(gateway.health().latest).toEqual({ state: 'accepted', at: clock.now() });
  await clock.advance(60_000);
  await gateway.deliver(SMS, [ASHA]);
  expect(gateway.health().latest).toEqual({ state: 'unknown', at: clock.now() });
});

it('an answer may blame whatever the request has, or may have, or a field of an address', async () => {
  const blamed = ['text', 'campaignName', 'in_pin_code', 'wordless'];
  const bodies = blamed.map((field) => JSON.stringify({ error: { code: 131009, field } }));
  const server = await startHttpServer(() => ({ status: 400, body: bodies.shift() ?? '' }));
  const gateway = openGateway(server.url);
  const field = async () => {
    const outcome = await gateway.deliver(SMS, [ASHA]);
    return 'failure' in outcome && outcome.failure.field;
  };
  for (const name of blamed) expect(await field()).toBe(name === 'wordless' ? undefined : name);
});
