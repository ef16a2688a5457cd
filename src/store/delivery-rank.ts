import { DELIVERY_STATUSES, type DeliveryStatus } from '../sends/replies/event.ts';

/** A later report replaces an earlier one only when its rank is higher: reports come in any order. */
export function rankOf(status: DeliveryStatus): number {
  return DELIVERY_STATUSES.indexOf(status);
}
