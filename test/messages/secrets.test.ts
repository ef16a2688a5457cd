import { describe, expect, it } from 'vitest';
import type {
  ChatappMessage,
  FlashMessage,
  Message,
  RcsMessage,
  SmsMessage,
} from '../../src/messages/message.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { needsSecret, withoutSecrets } from '../../src/messages/secrets.ts';
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
const TEXT: ChatappMessage = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: ['Asha', 'A-1001'],
};
const RCS: RcsMessage = {
  kind: 'rcs',
  variant: 'plain',
  templateName: 'store_open',
  botId: 'b',
  type: 'PRETRANS',
};
const SMS: SmsMessage = {
  kind: 'sms',
  sender: 'ACMEIN',
  text: 'We are open.',
  type: 'TRANS',
  unicode: false,
};
const FLASH: FlashMessage = { kind: 'flash', sender: 'ACMEIN', text: 'Now!', type: 'PROMO', unicode: false };

describe('secrets', () => {
  it.each([TEXT, RCS, SMS, FLASH] as Message[])(
    'leaves a $kind message without a secret as it is',
    (message) => {
      expect(withoutSecrets(message)).toEqual(message);
      expect(needsSecret(message)).toBe(false);
    },
  );

  it('drops a one-time password, and still knows that one is needed', () => {
    const { otp: _otp, ...rest } = OTP;
    const stored = withoutSecrets(OTP);
    expect(stored).toEqual(rest);
    expect('otp' in stored).toBe(false);
    expect(needsSecret(OTP)).toBe(true);
    expect(needsSecret(stored)).toBe(true);
  });

  it.each([SMS, FLASH])('covers the whole text of a $kind message of type OTP', (message) => {
    const secret: Message = { ...message, type: 'OTP', text: 'Your code: horse-42 €\nBye' };
    const covered = { ...secret, text: '#### ##### ######## ^\n###' };
    expect(withoutSecrets(secret)).toEqual(covered);
    expect(needsSecret(secret)).toBe(true);
    expect(needsSecret(covered)).toBe(true);
    expect(withoutSecrets(covered)).toEqual(covered);
  });

  it.each(['Code 12 €{}', 'कोड 4930', `${'😀1'.repeat(50)}`, '漢€'.repeat(40), `${'a€'.repeat(120)}`])(
    'keeps parts and encoding of %j',
    (text) => {
      const secret: SmsMessage = { ...SMS, type: 'OTP', text };
      const { firstNonGsm: _was, ...expected } = measureSms(text);
      const { firstNonGsm: _is, ...covered } = measureSms((withoutSecrets(secret) as SmsMessage).text);
      expect(covered).toEqual(expected);
    },
  );
});
