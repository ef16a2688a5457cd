import type { KnownBlock, ModalView } from '@slack/types';
import { LATE, within } from '../../core/within.ts';
import type { Send } from '../../sends/send.ts';
import { HERALD_YML } from '../../sends/templates/store.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, modal, saying, sayingView, section } from '../kit/blocks/blocks.ts';
import { stateOf, whatSend } from '../kit/cards/words.ts';
import { answerClick, notify, openModal } from '../kit/clicks/answering.ts';
import type { ClickArguments, SlackClient } from '../kit/clicks/arguments.ts';
import type { SlackServices } from '../kit/services.ts';
import { showInWindow, type ViewUpdates } from '../kit/views/view-updates.ts';
import { channelIn } from './metadata.ts';
import { RIGHTS_UNKNOWN, voidsApprovals } from './sentences.ts';

/* What the catalogue’s windows are made of, and how they are shown. */

export interface Catalogue
  extends Pick<SlackServices, 'templates' | 'access' | 'names' | 'files' | 'clock' | 'logger'> {
  readonly views: ViewUpdates;
}

interface Shell {
  readonly callbackId: string;
  readonly title: string;
  readonly metadata: object;
  readonly submit?: string;
  readonly blocks: readonly KnownBlock[];
}

/** A window of the catalogue. Leaving a form of it leaves the catalogue as it is, so its button says Close as well. */
export function shell({ metadata, ...modalOf }: Shell): ModalView {
  return modal({ ...modalOf, metadata: JSON.stringify(metadata) }, 'Close');
}

/** The note on top of a view; none for nothing to say. */
export function noteBlocks(note: string | undefined): KnownBlock[] {
  return note === undefined || note === '' ? [] : [saying(note, 'note')];
}

/** That sends would lose their approvals, and which; none for no sends. */
export function voidsBlocks(sends: readonly Send[]): KnownBlock[] {
  return sends.length === 0 ? [] : [saying(voidsApprovals(sends.length), 'voids'), sendsBlock(sends)];
}

/** Who changed a template; mrkdwn. */
export function byWhom(actor: string): string {
  return actor === HERALD_YML ? 'from herald.yml' : `by ${mention(actor)}`;
}

const SENDS_NAMED = 10;

/** Sends that would lose their approvals, each with what it is and who asked for it. */
export function sendsBlock(sends: readonly Send[]): KnownBlock {
  const named = sends.slice(0, SENDS_NAMED).map((send) => {
    const what = `${whatSend(send)}, ${stateOf(send).words}`;
    return `• ${escapeMrkdwn(send.id)}: ${what}, asked for by ${mention(send.origin.userId)}`;
  });
  const more = sends.length > SENDS_NAMED ? [`• and ${sends.length - SENDS_NAMED} more`] : [];
  return { ...section([...named, ...more].join('\n')), block_id: 'sends' };
}

const RIGHTS_MS = 800;

/** Why this person may not change templates here, and who can help; undefined when they may. */
export async function whyNot(
  userId: string,
  channelId: string | undefined,
  { access, clock }: Catalogue,
): Promise<string | undefined> {
  const why = await within(access.whyNot({ to: 'templates' }, { userId, channelId }), RIGHTS_MS, clock);
  if (why === LATE) return RIGHTS_UNKNOWN;
  return why === undefined ? undefined : `${why} Nothing was changed.`;
}

/** The channel of a click: of the message it was in, or the one in which the catalogue was opened. */
export function channelOf({ body }: Pick<ClickArguments, 'body'>): string | undefined {
  return body.channel?.id ?? channelIn(body.view?.private_metadata);
}

/** Shows a view above the one that was clicked in, or as the first one where a message was clicked. */
export async function showAbove(
  { body, client, respond }: ClickArguments,
  view: ModalView,
  { logger }: Catalogue,
): Promise<void> {
  const how = body.view === undefined ? 'open' : 'push';
  const opened = await openModal(client, body.trigger_id, view, how);
  if (opened.ok) return;
  logger.info({ why: opened.error }, 'a view of the catalogue did not open');
  const sentence = `${opened.error} Nothing was sent or changed. Try again.`;
  if (how === 'open') await answerClick({ respond }, sentence);
  else await notify(client, { channelId: undefined, userId: body.user.id }, sentence, logger);
}

/** Shows the view above when the person may change templates, else why not. */
export async function showToEditors(
  args: ClickArguments,
  view: () => Promise<ModalView>,
  catalogue: Catalogue,
): Promise<void> {
  const refusal = await whyNot(args.body.user.id, channelOf(args), catalogue);
  await showAbove(args, refusal === undefined ? await view() : sayingView('Templates', refusal), catalogue);
}

/** Puts another view in the place of one that is open; one that was closed meanwhile stays closed. */
export async function replace(
  client: SlackClient,
  viewId: string | undefined | null,
  view: ModalView,
  { logger }: Catalogue,
): Promise<void> {
  if (viewId === undefined || viewId === null) return;
  const shown = await showInWindow(client, { view_id: viewId, view });
  if (shown === 'closed')
    logger.debug({}, 'a view of the catalogue was closed before it was brought up to date');
}
