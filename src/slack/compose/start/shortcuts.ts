import type { ModalView } from '@slack/types';
import { KINDS } from '../../../messages/kinds.ts';
import { cutToSegments } from '../../../messages/sms/cut-to-segments.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { sayingView } from '../../kit/blocks/blocks.ts';
import { notify, openModal } from '../../kit/clicks/answering.ts';
import type {
  MessageShortcutHandler,
  ShortcutArguments,
  ShortcutHandler,
  SlackClient,
} from '../../kit/clicks/arguments.ts';
import { namesIn } from '../../kit/message-text/names.ts';
import { plainTextOf } from '../../kit/message-text/plain-text.ts';
import type { Compose } from '../compose.ts';
import { flashWasCut, MESSAGE_CUT, MESSAGE_WITHOUT_TEXT, shortcutDidNotOpen } from '../sentences.ts';
import { type Beginning, begunForm, kindChoiceView, kindsFor, whyNot } from './kind-choice.ts';

/** A flash SMS lies over everything on the phone: more than two parts of it nobody reads there. */
const FLASH_SEGMENTS = 2;

/** "Send a message", from anywhere: which kind, then its form. The form asks where the result shall be posted. */
export const handleSendShortcut: ShortcutHandler<Compose> = ({ shortcut, client }, compose) =>
  openKindChoice(shortcut, client, compose);

/** Opens the choice of a kind for a click that has no channel of its own. */
export async function openKindChoice(
  shortcut: ShortcutArguments['shortcut'],
  client: SlackClient,
  compose: Compose,
): Promise<void> {
  await open(await startView(shortcut.user.id, {}, compose), { shortcut, client }, undefined, compose);
}

/** "Send this as…" on a message: which kind, then its form, begun with the message's text. */
export const handleSendThisShortcut: MessageShortcutHandler<Compose> = async (
  { shortcut, client },
  compose,
) => {
  const { message, channel, user } = shortcut;
  const whole = plainTextOf(message, await namesIn(message, compose));
  const text = truncate(whole, LIMITS.inputValue);
  const notes = [...(whole === '' ? [MESSAGE_WITHOUT_TEXT] : []), ...(text === whole ? [] : [MESSAGE_CUT])];
  const view = await startView(user.id, { channelId: channel.id, text, notes }, compose);
  await open(view, { shortcut, client }, channel.id, compose);
};

/** "Flash SMS this" on a message: the form of a flash SMS, with as much of the text as two SMS parts hold. */
export const handleFlashShortcut: MessageShortcutHandler<Compose> = async ({ shortcut, client }, compose) => {
  const { message, channel, user } = shortcut;
  const [refusal, names] = await Promise.all([whyNot('flash', user.id, compose), namesIn(message, compose)]);
  const { text, cut } = cutToSegments(plainTextOf(message, names), FLASH_SEGMENTS);
  const notes = [
    ...(text === '' ? [MESSAGE_WITHOUT_TEXT] : []),
    ...(cut === '' ? [] : [flashWasCut(FLASH_SEGMENTS, cut)]),
  ];
  const view =
    refusal === undefined
      ? await begunForm('flash', { channelId: channel.id, text, notes }, compose)
      : sayingView(KINDS.flash.title, refusal);
  await open(view, { shortcut, client }, channel.id, compose);
};

/** The choice of a kind; where there is only one, its form at once; where there is none, why. */
export async function startView(userId: string, beginning: Beginning, compose: Compose): Promise<ModalView> {
  const found = await kindsFor(userId, compose);
  if (found.state === 'none') return sayingView('Send a message', found.why);
  const [only, ...others] = found.kinds;
  return others.length === 0 ? begunForm(only, beginning, compose) : kindChoiceView(found.kinds, beginning);
}

async function open(
  view: ModalView,
  { shortcut, client }: Pick<ShortcutArguments, 'shortcut'> & { readonly client: SlackClient },
  channelId: string | undefined,
  { logger }: Compose,
): Promise<void> {
  const opened = await openModal(client, shortcut.trigger_id, view);
  if (!opened.ok)
    await notify(client, { channelId, userId: shortcut.user.id }, shortcutDidNotOpen(opened.error), logger);
}
