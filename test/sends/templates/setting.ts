import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { createAudiences } from '../../../src/sends/audiences/service.ts';
import { createBulkSends } from '../../../src/sends/bulk/service.ts';
import type { BulkResult } from '../../../src/sends/bulk.ts';
import type { Send } from '../../../src/sends/send.ts';
import { createStoreTrouble } from '../../../src/sends/store-trouble.ts';
import { createTimers } from '../../../src/sends/tasks.ts';
import { createTemplateLife } from '../../../src/sends/templates/life.ts';
import { createTemplates } from '../../../src/sends/templates/service.ts';
import { ALONE } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createCountingRandom } from '../../fakes/random.ts';
import { openMemoryStores } from '../../fakes/stores.ts';

export const ORDER = templateSchema.parse({
  name: 'order_update',
  channel: 'chatapp',
  variant: 'text',
  label: 'Order update',
  languages: ['en'],
  placeholders: [
    { name: 'customer', example: 'Asha' },
    { name: 'order', example: 'A-1001', maxLength: 12 },
  ],
  text: 'Hello {{1}}, your order {{2}} is on its way.',
});
export const OPENING = templateSchema.parse({
  name: 'store_open',
  channel: 'rcs',
  variant: 'plain',
  label: 'Store opening',
  text: 'We are open.',
});

/** A message of `ORDER`. */
export const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: ORDER.name,
  params: ['Asha', 'A-1'],
};

/** The catalogue over real stores, beside bulk sends that are real but for Slack and the service. */
export function createTemplatesSetting(startedAt = Date.UTC(2026, 0, 5, 8, 0)) {
  const stores = openMemoryStores();
  const { sends: store, audiences: audienceStore, templates: templateStore, notices, posts } = stores;
  const clock = createManualClock(startedAt);
  const logger = createRecordingLogger();
  const random = createCountingRandom();
  const life = createTemplateLife({ templates: templateStore, notices, clock, logger });
  let asked = 0;
  const begun: string[] = [];
  const bulkSends = createBulkSends({
    store,
    audiences: audienceStore,
    catalogue: {
      find: (...key) => templates.find(...key),
      search: (...query) => templates.search(...query),
      mark: (key) => templates.mark(key),
    },
    dispatcher: { run: async (send: Send) => void begun.push(send.id) } as never,
    directory: { whyNot: async () => undefined },
    quietHours: () => undefined,
    lease: ALONE,
    tasks: createTimers({ clock, logger }),
    policy: { approvers: ['U0RAVI'], over: 1, tiers: [], expireHours: 24, lateAfterMinutes: 60 },
    clock,
    random,
    logger,
    stopping: new AbortController().signal,
    storeTrouble: createStoreTrouble(),
  });
  const templates = createTemplates({ templateStore, store, bulkSends, life, clock });
  const audiences = createAudiences({ store: audienceStore, clock, random, logger, defaultCountry: 'IN' });

  async function put(...wanted: readonly Template[]): Promise<void> {
    const writes = wanted.map(
      (template) => ({ template, archived: false, action: 'added', expected: 0 }) as const,
    );
    await templateStore.write(writes, { actor: 'U0ASHA', at: clock.now(), source: 'form' });
  }

  /** A send of the order template to so many people. */
  async function ask(recipients: number, startAt?: number): Promise<BulkResult> {
    asked += 1;
    const numbers = Array.from({ length: recipients }, (_none, n) => `+9198${String(n + 10_000_000)}`);
    const list = await audiences.fromNumbers(numbers.join('\n'), 'U0ASHA');
    if (list.state !== 'ready') throw new Error('the list was not taken');
    return bulkSends.request({
      message: MESSAGE,
      audienceId: list.audience.id,
      origin: { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' },
      requestKey: `k${asked}`,
      ...(startAt === undefined ? {} : { startAt }),
    });
  }

  async function waiting(recipients = 3, startAt?: number): Promise<Send> {
    const result = await ask(recipients, startAt);
    if (result.state !== 'awaiting_approval') throw new Error(`not waiting: ${JSON.stringify(result)}`);
    return result.send;
  }

  const approve = ({ id, digest = '' }: Send) =>
    bulkSends.approve({ sendId: id, userId: 'U0RAVI', teamId: 'T0ACME', digest });

  /** Of what operators are to be notified, which is then done. */
  async function toNotify() {
    const claim = { now: clock.now(), how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
    const due = await posts.claim(claim);
    for (const { mark, wanted } of due) await posts.note({ mark, shown: wanted, restMs: 0 }, clock.now());
    return Promise.all(due.map(({ subject }) => notices.find(subject)));
  }

  return {
    ...{ store, templateStore, templates, life, bulkSends, clock, logger },
    ...{ toNotify, begun, put, ask, waiting, approve },
  };
}
