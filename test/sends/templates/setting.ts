import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { createTemplateLife } from '../../../src/sends/templates/life.ts';
import { createTemplates } from '../../../src/sends/templates/service.ts';
import { createBulkSetting } from '../bulk/setting.ts';

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
export function createTemplatesSetting(startedAt?: number) {
  const at = createBulkSetting({}, { startedAt });
  const { store, notices, posts, clock, logger, bulk } = at;
  const templateStore = at.templates;
  const life = createTemplateLife({ templates: templateStore, notices, clock, logger });
  const templates = createTemplates({ templateStore, store, bulkSends: bulk, life, clock });

  async function put(...wanted: readonly Template[]): Promise<void> {
    const writes = wanted.map(
      (template) => ({ template, archived: false, action: 'added', expected: 0 }) as const,
    );
    await templateStore.write(writes, { actor: 'U0ASHA', at: clock.now(), source: 'form' });
  }

  /** A send of the order template to so many people waits for its approval. */
  const waiting = (recipients = 3, startAt?: number) =>
    at.waiting(recipients, { message: MESSAGE, ...(startAt !== undefined && { startAt }) });

  /** Of what operators are to be notified, which is then done. */
  async function toNotify() {
    const claim = { now: clock.now(), how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
    const due = await posts.claim(claim);
    for (const { mark, wanted } of due) await posts.note({ mark, shown: wanted, restMs: 0 }, clock.now());
    return Promise.all(due.map(({ subject }) => notices.find(subject)));
  }

  return {
    ...{ ...at, templateStore, templates, life, toNotify, put, waiting },
  };
}
