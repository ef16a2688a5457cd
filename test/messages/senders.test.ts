import { describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { sendersOf, sendersSchema } from '../../src/messages/senders.ts';
import { table } from '../table.ts';
import { BY_COUNTRY } from './samples.ts';

function issues(value: unknown): string[] {
  return sendersSchema.safeParse(value).error?.issues.map((i) => `${i.path.join('.')}: ${i.message}`) ?? [];
}

describe('sendersSchema', () => {
  it('takes the example configuration as it stands', () => {
    const senders = {
      chatapp: [{ number: '+919876543210', label: 'Support' }],
      rcs: [{ botId: 'acme-bot', label: 'Acme', type: 'PRETRANS' }],
      sms: [{ id: 'ACMEIN', label: 'Acme', type: 'TRANS' }],
    };
    expect(sendersSchema.parse(senders)).toEqual(senders);
  });

  it('fills in what may be left out', () => {
    const written = {
      chatapp: [{ number: '+91 98765 43210' }],
      rcs: [{ botId: 'acme' }],
      sms: [{ id: ' 57575 ', type: 'PROMO' }],
    };
    expect(sendersSchema.parse(written)).toEqual({
      chatapp: [{ number: '+919876543210', label: '+91 98765 43210' }],
      rcs: [{ botId: 'acme', label: 'acme', type: 'PRETRANS' }],
      sms: [{ id: '57575', label: '57575', type: 'PROMO' }],
    });
    const { chatapp, rcs } = written;
    expect(sendersSchema.parse({ chatapp })).toMatchObject({ rcs: [], sms: [] });
    expect(sendersSchema.parse({ rcs })).toMatchObject({ chatapp: [], sms: [] });
  });

  it.each(table`
undefined | : Configure at least one sender, under chatapp, rcs or sms.
null | : Configure at least one sender, under chatapp, rcs or sms.
{} | : Configure at least one sender, under chatapp, rcs or sms.
{"chatapp":[],"rcs":[],"sms":[]} | : Configure at least one sender, under chatapp, rcs or sms.
{"flash":[],"sms":[{"id":"A","type":"TRANS"}]} | : There is no sender of kind “flash”; the kinds are chatapp, rcs and sms.
{"sms":{}} | sms: Enter the senders as a list.
{"sms":["ACMEIN"]} | sms.0: A sender is written { id, label, type, countries }.
{"sms":[{"id":"ACMEIN","type":"TRANS","name":"x"}]} | sms.0: Unknown key “name”: a sender is written { id, label, type, countries }.
{"sms":[{"id":57575,"type":"TRANS"}]} | sms.0.id: The sender id must be text; put it in quotes.
{"sms":[{"id":" ","type":"TRANS"}]} | sms.0.id: The sender id is empty.
{"sms":[{"id":"${'a'.repeat(76)}","type":"TRANS"}]} | sms.0.id: The sender id has more than 75 characters.
{"sms":[{"id":"ACMEIN"}]} | sms.0.type: The type is one of TRANS, PROMO, OTP.
{"sms":[{"id":"ACMEIN","type":"trans"}]} | sms.0.type: The type is one of TRANS, PROMO, OTP.
{"sms":[{"id":"A","type":"TRANS"},{"id":"A","type":"OTP"}]} | sms.1.id: This sender is listed twice.
{"sms":[{"id":"A","type":"TRANS","countries":["IN","XX"]}]} | sms.0.countries.1: Enter a country as two capital letters, such as IN.
{"sms":[{"id":"A","type":"TRANS","countries":[]}]} | sms.0.countries: Enter the countries as a list, such as [IN, AE], or leave them out.
{"sms":[{"id":"A","type":"TRANS","countries":["AE"]},{"id":"B","type":"TRANS","countries":["SG","AE"]}]} | sms.1.countries.1: United Arab Emirates has a TRANS sender already; each type has one for a country.
{"rcs":[{}]} | rcs.0.botId: The bot’s id must be text; put it in quotes.
{"rcs":[{"botId":"a"},{"botId":"a"}]} | rcs.1.botId: This sender is listed twice.
{"rcs":[{"botId":"a","type":""}]} | rcs.0.type: The type is empty.
{"chatapp":[{"number":919876543210}]} | chatapp.0.number: Enter a phone number as text, in quotes, so that + is kept.
{"chatapp":[{"number":"9876543210"}]} | chatapp.0.number: Start the number with + and the country code, for example +91 81234 56789.
{"chatapp":[{"number":"+919876543210"},{"number":"+91 98765 43210"}]} | chatapp.1.number: This sender is listed twice.`)(
    'refuses %s: %s',
    (value = '', said = '') => {
      expect(issues(value === 'undefined' ? undefined : JSON.parse(value))).toEqual([said]);
    },
  );
});

describe('sendersOf', () => {
  const [ACMEIN = BY_COUNTRY[0], ...others] = BY_COUNTRY;
  const map = { IN: 'ACMEIN', AE: 'ACMEAE' };

  it.each([
    ['India’s own', BY_COUNTRY, undefined, '+919876543210', { sender: 'ACMEIN', type: 'TRANS' }],
    ['India’s own of a type', BY_COUNTRY, 'PROMO', '+919876543210', { sender: 'ACMEPR', type: 'PROMO' }],
    ['that of all others', BY_COUNTRY, undefined, '+6591234567', { sender: 'ACME', type: 'TRANS' }],
    ['nobody of a type', BY_COUNTRY, 'PROMO', '+6591234567', { senders: { IN: 'ACMEPR' }, type: 'PROMO' }],
    ['each country’s own', BY_COUNTRY, undefined, undefined, { sender: 'ACME', senders: map, type: 'TRANS' }],
    ['the one of a country', others, undefined, '+97144567890', { sender: 'ACMEAE', type: 'TRANS' }],
    ['nobody', [ACMEIN], undefined, '+6591234567', { senders: { IN: 'ACMEIN' }, type: 'TRANS' }],
    ['the one chosen, as another type', [ACMEIN], 'OTP', '+919876543210', { sender: 'ACMEIN', type: 'OTP' }],
  ] as const)('lets %s send', (_who, chosen, type, to, expected) => {
    expect(sendersOf(chosen, type, to as Msisdn | undefined)).toEqual(expected);
  });
});
