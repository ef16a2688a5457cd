import type { SmsType } from '../senders.ts';

/** `quietHours` of herald.yml: a daily window in which SMS and flash SMS of some types to one country are deferred. */
export interface QuietHours {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** As a kind’s `quietHoursType` names them. */
  readonly types: readonly string[];
  /** `HH:MM`; a window that ends before it begins crosses midnight. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timezone: string;
}

/** What holds where a team sets nothing else: India lets promotional messages go out by day only. */
export const INDIA_QUIET_HOURS = {
  country: 'IN',
  types: ['PROMO'] satisfies SmsType[],
  from: '21:00',
  to: '10:00',
  timezone: 'Asia/Kolkata',
} satisfies QuietHours;
