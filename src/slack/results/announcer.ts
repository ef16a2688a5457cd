import type { Surroundings } from '../../core/surroundings.ts';
import type { AnnounceResult, Announcer } from '../../sends/announcer.ts';
import { readReport } from '../../sends/announcing.ts';
import type { SendStore, TemplateCatalogue } from '../../sends/ports.ts';
import { type Announcement, retryGroupOf, type SendReport } from '../../sends/send.ts';
import type { Answers } from '../kit/cards/answers.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { GATHERED } from '../kit/posting/find-post.ts';
import type { Placing } from '../kit/posting/placing.ts';
import { type Gathered, gatheredCard } from './gathered-card.ts';
import { createGathering } from './gathering.ts';

/** How often a message of several sends is tried, so that it is known again, before they are gathered anew. */
const TRIES_TOGETHER = 3;
/** News of several sends of one message, such as their deliveries, come at the same time. */
const GATHER_NEWS_MS = 1_000;

export interface AnnouncerDependencies extends Surroundings {
  readonly placing: Placing;
  readonly store: Pick<SendStore, 'find' | 'recipients' | 'retriesOf' | 'announcedAt'>;
  readonly catalogue: TemplateCatalogue;
  /** What customers answered. */
  readonly answers: Answers;
}

/**
 * Tells of sends to one recipient in the channel where they were asked for, each in one message that is updated in place.
 * Where more come than Slack takes there, those that wait share a message; news of any of them update that.
 */
export function createAnnouncer(dependencies: AnnouncerDependencies): Announcer {
  const { placing, store, catalogue, clock, logger } = dependencies;
  const gathering = createGathering(placing.turn, (reports) =>
    reports.length === 1 ? alone(reports[0], true) : together(reports),
  );
  /** Updates of messages of several sends that have not begun. */
  const updates = new Map<string, Promise<AnnounceResult | undefined>>();

  async function gathered(report: SendReport): Promise<Gathered> {
    const template = await templateOf(report.send, catalogue, logger);
    const answers = await dependencies.answers.summary(report.send.id);
    const retries = retryGroupOf(report) === undefined ? [] : await store.retriesOf(report.send.id);
    return { report, template, answers, retries };
  }

  async function alone(report: SendReport, hasTurn: boolean): Promise<AnnounceResult> {
    const { id, announcement } = report.send;
    const { template, answers, retries } = await gathered(report);
    return placing.place({
      ...placeOf(report, id),
      at: announcement,
      hasTurn,
      render: (place) => renderCard(report, template, { ...place, answers, retries }),
    });
  }

  async function together(reports: readonly [SendReport, ...SendReport[]]): Promise<AnnounceResult> {
    const placement = await placementOf(reports);
    for (let tries = 1; ; tries += 1) {
      const result = await placing.place(placement);
      if (result.state !== 'later' || tries === TRIES_TOGETHER) return result;
      await clock.sleep(result.retryAfterMs);
      await placing.turn(placement.channelId);
    }
  }

  async function placementOf(reports: readonly [SendReport, ...SendReport[]]) {
    const sends = await Promise.all(reports.map(gathered));
    const [{ send }] = reports;
    const mark = `${GATHERED}${send.id}`;
    return {
      ...placeOf(reports[0], mark),
      at: undefined,
      hasTurn: true,
      render: (place: { readonly direct: boolean }) => gatheredCard(sends, mark, place),
    };
  }

  /** Undefined when the message is gone. What comes while an update waits is in it. */
  function update(at: Announcement): Promise<AnnounceResult | undefined> {
    const key = `${at.channelId}/${at.ts}`;
    const before = updates.get(key);
    if (before !== undefined) return before;
    const updated = clock.sleep(GATHER_NEWS_MS).then(async () => {
      updates.delete(key);
      const read = await Promise.all((await store.announcedAt(at)).map((id) => readReport(store, id)));
      const [first, ...others] = read.filter((report) => report !== undefined);
      return first && placing.update(await placementOf([first, ...others]), at);
    });
    updates.set(key, updated);
    return updated;
  }

  return {
    announce: async (report) => {
      const { id, createdAt, announcement } = report.send;
      const isShared = announcement && (await store.announcedAt(announcement)).length > 1;
      const updated = isShared && (await update(announcement));
      if (updated) return updated;
      const isNew = isShared || (announcement === undefined && (await placing.isNew(id, createdAt)));
      return isNew ? gathering.tell(report) : alone(report, false);
    },
  };
}

function placeOf({ send }: SendReport, mark: string) {
  const { id, createdAt, origin } = send;
  const { channelId, threadTs, userId } = origin;
  const thread = threadTs === undefined ? {} : { threadTs };
  return { mark, sendId: id, since: createdAt, channelId, ...thread, userId, isPersonal: true };
}
