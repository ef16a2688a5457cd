import { describe, expect, it } from 'vitest';
import { sendersSchema } from '../../src/messages/senders.ts';

const NO_SENDER = ': Configure at least one sender, under chatapp, rcs or sms.';

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
    expect(sendersSchema.parse({ chatapp: [{ number: '+91 98765 43210' }] })).toEqual({
      chatapp: [{ number: '+919876543210', label: '+91 98765 43210' }],
      rcs: [],
      sms: [],
    });
    expect(
      sendersSchema.parse({ rcs: [{ botId: 'acme' }], sms: [{ id: ' 57575 ', type: 'PROMO' }] }),
    ).toEqual({
      chatapp: [],
      rcs: [{ botId: 'acme', label: 'acme', type: 'PRETRANS' }],
      sms: [{ id: '57575', label: '57575', type: 'PROMO' }],
    });
  });

  it.each<[value: unknown, expected: string[]]>([
    [undefined, [NO_SENDER]],
    [null, [NO_SENDER]],
    [{}, [NO_SENDER]],
    [{ chatapp: [], rcs: [], sms: [] }, [NO_SENDER]],
    [
      { flash: [], sms: [{ id: 'A', type: 'TRANS' }] },
      [': There is no sender of kind “flash”; the kinds are chatapp, rcs and sms.'],
    ],
    [{ sms: {} }, ['sms: Enter the senders as a list.']],
    [{ sms: ['ACMEIN'] }, ['sms.0: A sender is written { id, label, type }.']],
    [
      { sms: [{ id: 'ACMEIN', type: 'TRANS', name: 'x' }] },
      ['sms.0: Unknown key “name”: a sender is written { id, label, type }.'],
    ],
    [{ sms: [{ id: 57575, type: 'TRANS' }] }, ['sms.0.id: The sender id must be text; put it in quotes.']],
    [{ sms: [{ id: ' ', type: 'TRANS' }] }, ['sms.0.id: The sender id is empty.']],
    [
      { sms: [{ id: 'a'.repeat(76), type: 'TRANS' }] },
      ['sms.0.id: The sender id has more than 75 characters.'],
    ],
    [{ sms: [{ id: 'ACMEIN' }] }, ['sms.0.type: The type is one of TRANS, PROMO, OTP.']],
    [{ sms: [{ id: 'ACMEIN', type: 'trans' }] }, ['sms.0.type: The type is one of TRANS, PROMO, OTP.']],
    [
      {
        sms: [
          { id: 'A', type: 'TRANS' },
          { id: 'A', type: 'OTP' },
        ],
      },
      ['sms.1.id: This sender is listed twice.'],
    ],
    [{ rcs: [{}] }, ['rcs.0.botId: The bot’s id must be text; put it in quotes.']],
    [{ rcs: [{ botId: 'a' }, { botId: 'a' }] }, ['rcs.1.botId: This sender is listed twice.']],
    [{ rcs: [{ botId: 'a', type: '' }] }, ['rcs.0.type: The type is empty.']],
    [
      { chatapp: [{ number: 919876543210 }] },
      ['chatapp.0.number: Enter a phone number as text, in quotes, so that + is kept.'],
    ],
    [
      { chatapp: [{ number: '9876543210' }] },
      ['chatapp.0.number: Start the number with + and the country code, for example +91 81234 56789.'],
    ],
    [
      { chatapp: [{ number: '+919876543210' }, { number: '+91 98765 43210' }] },
      ['chatapp.1.number: This sender is listed twice.'],
    ],
  ])('refuses %j', (value, expected) => {
    expect(issues(value)).toEqual(expected);
  });
});
