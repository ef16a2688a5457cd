import { ALERTS_PATH, answerAlerts } from '../http/alerts.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Where monitoring tools post; an address that nobody is given a token of answers 404. */
export function alertRoutes({ alerts }: Pick<Services, 'alerts'>, foundation: Foundation) {
  const { configuration, metrics } = foundation;
  const { environment, team } = configuration;
  const handler = answerAlerts({
    ...foundation,
    sources: team.alerts.sources.flatMap((source) => {
      const token = environment[source.token];
      return token === undefined ? [] : [{ ...source, token }];
    }),
    report: alerts.report,
    onRefused: (reason) => metrics.alertEvent(`refused_${reason}`),
  });
  return { [ALERTS_PATH]: { POST: handler } };
}
