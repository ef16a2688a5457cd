import type { RecipientCounts } from '../../src/sends/send.ts';

export const NO_RECIPIENTS: RecipientCounts = {
  pending: 0,
  attempting: 0,
  accepted: 0,
  rejected: 0,
  not_sent: 0,
  unknown: 0,
  skipped: 0,
};
