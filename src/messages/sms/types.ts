/** How an SMS is billed and filtered: transactional, promotional, one-time password (docs/wire.md, rows 9 and 10). */
export const SMS_TYPES = ['TRANS', 'PROMO', 'OTP'] as const;
export type SmsType = (typeof SMS_TYPES)[number];
