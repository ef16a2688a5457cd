import type { ModalView } from '@slack/types';
import { LATE, within } from '../../core/within.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { sayingView } from '../kit/blocks/blocks.ts';
import type { ClickArguments, SlackClient } from '../kit/clicks/arguments.ts';
import { answerClick } from '../kit/clicks/click.ts';
import { notify } from '../kit/clicks/notify.ts';
import { openModal } from '../kit/clicks/open-modal.ts';
import type { Catalogue } from './dependencies.ts';
import { channelIn } from './metadata.ts';
import { RIGHTS_UNKNOWN } from './sentences.ts';

const RIGHTS_MS = 800;

/** Why this person may not change templates here, and who can help; undefined when they may. */
export async function whyNot(
  userId: string,
  channelId: string | undefined,
  { access, clock }: Catalogue,
): Promise<string | undefined> {
  const why = await within(access.whyNot(userId, channelId), RIGHTS_MS, clock);
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
): Promise<boolean> {
  if (viewId === undefined || viewId === null) return false;
  try {
    await client.views.update({ view_id: viewId, view });
    return true;
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused' || failure.code !== 'not_found') throw error;
    logger.debug({}, 'a view of the catalogue was closed before it was brought up to date');
    return false;
  }
}
