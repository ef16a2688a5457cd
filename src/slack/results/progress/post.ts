import type { Send } from '../../../sends/send.ts';
import { templateOf } from '../../kit/cards/template-of.ts';
import { BEGUN } from '../../kit/cards/words.ts';
import type { Renderer } from '../../kit/posting/outbox.ts';
import type { ToShow } from '../../kit/posting/place-post.ts';
import { linksOf, type PostSources } from '../post-sources.ts';
import { progressCard, type ShownProgress } from './card.ts';
import { endedCard } from './ended-card.ts';
import { gatherEnded, hasEnded } from './ended-send.ts';

/** How often the progress of a send that is under way is shown. */
const AGAIN_MS = 1_200;
/** Least time between two cards of a send that has ended: what else is told of its end comes together. */
const REST_MS = 2_000;

/** How far a send is, in place while it changes, from its start on; at the end what became of it. */
export function renderProgress(sources: PostSources): Renderer {
  const { store } = sources;
  return async ({ subject: id, place }) => {
    const send = await store.find(id);
    if (send?.audience === undefined || (place === undefined && !BEGUN.has(send.state))) return 'nothing';
    const linked = await linksOf(send, ['Approval', 'Report'], sources);
    const { channelId, userId } = send.origin;
    const cards = hasEnded(send) ? await ended(send, sources) : await underWay(send, sources);
    const { render, stalled, ...how } = cards;
    const shown = (card: Cards['render']) => (to: { readonly direct: boolean }) =>
      linked(card(to.direct ? channelId : undefined));
    return {
      ...how,
      channelId,
      userId,
      render: shown(render),
      ...(stalled && { stalled: shown(stalled) }),
    };
  };
}

interface Cards extends Pick<ToShow, 'restMs' | 'againAfterMs' | 'isPersonal'> {
  /** @param missing the channel that Herald could not post it in */
  readonly render: (missing: string | undefined) => ReturnType<ToShow['render']>;
  readonly stalled?: Cards['render'];
}

async function ended(send: Send, sources: PostSources): Promise<Cards> {
  const facts = await gatherEnded(send, sources);
  // What goes on would use up what Slack takes by a response_url.
  return { restMs: REST_MS, isPersonal: true, render: (missing) => endedCard(facts, missing) };
}

async function underWay(send: Send, sources: PostSources): Promise<Cards> {
  const { store, catalogue, logger, stopping, lease, speedOf } = sources;
  const template = await templateOf(send, catalogue, logger);
  const answers = await sources.answers.summary(send.id);
  const failures = await store.failures(send.id);
  const progress = { send, failures, ...speedOf(send) };
  // Other replicas continue it at once.
  const restarting = stopping.aborted && lease.replicas() <= 1;
  const render = (how: Pick<ShownProgress, 'stalled' | 'restarting'>) => (missing: string | undefined) =>
    progressCard({ ...progress, ...how }, template, missing, answers);
  if (send.state !== 'sending') return { render: render({}) };
  return {
    againAfterMs: AGAIN_MS,
    render: render({ restarting }),
    ...(!progress.stalled && { stalled: render({ stalled: true }) }),
  };
}
