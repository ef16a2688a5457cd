import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { decodeWebhook } from '../../src/gateway/webhooks/decode.ts';
import { failureOf } from '../../src/gateway/webhooks/delivery-report.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import { processWebhook } from '../../src/sends/replies/process.ts';
import type { Memory } from '../../src/store/stores.ts';
import { accepted, bulkSend, claimedSend, recordWebhook, settleRows } from './steps.ts';

const ASHA = '+919812345678' as Msisdn;
const AT = 1_000;

/** Characters of three bytes each that no compression makes fewer, the same each time. */
function incompressible(length: number, seed = 'x'): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1)
    for (const byte of createHash('sha256')
      .update(`${seed}${part}`)
      .digest()
      .toString('hex')
      .match(/.{4}/g) ?? [])
      text += String.fromCharCode(0x4e_00 + (Number.parseInt(byte, 16) % 20_000));
  return text.slice(0, length);
}

/** Says what every store must keep, however long the texts of others are and however little they compress. */
export function describeLongestTexts(
  name: string,
  open: () => Promise<
    Pick<Memory, 'sends' | 'replies' | 'audiences' | 'drafts' | 'templates' | 'alerts' | 'notices'>
  >,
): void {
  describe(`${name} keeps the longest texts`, () => {
    async function tapped(
      { sends, replies, audiences, notices }: Awaited<ReturnType<typeof open>>,
      titles: string[],
    ) {
      const id = 'S-AAAAAAAAAA';
      await claimedSend(sends, id, [ASHA], AT);
      for (const [place, title] of titles.entries()) {
        const reply = { id: `yes-${place}`, title };
        const body = { from: ASHA, type: 'interactive', interactive: { button_reply: reply } };
        const bytes = Buffer.from(JSON.stringify(body));
        await replies.keep([{ digest: `d${place}`, receivedAt: AT, body: bytes.toString('base64') }], 1);
        const [webhook] = await replies.waiting(AT, 1);
        if (webhook === undefined) throw new Error('It was not kept.');
        const processing = await processWebhook(webhook, {
          ...{
            store: replies,
            sends,
            audiences,
            notices,
            decode: decodeWebhook,
            failureOf,
            clock: systemClock,
          },
          ...{ onAlertAnswered: async () => {}, templateSaid: async () => {}, stopWords: [] },
          metrics: { webhookReceived: () => {}, webhookEvent: () => {} },
        });
        await replies.record([processing]);
      }
      return (await replies.summary(id)).tally;
    }

    it('of a tap, counted by its first characters', async () => {
      const stores = await open();
      const long = incompressible(4_096);
      expect(await tapped(stores, [long])).toEqual([{ label: long.slice(0, 256), count: 1 }]);
      expect((await stores.replies.answersOf(ASHA, { limit: 9 }))[0]?.event).toMatchObject({ title: long });
    });

    it('of a tap without cutting what a reader sees as one character', async () => {
      const stores = await open();
      const family = '👨‍👩‍👧‍👦';
      const marks = `a${'\u0301'.repeat(400)}`;
      const tally = await tapped(stores, [`${'x'.repeat(250)}${family}`, marks, `${'x'.repeat(255)}é`]);
      // Each is another answer of the same person.
      expect(tally).toEqual([{ label: `${'x'.repeat(255)}é`, count: 1 }]);
      const labels = (await stores.replies.answersOf(ASHA, { limit: 9 })).map(({ label }) => label);
      expect(labels).toEqual([`${'x'.repeat(255)}é`, marks.slice(0, 256), 'x'.repeat(250)]);
    });

    it('of a message’s id, and of failures', async () => {
      const { sends, replies } = await open();
      const messageId = incompressible(256, 'id');
      const failure: Failure = {
        ...{ code: incompressible(2_000, 'code'), what: incompressible(4_096, 'what'), next: 'Look.' },
        ...{ scope: 'recipient', explanation: incompressible(2_000, 'why') },
      };
      await claimedSend(sends, 'S-1', [ASHA, '+911' as Msisdn], AT);
      await settleRows(sends, 'S-1', [accepted(messageId), { state: 'unknown', failure }], AT);
      await replies.indexIds();
      expect(await replies.findByMessageId(messageId)).toMatchObject({ row: 0 });
      expect(await sends.failures('S-1')).toEqual([{ state: 'unknown', failure, count: 1 }]);
      const delivery = { sendId: 'S-1', row: 0, status: 'failed', at: AT, failure } as const;
      await recordWebhook(replies, 'd', { deliveries: [delivery] });
      expect((await replies.summary('S-1')).failures).toEqual([{ failure, count: 1 }]);
    });

    it('of names that people give', async () => {
      const { sends, audiences, drafts, templates, alerts } = await open();
      const list = incompressible(80, 'list');
      await audiences.begin({ id: 'A', source: 'file', columns: [], createdBy: 'U', createdAt: AT });
      await audiences.finish('A', { read: 0, valid: 0, invalid: 0, duplicate: 0, opted_out: 0 }, 'd');
      await audiences.save('A', list);
      expect(await audiences.findByName(list)).toMatchObject({ id: 'A' });
      const draft = { owner: 'U', kind: 'sms', name: incompressible(60, 'draft') } as const;
      await drafts.save({ ...draft, values: {}, savedAt: AT });
      expect(await drafts.names('U', 'sms')).toEqual([draft.name]);
      const key = { channel: 'rcs', name: incompressible(75, 'template') } as const;
      const template = { ...key, label: 'x', placeholders: [] } as never;
      const author = { actor: 'U', at: AT, source: 'form' } as const;
      await templates.write([{ template, archived: false, action: 'added', expected: 0 }], author);
      expect(await templates.find(key)).toMatchObject({ revision: 1 });
      const message = {
        ...bulkSend('S').message,
        templateName: key.name,
        text: incompressible(3_000, 'text'),
      };
      await sends.begin({ ...bulkSend('S'), message: message as never });
      expect((await sends.list({ limit: 9, template: key.name })).map(({ id }) => id)).toEqual(['S']);
      const posted = { channelId: 'C', ts: '1.1', eventTs: '1.1', author: {}, receivedAt: AT };
      await alerts.keep([{ ...posted, eventId: 'Ev', kind: 'posted', text: incompressible(4_000, 'alert') }]);
      expect(await alerts.waiting(9)).toHaveLength(1);
    });
  });
}
