import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Templates } from '../../sends/templates/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import type { TemplateAccess } from '../kit/people/access.ts';
import type { Names } from '../kit/people/names.ts';
import type { ViewUpdates } from '../kit/views/view-updates.ts';

export interface Catalogue {
  readonly templates: Templates;
  readonly access: TemplateAccess;
  readonly names: Names;
  readonly views: ViewUpdates;
  readonly files: Pick<SlackFiles, 'download' | 'sendTo'>;
  readonly clock: Clock;
  readonly logger: Logger;
}
