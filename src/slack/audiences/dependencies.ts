import type { Surroundings } from '../../core/surroundings.ts';
import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { Audiences } from '../../sends/audiences/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';

export interface AudienceDependencies extends Surroundings {
  readonly audiences: Audiences;
  readonly files: SlackFiles;
  readonly defaults: { readonly country: CountryCode };
}
