import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { Audiences } from '../../sends/audiences/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';

export interface AudienceDependencies {
  readonly audiences: Audiences;
  readonly files: SlackFiles;
  readonly defaults: { readonly country: CountryCode };
  readonly clock: Clock;
  readonly logger: Logger;
}
