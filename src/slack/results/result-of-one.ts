import { readReport } from '../../sends/ports.ts';
import { retryGroupOf } from '../../sends/send.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import type { SendSources } from './standing.ts';

/** Shows what became of a send to one person, where it was asked for. Known in a channel's history by the send's id. */
export function renderResultOfOne(
  sources: Pick<SendSources, 'store' | 'catalogue' | 'answers' | 'logger'>,
): Renderer {
  const { store, catalogue, answers, logger } = sources;
  return async ({ subject: id }) => {
    const report = await readReport(store, id);
    if (report === undefined) return 'nothing';
    const { channelId, threadTs, userId } = report.send.origin;
    const template = await templateOf(report.send, catalogue, logger);
    const summary = await answers.summary(id);
    const { row } = report.recipient;
    const [delivery] = summary?.delivered ? await answers.deliveries(id, row, row) : [];
    const retries = retryGroupOf(report) === undefined ? [] : await store.retriesOf(id);
    return {
      markInMessage: id,
      channelId,
      userId,
      isPersonal: true,
      ...(threadTs !== undefined && { threadTs }),
      render: (place) => renderCard(report, template, { ...place, answers: summary, delivery, retries }),
    };
  };
}
