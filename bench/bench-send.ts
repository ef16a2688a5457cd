import type { Message } from '../src/messages/kinds.ts';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../src/sends/ports.ts';
import type { Send } from '../src/sends/send.ts';
import type { Stores } from '../src/store/stores.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { createDispatching, openStores } from '../test/chaos/dispatching.ts';
import { storeSend } from '../test/chaos/plan.ts';

/** Connections of every contender. */
export const CONNECTIONS = 100;
const SEND_ID = 'S-BENCH';
const PREFIX = '+9198';

const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: ['{{name}}', 'A-1001'],
  campaignName: 'spring',
};
export const number = (n: number) => `${PREFIX}${String(n).padStart(8, '0')}` as Msisdn;
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
  const pace = { perSecond: 1_000_000, concurrency: connections };
  return createDispatching({ sends, lease }, origin, pace, {
    smsPace: { ...pace, recipientsPerRequest: SMS_PER_REQUEST },
    apiKey: HEADERS.apikey,
    logger: createBenchLogger(),
  });
}

/** Joins the replicas that share the database at `url`, as Herald does. */
export const openBenchDatabase = (url: string) => openStores(url, createBenchLogger());

/** Stores the send of `message` to `recipients` people, in state `sending`. */
export const prepareBenchSend = (store: SendStore, recipients: number, message: Message = MESSAGE) =>
  storeSend(store, SEND_ID, message, recipients, PREFIX);

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
