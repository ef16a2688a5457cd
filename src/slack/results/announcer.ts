import type { Logger } from '../../core/logger.ts';
import type { Announcer, TemplateCatalogue } from '../../sends/ports.ts';
import type { Answers } from '../kit/cards/answers.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import type { Placing } from '../kit/posting/placing.ts';

export interface AnnouncerDependencies {
  readonly placing: Placing;
  readonly catalogue: TemplateCatalogue;
  /** What customers answered. */
  readonly answers: Answers;
  readonly logger: Logger;
}

/** Tells of a send to one recipient in the channel where it was asked for, in one message that is updated in place. */
export function createAnnouncer(dependencies: AnnouncerDependencies): Announcer {
  const { placing, catalogue, logger } = dependencies;
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
