import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { SendReader } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import type { Lease } from '../../sends/sharing.ts';
import type { Answers } from '../kit/cards/answers.ts';
import type { Card } from '../kit/cards/send-card.ts';
import type { SpeedOf } from '../kit/cards/speed.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import { type LinkTo, withLinks } from '../kit/posting/links.ts';
import type { FactSources } from './approve/facts.ts';

/** What the posts of sends to many are made from. */
export interface PostSources extends Omit<FactSources, 'clock'>, StoppableSurroundings {
  readonly store: FactSources['store'] & Pick<SendReader, 'retriesOf' | 'outcomesOverTime'>;
  /** What customers and their phones answered. */
  readonly answers: Answers;
  readonly files: Pick<SlackFiles, 'sendTo' | 'upload' | 'isShowable'>;
  readonly linkTo: LinkTo;
  /** `approvals.channel` of herald.yml; absent: where the send was asked for. */
  readonly approvalChannel: string | undefined;
  readonly speedOf: SpeedOf;
  readonly lease: Pick<Lease, 'replicas'>;
}

const PLACES = {
  Approval: ({ approval }: Send) => approval?.card,
  Progress: ({ announcement }: Send) => announcement,
  Report: ({ thread }: Send) => thread?.report,
};

/** What puts links to the other messages of a send below a card. */
export async function linksOf(
  send: Send,
  names: readonly (keyof typeof PLACES)[],
  { linkTo }: Pick<PostSources, 'linkTo'>,
): Promise<(card: Card) => Card> {
  const links: Record<string, string | undefined> = {};
  for (const name of names) links[name] = await linkTo(PLACES[name](send));
  return (card) => withLinks(card, links);
}

/** With the mark by which it is known again in the channel. */
export function marked({ text, blocks: [first, ...others] }: Card, mark: string): Card {
  return { text, blocks: first === undefined ? [] : [{ ...first, block_id: mark }, ...others] };
}
