import type { Surroundings } from '../../core/surroundings.ts';
import type { Templates } from '../../sends/templates/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import type { TemplateAccess } from '../kit/people/access.ts';
import type { Names } from '../kit/people/names.ts';
import type { ViewUpdates } from '../kit/views/view-updates.ts';

export interface Catalogue extends Surroundings {
  readonly templates: Templates;
  readonly access: TemplateAccess;
  readonly names: Names;
  readonly views: ViewUpdates;
  readonly files: Pick<SlackFiles, 'download' | 'sendTo'>;
}
