import { beforeEach, describe, expect, it } from 'vitest';
import { personOf } from '../../src/messages/numbers/person.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { AudienceStore, OptOut } from '../../src/sends/audience.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { ReplyStore } from '../../src/sends/replies/ports.ts';
import { accepted, claimedSend, endedSend, FAILURE, type Open, oneSend, recordWebhook } from './steps.ts';

/** As a list has it, and as the chat platform reports it. */
const SPELLINGS = [
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Argentina', '+541123456789', '+5491123456789'],
  ['Brazil', '+5511987654321', '+551187654321'],
] as unknown as readonly (readonly [string, Msisdn, Msisdn])[];
const OTHER = '+525512345679' as Msisdn;

/** Says what every store must do with a person whose number is spelled in two ways. */
export function describePeople(name: string, open: Open<'sends' | 'replies' | 'audiences'>): void {
  describe(`${name} knows somebody under each spelling`, () => {
    let sends: SendStore;
    let replies: ReplyStore;
    let audiences: AudienceStore;
    beforeEach(async () => {
      ({ sends, replies, audiences } = await open());
    });

    const optOut = (number: Msisdn): OptOut => ({ number, at: 1, actor: 'herald', source: 'reply' });

    it.each([...SPELLINGS, ...SPELLINGS.map(([where, one, other]) => [where, other, one] as const)])(
      'who opted out, in %s: %s',
      async (_, one, other) => {
        expect(await audiences.optOut([optOut(one), optOut(OTHER)])).toBe(2);
        expect(await audiences.optOut([optOut(other)])).toBe(0);
        for (const number of [one, other])
          expect(await audiences.findOptOut(number)).toEqual(optOut(personOf(one)));
        expect(await audiences.optedOut([other, one, OTHER])).toEqual(new Set([other, one, OTHER]));
        expect(await audiences.optIn(other, { at: 2, actor: 'U', number: '…' })).toBe(true);
        expect(await audiences.optedOut([one, other, OTHER])).toEqual(new Set([OTHER]));
      },
    );

    it.each(SPELLINGS)('who was sent to, in %s', async (_, one, other) => {
      await claimedSend(sends, 'S-1', [one, OTHER], 5);
      expect(await sends.hadEnough([other, one], 1, 5)).toEqual(new Set([other, one]));
      expect(await sends.hadEnough([other], 2, 5)).toEqual(new Set());
      await claimedSend(sends, 'S-0', [other], 4);
      expect(await sends.hadEnough([other, one], 2, 4)).toEqual(new Set([other, one]));
      expect(await sends.hadEnough([other, one], 3, 4)).toEqual(new Set());
      const recipients = [{ row: 0, number: other }];
      const asked = { sendId: 'S-1', recipients, since: 5, failure: FAILURE, at: 6 };
      expect(await sends.skipOverCap({ ...asked, most: 1 })).toEqual([]);
      expect(await sends.skipOverCap({ ...asked, most: 0 })).toEqual([0]);
      await sends.settle([{ sendId: 'S-1', row: 1, outcome: accepted('shared'), settledAt: 6 }]);
      expect((await sends.sentTo(other, { limit: 9 })).map(({ send }) => send.id)).toEqual(['S-0', 'S-1']);
      expect(await replies.newestTo(other)).toEqual({ sendId: 'S-1', row: 0, number: one });
    });

    it('a report that names one of several recipients of a message', async () => {
      const [, mexican, reported] = SPELLINGS[0] as (typeof SPELLINGS)[number];
      await endedSend(
        sends,
        'S-1',
        [mexican, OTHER].map((number) => [number, accepted('shared')]),
      );
      expect(await replies.findByMessageId('shared', reported)).toMatchObject({ row: 0, number: mexican });
    });

    it('what somebody answered, and what they tapped last', async () => {
      const [, mexican, reported] = SPELLINGS[0] as (typeof SPELLINGS)[number];
      await sends.create({ ...oneSend('S-1'), recipients: [{ number: mexican }] });
      const tap = (key: string, from: Msisdn, title: string) => ({
        key,
        event: { kind: 'reply', replyId: title, title, from } as const,
        ...{ sendId: 'S-1', label: title, optedOut: false },
      });
      const events = [tap('k1', mexican, 'Yes'), tap('k2', reported, 'No')];
      await recordWebhook(replies, 'd', { events });
      expect((await replies.summary('S-1')).tally).toEqual([{ label: 'No', count: 1 }]);
      for (const number of [mexican, reported])
        expect((await replies.answersOf(number, { limit: 9 })).map(({ key }) => key)).toEqual(['k2', 'k1']);
    });
  });
}
