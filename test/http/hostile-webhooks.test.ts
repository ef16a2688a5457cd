import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { answerWebhook, WEBHOOK_PATH } from '../../src/http/webhooks.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { createRepliesSetting } from '../sends/replies/setting.ts';
import { howMany } from '../trust/how-many.ts';
import { hostileBody, seeded } from './hostile-bodies.ts';
import { serving } from './serving.ts';

const BODIES = howMany(400, 10_000).count;
const AT_ONCE = 50;
const TOKEN = 'a-token-nobody-guesses';
const serve = serving();

it('hundreds of hostile bodies: each is answered with 200, none is lost, all are processed', async () => {
  const setting = createRepliesSetting();
  await setting.sent('m-1');
  const logger = createRecordingLogger();
  const handler = answerWebhook({
    tokens: [TOKEN],
    allowFrom: [],
    proxies: [],
    receive: setting.replies.receive,
    onRefused: () => {},
    clock: setting.clock,
    logger,
  });
  const { url: base, server } = await serve({ [WEBHOOK_PATH]: { POST: handler } }, { logger });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const url = `${base}/webhooks/messaging/${TOKEN}`;
  const post = (bytes: Buffer, contentType?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const sending = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      sending.once('error', reject).end(bytes);
    });

  const random = seeded(20_261_121);
  const posted = new Set<string>();
  const statuses = new Map<number | undefined, number>();
  for (let at = 0; at < BODIES; at += AT_ONCE) {
    const bodies = Array.from({ length: AT_ONCE }, () => hostileBody(random));
    for (const { bytes } of bodies) posted.add(createHash('sha256').update(bytes).digest('hex'));
    const answers = await Promise.all(bodies.map(({ bytes, contentType }) => post(bytes, contentType)));
    for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  agent.destroy();
  await server.close(0);
  expect([...statuses]).toEqual([[200, BODIES]]);

  const rows = setting.database.prepare('SELECT digest, body FROM webhooks').all();
  expect(new Set(rows.map(({ digest }) => digest))).toEqual(posted);
  for (const { digest, body } of rows) {
    expect(
      createHash('sha256')
        .update(body as Uint8Array)
        .digest('hex'),
    ).toBe(digest);
  }

  setting.replies.start();
  // Reports of messages that nobody sent are looked for again before they are let go.
  await setting.clock.advance(60 * 60_000);
  expect(await setting.store.nextDue()).toBeUndefined();
  expect(await setting.posts.waiting()).toEqual({ count: 0 });
  const toldEvents = setting.told.reduce((sum, { events }) => sum + events.length, 0);
  const events = setting.database.prepare('SELECT count(*) AS count FROM customer_events').get()?.count;
  expect(toldEvents).toBe(events);
  expect(toldEvents).toBeGreaterThan(posted.size / 2);
  expect([...logger.lines, ...setting.logger.lines].filter(({ level }) => level === 'error')).toEqual([]);
  setting.stop.abort();
}, 240_000);
