import { describe, expect, it } from 'vitest';
import type { ChatappMessage } from '../../src/messages/kinds/chatapp.ts';
import type { FlashMessage } from '../../src/messages/kinds/flash.ts';
import type { SmsMessage } from '../../src/messages/kinds/sms.ts';
import { kindOf, type Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { measureSms } from '../../src/messages/sms/segments.ts';

const OTP: ChatappMessage = {
  kind: 'chatapp',
  variant: 'otp',
  from: '+919876543210' as Msisdn,
  templateName: 'login_code',
  params: [],
  otp: '493021',
  language: { code: 'en' },
};
const SMS: SmsMessage = { kind: 'sms', sender: 'ACMEIN', text: 'Open.', type: 'TRANS', unicode: false };
const FLASH: FlashMessage = { kind: 'flash', sender: 'ACMEIN', text: 'Now!', type: 'PROMO', unicode: false };

describe('secrets', () => {
  it('drops a one-time password, and still knows that one is needed', () => {
    const { otp: _otp, ...rest } = OTP;
    const stored = kindOf(OTP).withoutSecret(OTP);
    expect(stored).toEqual(rest);
    expect('otp' in stored).toBe(false);
    expect(kindOf(OTP).needsSecret(OTP)).toBe(true);
    expect(kindOf(stored).needsSecret(stored)).toBe(true);
  });

  it.each([SMS, FLASH])('covers the whole text of a $kind message of type OTP', (message) => {
    const secret: Message = { ...message, type: 'OTP', text: 'Your code: horse-42 €\nBye' };
    const covered = { ...secret, text: '#### ##### ######## ^\n###' };
    expect(kindOf(secret).withoutSecret(secret)).toEqual(covered);
    expect(kindOf(secret).needsSecret(secret)).toBe(true);
    expect(kindOf(covered).needsSecret(covered)).toBe(true);
    expect(kindOf(covered).withoutSecret(covered)).toEqual(covered);
  });

  it.each(['Code 12 €{}', 'कोड 4930', `${'😀1'.repeat(50)}`, '漢€'.repeat(40), `${'a€'.repeat(120)}`])(
    'keeps parts and encoding of %j',
    (text) => {
      const secret: SmsMessage = { ...SMS, type: 'OTP', text };
      const { firstNonGsm: _was, ...expected } = measureSms(text);
      const covered = kindOf(secret).withoutSecret(secret) as SmsMessage;
      expect(measureSms(covered.text)).toMatchObject(expected);
    },
  );
});
