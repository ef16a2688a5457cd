import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Carrier, startCarrier } from '../../../sandbox/carrier/server.ts';
import { API_KEY, GOOD, PATHS, post } from './carrier-client.ts';

let directory: string;
let phonesFile: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'herald-carrier-'));
  phonesFile = join(directory, 'deeper', 'phones.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const start = (): Promise<Carrier> => startCarrier({ port: 0, apiKey: API_KEY, phonesFile });

test('inboxes outlive a restart, and ids go on after the last', async () => {
  const first = await start();
  await post(first, PATHS.plain, GOOD.plain);
  await post(first, PATHS.flash, GOOD.flash);
  await first.close();
  const second = await start();
  expect(second.state()).toEqual({
    requests: [],
    phones: first.state().phones,
    faults: [],
    reports: 'never',
  });
  const answer = (await (await post(second, PATHS.plain, GOOD.plain)).json()) as { messageId: string };
  await second.close();
  expect(answer.messageId).toBe('msg-00000003');
});

test('a reset empties the file too', async () => {
  const first = await start();
  await post(first, PATHS.plain, GOOD.plain);
  first.reset();
  await first.close();
  const second = await start();
  expect(second.state().phones).toEqual({});
  await second.close();
});

test('a file of something else is refused with the way out', async () => {
  const carrier = await start();
  await carrier.close();
  await writeFile(phonesFile, 'not json');
  await expect(start()).rejects.toThrow('Start with --fresh');
});
