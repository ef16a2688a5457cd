import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap, type ExpiringMap } from '../../../core/expiring-map.ts';
import type { CountryCode, Msisdn } from '../../../messages/numbers/phone-number.ts';
import type { ApproverDirectory, BulkSends } from '../../../sends/bulk.ts';
import type { Send } from '../../../sends/send.ts';
import type { SendService } from '../../../sends/service.ts';
import type { FactSources } from './facts.ts';

export interface Approving extends FactSources {
  readonly bulkSends: Pick<BulkSends, 'approve' | 'reject' | 'withdraw'>;
  /** Test messages are sends of their own. */
  readonly sends: Pick<SendService, 'submit'>;
  readonly directory: ApproverDirectory;
  /** `defaults` of herald.yml. */
  readonly defaults: { readonly country: CountryCode };
  /** Opens a send that was taken back as a form; returns a sentence when that failed. */
  readonly onEdit: (send: Send, triggerId: string) => Promise<string | undefined>;
  /** Where each person had their last test sent; kept in memory only. */
  readonly testNumbers: ExpiringMap<Msisdn>;
  readonly clock: Clock;
}

const NUMBERS_KEPT_MS = 30 * 24 * 60 * 60_000;
const NUMBERS_KEPT = 1_000;

export function createTestNumbers(clock: Clock): Approving['testNumbers'] {
  return createExpiringMap(NUMBERS_KEPT_MS, NUMBERS_KEPT, clock);
}
