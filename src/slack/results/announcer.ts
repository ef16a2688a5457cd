import type { Logger } from '../../core/logger.ts';
import type { Announcer } from '../../sends/announcer.ts';
import type { SendStore, TemplateCatalogue } from '../../sends/ports.ts';
import { retryGroupOf } from '../../sends/send.ts';
import type { Answers } from '../kit/cards/answers.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import type { Placing } from '../kit/posting/placing.ts';

export interface AnnouncerDependencies {
  readonly placing: Placing;
  readonly store: Pick<SendStore, 'retriesOf'>;
  readonly catalogue: TemplateCatalogue;
  /** What customers answered. */
  readonly answers: Answers;
  readonly logger: Logger;
}

/** Tells of sends to one recipient in the channel where they were asked for, each in one message that is updated in place. */
export function createAnnouncer(dependencies: AnnouncerDependencies): Announcer {
  const { placing, store, catalogue, logger } = dependencies;
  return {
    announce: async (report) => {
      const { id, createdAt, origin, announcement } = report.send;
      const { channelId, threadTs, userId } = origin;
      const template = await templateOf(report.send, catalogue, logger);
      const answers = await dependencies.answers.summary(id);
      const retries = retryGroupOf(report) === undefined ? [] : await store.retriesOf(id);
      return placing.place({
        ...{ mark: id, sendId: id, since: createdAt, at: announcement },
        ...{ channelId, userId, isPersonal: true, ...(threadTs !== undefined && { threadTs }) },
        render: (place) => renderCard(report, template, { ...place, answers, retries }),
      });
    },
  };
}
