import type { SlackServices } from '../services.ts';

/** What sending to many takes. */
export type BulkDependencies = Pick<SlackServices, 'audiences' | 'bulkSends' | 'files' | 'approvals'>;

/** What every way to send takes, by form, by line and by workflow. */
export type SendingDependencies = BulkDependencies &
  Pick<SlackServices, 'catalogue' | 'senders' | 'terms' | 'defaults' | 'access' | 'clock' | 'logger'>;
