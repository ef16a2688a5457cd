import type { SendingDependencies } from '../kit/forms/sending-dependencies.ts';
import type { SlackServices } from '../kit/services.ts';

export type ComposeDependencies = SendingDependencies &
  Pick<SlackServices, 'sends' | 'store' | 'notes' | 'groups' | 'drafts' | 'names' | 'conversations'>;
