import { onTestFinished } from 'vitest';
import { NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import { failureOf } from '../../../src/gateway/webhooks/delivery-report.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Notice } from '../../../src/sends/notices.ts';
import type { NewSend } from '../../../src/sends/ports.ts';
import type { Post } from '../../../src/sends/posts.ts';
import { createRefusedPosts } from '../../../src/sends/refused-posts.ts';
import type { DecodeWebhook } from '../../../src/sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../../src/sends/replies/ports.ts';
import { createReplies } from '../../../src/sends/replies/service.ts';
import { createStoreTrouble } from '../../../src/sends/store-trouble.ts';
import { createOutbox } from '../../../src/slack/kit/posting/outbox.ts';
import type { ToGive } from '../../../src/slack/kit/posting/place-post.ts';
import { UNSHARED } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { rendering } from '../../fakes/renderers.ts';
import { openMemoryStores } from '../../fakes/stores.ts';

export const CUSTOMER = '+919812345678' as Msisdn;
export const SEND_ID = 'S-7K2M9QX4TB';

const SMS: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };

type OutboxDependencies = Parameters<typeof createOutbox>[0];
type Given = Awaited<ReturnType<ToGive['give']>>;

/** Answers on a real SQLite store; Slack is played by hand. `again` makes a second Herald over the same data. */
export function createRepliesSetting(
  decode: DecodeWebhook = (body) => decodeWebhook(body, NO_SECRETS, new Set(), 'IN'),
) {
  const { replies: store, sends, audiences, inputs, notices, posts, database } = openMemoryStores();
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const told: { readonly sendId: string | undefined; readonly events: readonly StoredCustomerEvent[] }[] = [];
  /** Of what operators were notified. */
  const notified: (Notice | undefined)[] = [];
  const counted: string[] = [];
  /** What came from phones on call, by the alert. */
  const onAlerts: (readonly [alertId: string, kind: string])[] = [];
  const slack: { readonly answers: Given[] } = { answers: [] };

  function again() {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const replies = createReplies({
      ...{ store, sends, audiences, decode, failureOf, inputs, notices },
      stopWords: ['STOP', 'बंद'],
      metrics: {
        webhookReceived: (result) => counted.push(result),
        inputSetAside: (source) => counted.push(`${source} set aside`),
        webhookEvent: (kind, matched) => counted.push(`${kind} ${matched ? 'matched' : 'unmatched'}`),
      },
      templateSaid: async () => {},
      onAlertAnswered: async (alertId, { kind }) => void onAlerts.push([alertId, kind]),
      ...{ clock, logger, stopping: stop.signal },
    });
    const outbox = createOutbox({
      ...{ posts, clock, logger, stopping: stop.signal },
      sharing: UNSHARED,
      renderers: rendering({
        reply: async (post) => ({ give: () => give(post) }),
        notice: async ({ subject }) => {
          notified.push(await notices.find(subject));
          return 'nothing';
        },
      }),
      client: {} as OutboxDependencies['client'],
      identity: () => undefined,
      latestUrls: { say: async () => false },
      refusedPosts: createRefusedPosts(logger, () => {}),
      storeTrouble: createStoreTrouble(),
    });
    stop.signal.addEventListener('abort', () => void outbox.drained(0));
    const start = () => {
      replies.start();
      outbox.start();
    };
    return { replies: { ...replies, start }, stop };
  }

  async function give({ mark, subject }: Post): Promise<Given> {
    const answer = slack.answers.shift();
    if (answer === undefined) told.push({ sendId: subject || undefined, events: await store.shownBy(mark) });
    return answer ?? { state: 'given', note: '' };
  }

  /** A send to one customer, accepted as `messageId`; without one it is still on its way. */
  async function sent(messageId?: string, message: Message = SMS, over: Partial<NewSend> = {}) {
    const at = clock.now();
    const id = over.id ?? SEND_ID;
    await sends.create({
      ...{ id, kind: message.kind, message, state: 'sending', createdAt: at, requestKey: id },
      origin: { teamId: 'T', userId: 'U', channelId: 'C' },
      recipients: [{ number: CUSTOMER }],
      ...over,
    });
    await sends.claim(id, 1, at);
    if (messageId !== undefined) await settle(messageId, id);
  }

  async function settle(messageId: string, sendId = SEND_ID): Promise<void> {
    const outcome = { state: 'accepted', status: 200, messageId } as const;
    await sends.settle([{ sendId, row: 0, outcome, settledAt: clock.now() }]);
  }

  const first = again();
  const post = (body: unknown) =>
    first.replies.receive({ bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
  return {
    ...first,
    ...{ again, post, sent, settle, slack },
    ...{ database, store, sends, audiences, inputs, posts, clock, logger },
    ...{ told, counted, onAlerts, notified },
  };
}

/** The same, at work, with a send that was accepted as `messageId`. */
export async function startedReplies(messageId?: string, message?: Message) {
  const setting = createRepliesSetting();
  if (messageId !== undefined) await setting.sent(messageId, message);
  setting.replies.start();
  return setting;
}
