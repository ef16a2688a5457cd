import type { Logger } from '../../core/logger.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Approval, SendReader, TemplateCatalogue } from '../../sends/ports.ts';
import type { SendEvent } from '../../sends/record.ts';
import type { Send } from '../../sends/send.ts';
import { templateOf } from '../kit/cards/template-of.ts';

/** How a send to many stands, and how it came there. */
export interface Standing {
  readonly send: Send;
  readonly template: Template | undefined;
  readonly approvals: readonly Approval[];
  /** The record, oldest first. */
  readonly events: readonly SendEvent[];
}

interface StandingSources {
  readonly store: Pick<SendReader, 'approvals' | 'events'>;
  readonly catalogue: TemplateCatalogue;
  readonly logger: Logger;
}

export async function standingOf(send: Send, sources: StandingSources): Promise<Standing> {
  const { store, catalogue, logger } = sources;
  const [template, approvals, events] = await Promise.all([
    templateOf(send, catalogue, logger),
    store.approvals(send.id),
    store.events(send.id),
  ]);
  return { send, template, approvals, events };
}
