import type { KnownBlock, ModalView } from '@slack/types';
import { KINDS, MESSAGE_KINDS, type MessageKind, whyUnusable } from '../../../messages/kinds.ts';
import { cutToSegments } from '../../../messages/sms/segments.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { input, modal, option, sayingView, textInput } from '../../kit/blocks/blocks.ts';
import { notify, openModal } from '../../kit/clicks/answering.ts';
import type {
  MessageShortcutHandler,
  ShortcutArguments,
  SubmissionHandler,
} from '../../kit/clicks/arguments.ts';
import { readState } from '../../kit/forms/read-state.ts';
import { namesIn, plainTextOf } from '../../kit/message-text/plain-text.ts';
import { notAllowed, type Place, RIGHTS_UNKNOWN, refusalFor } from '../../kit/people/access.ts';
import { searchTemplates } from '../../kit/templates/find-template.ts';
import { showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { canCarryWords, type FormMetadata, readMetadata, writeMetadata } from '../form/form-metadata.ts';
import { composeView, noteBlocks } from '../form/form-view.ts';
import { errorAt } from '../form/open-form.ts';
import { valuesWithText } from '../line/help.ts';
import { listInTime } from '../list/list.ts';
import * as say from '../sentences.ts';

/** The callback_id of the view that asks which kind of message to send. */
export const KIND_CHOICE = 'choose_kind';
const KIND_FIELD = 'kind';
const TEXT_FIELD = 'text';

/** A form is begun with this, in the place it was asked for in, if that is known. */
export interface Beginning extends Pick<FormMetadata, 'channelId' | 'audienceId' | 'answering'> {
  /** The text to begin with; absent when there is none to take over. */
  readonly text?: string | undefined;
  /** Sentences on top. */
  readonly notes?: readonly string[];
}

/** Those of `kinds` that can be sent at all and that this person may send, or in a sentence why there are none. */
export async function kindsFor(
  userId: string,
  compose: Compose,
  kinds: readonly MessageKind[] = MESSAGE_KINDS,
  place?: Place,
) {
  const answers = await Promise.all(
    kinds.map(async (kind) => ({ kind, why: await whyNot(kind, userId, compose, place) })),
  );
  // A kind of which nobody knows yet is offered: the chosen one is asked about again.
  const open = answers.filter(({ why }) => why === undefined || why === RIGHTS_UNKNOWN);
  const [first, ...more] = open.map(({ kind }) => kind);
  if (first !== undefined) return { state: 'some' as const, kinds: [first, ...more] as const };
  return { state: 'none' as const, why: [...new Set(answers.map(({ why }) => why ?? ''))].join(' ') };
}

/** Says why this person cannot send this kind; undefined when they can. */
export async function whyNot(
  kind: MessageKind,
  userId: string,
  compose: Compose,
  place?: Place,
): Promise<string | undefined> {
  const unusable = whyUnusable(kind, compose.senders);
  return unusable === undefined ? refusalFor(kind, userId, compose, place) : notAllowed(unusable);
}

/** Asks which kind of message to send; with a text to begin with, that can be edited first. */
function kindChoiceView(
  kinds: readonly MessageKind[],
  { channelId, text, audienceId, notes = [] }: Beginning,
): ModalView {
  const options = kinds.map((kind) => option(KINDS[kind].title, kind, KINDS[kind].purpose));
  const choice = { type: 'radio_buttons', action_id: KIND_FIELD, options } as const;
  return modal({
    callbackId: KIND_CHOICE,
    title: 'Send a message',
    submit: 'Next',
    metadata: writeMetadata({ channelId, audienceId }),
    blocks: [
      ...noteBlocks(notes),
      input(KIND_FIELD, 'Kind of message', choice),
      ...(text === undefined ? [] : [textBlock(text)]),
    ],
  });
}

function textBlock(text: string): KnownBlock {
  const look = { multiline: true, maxLength: LIMITS.inputValue, initial: text } as const;
  const hint =
    'The text of the message, or the first value of a template. The form that follows can change it too.';
  return input(TEXT_FIELD, 'Text', textInput(TEXT_FIELD, look), { hint, optional: true });
}

/** A kind was chosen: the window becomes its form. */
export const handleKindChosen: SubmissionHandler<Compose> = async ({ body, ack }, compose) => {
  const { view, user } = body;
  const metadata = readMetadata(view.private_metadata);
  if (metadata === undefined) return ack(errorAt('', say.FORM_TOO_OLD, view));
  const values = readState(view.state.values);
  const kind = MESSAGE_KINDS.find((one) => one === values[KIND_FIELD]);
  if (kind === undefined) return ack(errorAt(KIND_FIELD, say.KIND_MISSING, view));
  const refusal = await whyNot(kind, user.id, compose);
  if (refusal !== undefined) return ack(errorAt(KIND_FIELD, refusal, view));
  const text = values[TEXT_FIELD];
  const { channelId, audienceId } = metadata;
  const begun = { channelId, audienceId, text: typeof text === 'string' ? text : undefined };
  await ack(showing(await begunForm(kind, begun, compose)));
};

/** The form of a kind, begun with a text: the message's own, or the first value of the template that is chosen then. */
export async function begunForm(
  kind: MessageKind,
  { channelId, text = '', audienceId, notes: said = [], answering }: Beginning,
  compose: Compose,
): Promise<ModalView> {
  const list = await listInTime({ audienceId }, compose);
  const isGone = audienceId !== undefined && list === undefined;
  const notes = isGone ? [...said, say.LIST_GONE] : said;
  const form = { kind, channelId, list, answering };
  const { textPath, templateChannel } = KINDS[kind];
  if (textPath && (templateChannel === undefined || compose.defaults.freeText !== 'refused')) {
    return composeView({ ...form, values: valuesWithText(kind, text), notes }, compose);
  }
  const some = await searchTemplates(kind, '', 1, compose);
  const empty = Array.isArray(some) && some.length === 0 ? [say.CATALOGUE_EMPTY] : [];
  // A template's values are lines.
  const line = text.trim().replace(/\s+/g, ' ');
  const waiting = line === '' ? [] : [{ text: line, quoted: true, doubtful: false, newLine: false }];
  const carried = canCarryWords(waiting);
  const lost = carried ? [] : [say.TEXT_TOO_LONG_FOR_TEMPLATE];
  return composeView(
    { ...form, waiting: carried ? waiting : undefined, notes: [...notes, ...empty, ...lost] },
    compose,
  );
}

/** A flash SMS lies over everything on the phone: more than two parts of it nobody reads there. */
const FLASH_SEGMENTS = 2;

/** "Send a message", from anywhere: which kind, then its form. The form asks where the result shall be posted. */
export async function handleSendShortcut(args: ShortcutArguments, compose: Compose): Promise<void> {
  await open(await startView(args.shortcut.user.id, {}, compose), args, undefined, compose);
}

/** "Send this as…" on a message: which kind, then its form, begun with the message's text. */
export const handleSendThisShortcut: MessageShortcutHandler<Compose> = async (args, compose) => {
  const { message, channel, user } = args.shortcut;
  const whole = plainTextOf(message, await namesIn(message, compose));
  const text = truncate(whole, LIMITS.inputValue);
  const cut = text === whole ? undefined : say.MESSAGE_CUT;
  await open(await startView(user.id, begunWith(channel.id, text, cut), compose), args, channel.id, compose);
};

/** "Flash SMS this" on a message: the form of a flash SMS, with as much of the text as two SMS parts hold. */
export const handleFlashShortcut: MessageShortcutHandler<Compose> = async (args, compose) => {
  const { message, channel, user } = args.shortcut;
  const [refusal, names] = await Promise.all([whyNot('flash', user.id, compose), namesIn(message, compose)]);
  const { text, cut } = cutToSegments(plainTextOf(message, names), FLASH_SEGMENTS);
  const beginning = begunWith(channel.id, text, cut && say.flashWasCut(FLASH_SEGMENTS, cut));
  const view =
    refusal === undefined
      ? await begunForm('flash', beginning, compose)
      : sayingView(KINDS.flash.title, refusal);
  await open(view, args, channel.id, compose);
};

/** @param cut a sentence on what was left out of the message's text */
function begunWith(channelId: string, text: string, cut: string | undefined): Beginning {
  const missing = text === '' ? say.MESSAGE_WITHOUT_TEXT : '';
  return { channelId, text, notes: [missing, cut ?? ''].filter(Boolean) };
}

/** The choice of a kind; where there is only one, its form at once; where there is none, why. */
export async function startView(userId: string, beginning: Beginning, compose: Compose): Promise<ModalView> {
  const found = await kindsFor(userId, compose);
  if (found.state === 'none') return sayingView('Send a message', found.why);
  const [only, ...others] = found.kinds;
  return others.length === 0 ? begunForm(only, beginning, compose) : kindChoiceView(found.kinds, beginning);
}

async function open(
  view: ModalView,
  { shortcut, client }: ShortcutArguments,
  channelId: string | undefined,
  { logger }: Compose,
): Promise<void> {
  const opened = await openModal(client, shortcut.trigger_id, view);
  if (opened.ok) return;
  const sentence = say.shortcutDidNotOpen(opened.error);
  await notify(client, { channelId, userId: shortcut.user.id }, sentence, logger);
}
