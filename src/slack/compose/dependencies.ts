import type { SendingDependencies, SlackServices } from '../kit/services.ts';

export type ComposeDependencies = SendingDependencies &
  Pick<SlackServices, 'sends' | 'store' | 'notes' | 'groups' | 'drafts' | 'names' | 'conversations'>;
