import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Announcer, TemplateCatalogue } from '../../sends/ports.ts';
import type { Identity } from '../connection/identity.ts';
import type { Answers } from '../kit/cards/answers.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { createPlacing } from '../kit/posting/placing.ts';

type AnnouncerClient = Pick<webApi.WebClient, 'chat' | 'conversations'>;

export interface AnnouncerDependencies {
  readonly client: AnnouncerClient;
  readonly catalogue: TemplateCatalogue;
  /** What customers answered. */
  readonly answers: Answers;
  readonly identity: () => Identity | undefined;
  /** True for the first of all processes that posts a message; absent where there is only one. */
  readonly claimPost?: ((mark: string) => Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tells of a send to one recipient in the channel where it was asked for, in one message that is updated in place. */
export function createAnnouncer(dependencies: AnnouncerDependencies): Announcer {
  const { catalogue, logger } = dependencies;
  const placing = createPlacing(dependencies);
  return {
    announce: async (report) => {
      const { id, createdAt, origin, announcement } = report.send;
      const template = await templateOf(report.send, catalogue, logger);
      const answers = await dependencies.answers.summary(id);
      return placing.place({
        mark: id,
        sendId: id,
        since: createdAt,
        at: announcement,
        channelId: origin.channelId,
        userId: origin.userId,
        render: (place) => renderCard(report, template, { ...place, answers }),
      });
    },
  };
}
