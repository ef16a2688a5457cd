import { systemClock } from '../src/core/clock.ts';
import { systemRandom } from '../src/core/random.ts';
import { TIMEOUTS } from '../src/gateway/client.ts';
import { createGateway } from '../src/gateway/gateway.ts';
import { wireSchema } from '../src/gateway/wire.ts';
import type { Message } from '../src/messages/kinds.ts';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../src/sends/ports.ts';
import type { Send } from '../src/sends/send.ts';
import type { Stores } from '../src/store/stores.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { createTestDispatcher, pacingOf } from '../test/fakes/sends.ts';

/** Connections of every contender. */
export const CONNECTIONS = 100;
const SEND_ID = 'S-BENCH';
const BATCH = 5_000;

const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: ['{{name}}', 'A-1001'],
  campaignName: 'spring',
};
export const number = (n: number) => `+9198${String(n).padStart(8, '0')}` as Msisdn;
export const body = (n: number) =>
  JSON.stringify({
    from: MESSAGE.kind === 'chatapp' ? MESSAGE.from : '',
    to: number(n),
    templateName: 'order_update',
    type: 'template',
    campaignName: 'spring',
    components: { body: { params: [`Person ${n}`, 'A-1001'] } },
  });
/** What Herald sends, byte for byte, so that the contenders differ in nothing but what they do around it. */
export const HEADERS = {
  apikey: 'bench-key-0123456789',
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Herald',
};

/** What Herald's processes log with: everything that production logs, to nowhere. */
export function createBenchLogger() {
  return createLogger({ level: 'info', secrets: [HEADERS.apikey], destination: { write: () => {} } });
}

/** The same words for everybody, so that many recipients fit into a request. */
export const BULK_SMS: Message = {
  kind: 'sms',
  sender: 'ACMEIN',
  text: 'We open at nine.',
  type: 'TRANS',
  unicode: false,
};
export const SMS_PER_REQUEST = 100;

/** The whole of dispatch with everything on, at a pace that limits nothing but the connections of all together. */
export function createBenchDispatching(
  { sends, lease }: Pick<Stores, 'sends' | 'lease'>,
  origin: string,
  connections = CONNECTIONS,
) {
  const logger = createBenchLogger();
  const gateway = createGateway({
    baseUrl: origin,
    flashUrl: origin,
    apiKey: HEADERS.apikey,
    wire: wireSchema.parse({}),
    timeouts: TIMEOUTS,
    onRequest: () => {},
    connections,
    clock: systemClock,
    logger,
  });
  const pace = { perSecond: 1_000_000, concurrency: connections };
  const dispatcher = createTestDispatcher({
    ...{ store: sends, lease, gateway, logger, random: systemRandom },
    pacing: { ...pacingOf(pace), sms: { ...pace, recipientsPerRequest: SMS_PER_REQUEST } },
  });
  return { gateway, dispatcher };
}

/** Stores the send of `message` to `recipients` people, in state `sending`. */
export async function prepareBenchSend(
  store: SendStore,
  recipients: number,
  message = MESSAGE,
): Promise<void> {
  await store.begin({
    id: SEND_ID,
    kind: message.kind,
    message,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: 1,
    requestKey: 'k',
    audience: { id: 'A', columns: ['name'] },
  });
  for (let from = 0; from < recipients; from += BATCH) {
    const size = Math.min(BATCH, recipients - from);
    const rows = Array.from({ length: size }, (_, n) => ({
      row: from + n,
      number: number(from + n),
      values: [`Person ${from + n}`],
    }));
    await store.addRecipients(SEND_ID, rows);
  }
  await store.seal({ sendId: SEND_ID, digest: 'd', to: 'approved', at: 1, actor: 'U' });
  await store.moveSend({ sendId: SEND_ID, from: 'approved', to: 'sending', at: 1, actor: 'U' });
}

export async function benchSend(store: SendStore): Promise<Send> {
  const send = await store.find(SEND_ID);
  if (send === undefined) throw new Error('the send was not stored');
  return send;
}

/** Throws unless everybody was sent to. */
export async function expectAllArrived(store: SendStore, recipients: number): Promise<void> {
  const send = await benchSend(store);
  if (send.state !== 'done' || send.counts.accepted !== recipients)
    throw new Error(`not all arrived: ${JSON.stringify(send)}`);
}
