import { COMMANDS } from '../../connection/surface.ts';

/** What `/… help` answers, as mrkdwn. */
export function helpText(
  command: '/audiences' | '/optout' | '/sends' | '/templates',
  lines: readonly string[],
): string {
  const surface = COMMANDS.find((one) => one.command === command);
  return [`*${command}* – ${surface?.description ?? ''}.`, ...lines].join('\n');
}
