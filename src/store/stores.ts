import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AudienceStore } from '../sends/audience.ts';
import type { DraftStore } from '../sends/drafts.ts';
import type { Lease, SendStore } from '../sends/ports.ts';
import type { ReplyStore } from '../sends/replies/ports.ts';
import type { TemplateStore } from '../sends/templates/store.ts';

/** All that Herald remembers, by subject; closing `sends` closes the whole. */
export interface Stores {
  readonly sends: SendStore;
  readonly audiences: AudienceStore;
  readonly templates: TemplateStore;
  readonly drafts: DraftStore;
  readonly replies: ReplyStore;
  readonly alerts: AlertStore;
  readonly lease: Lease;
}
