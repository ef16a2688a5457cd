import type { SlackServices } from '../kit/services.ts';

export type AudienceDependencies = Pick<
  SlackServices,
  'audiences' | 'files' | 'defaults' | 'clock' | 'logger'
>;
