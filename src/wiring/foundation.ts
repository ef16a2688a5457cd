import type { Configuration } from '../config/load.ts';
import type { Logger } from '../core/logger.ts';
import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AudienceStore } from '../sends/audience.ts';
import type { DraftStore } from '../sends/drafts.ts';
import type { Lease } from '../sends/lease.ts';
import type { Notes } from '../sends/notes.ts';
import type { SendStore } from '../sends/ports.ts';
import type { ReplyStore } from '../sends/replies/ports.ts';
import type { InputAttempts } from '../sends/set-aside.ts';
import type { Sharing } from '../sends/sharing.ts';
import type { Tasks } from '../sends/tasks.ts';
import type { TemplateStore } from '../sends/templates/store.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface Foundation {
  readonly configuration: Configuration;
  readonly store: SendStore;
  readonly audienceStore: AudienceStore;
  readonly templateStore: TemplateStore;
  readonly draftStore: DraftStore;
  readonly replyStore: ReplyStore;
  readonly alertStore: AlertStore;
  readonly inputs: InputAttempts;
  readonly lease: Lease;
  readonly tasks: Tasks;
  readonly sharing: Sharing;
  readonly notes: Notes;
  readonly metrics: Metrics;
  readonly logger: Logger;
}
