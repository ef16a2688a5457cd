import type { ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import { LATE } from '../../../core/within.ts';
import { KINDS, kindOf, type MessageKind, whyUnusable } from '../../../messages/kinds.ts';
import { formatNumber, parsePhoneNumber } from '../../../messages/numbers/phone-number.ts';
import { parseBulkMessage, parseSubmission, type Submission } from '../../../messages/parse-submission.ts';
import { LIMITS } from '../../connection/limits.ts';
import { ephemeral, ephemeralSentence, openModal } from '../../kit/clicks/answering.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { initialValues } from '../../kit/forms/form-blocks.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { unknownEmojiNote } from '../../kit/message-text/emoji.ts';
import { notAllowed, refusalFor } from '../../kit/people/refusal.ts';
import { CATALOGUE_MS, findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { isShown } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import { sourceIn } from '../form/recipients.ts';
import { messageValues } from '../form/submitted-form.ts';
import * as say from '../sentences.ts';
import { readGroupLine, takeGroupLine } from './group-line.ts';
import { buildersOf, commandOf, helpText } from './help.ts';
import { lineIntent, type UnderstoodLine, understandLine } from './quick-line.ts';

/** A longer text is rather pasted by mistake than typed: it is looked at before it goes to a customer. */
const MOST_LINE_PARTS = 3;

/**
 * A send command, of which `interactive` and `address` may be the first word: they open their forms. A template may be
 * called so, too: its own line, with more words, is then still its own.
 */
export async function handleSendCommand(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
): Promise<void> {
  const built = builderIn(kind, args.command.text);
  if (built === undefined || (await isTemplateLine(kind, built, compose)))
    return handleComposeCommand(kind, args, compose);
  const command = { ...args.command, text: built.rest };
  return handleComposeCommand(built.builder, { ...args, command }, compose);
}

interface BuilderLine {
  readonly builder: MessageKind;
  readonly rest: string;
}

function builderIn(kind: MessageKind, text: string): BuilderLine | undefined {
  const [, word = '', rest = ''] = /^\s*(\S+)([\s\S]*)$/u.exec(text) ?? [];
  const builder = buildersOf(kind).find((one) => one === word.toLowerCase());
  return builder && { builder, rest: rest.trim() };
}

async function isTemplateLine(
  kind: MessageKind,
  { builder, rest }: BuilderLine,
  compose: Compose,
): Promise<boolean> {
  if (rest === '' || rest.toLowerCase() === 'help') return false;
  const template = await findTemplate(kind, builder, compose);
  return template !== LATE && template !== undefined;
}

/**
 * `/chatapp`, `/rcs`, `/sms`, `/flash`: alone it opens the kind's form; with `help` it explains itself; with a line
 * that says everything in one way only it sends at once, and with any other line it opens the form, filled with
 * what was understood and a sentence on what is missing.
 */
async function handleComposeCommand(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
): Promise<void> {
  const { command, ack, respond } = args;
  const intent = lineIntent(command.text);
  if (intent === 'help') return ack(ephemeral(helpText(kind)));
  const unusable = whyUnusable(kind, compose.senders);
  if (unusable !== undefined) return ack(ephemeralSentence(notAllowed(unusable)));
  await ack();
  const refusal = await refusalFor(kind, command.user_id, compose, { channelId: command.channel_id });
  if (refusal !== undefined) {
    await respond(ephemeralSentence(refusal));
  } else if (intent === 'empty') {
    await openEmptyForm(kind, args, compose);
  } else {
    const { command: own } = KINDS[kind];
    const group = 'takesGroups' in own && own.takesGroups ? readGroupLine(command.text) : undefined;
    const note = group && (await takeGroupLine(kind, group, args, compose));
    if (group === undefined || note !== undefined) await takeLine(kind, args, compose, note);
  }
}

async function openEmptyForm(kind: MessageKind, args: CommandArguments, compose: Compose): Promise<void> {
  const form = { kind, channelId: args.command.channel_id };
  const opened = await openForm(kind, args, composeView(form, compose));
  if (opened?.id === undefined || KINDS[kind].templateChannel === undefined) return;
  const some = await searchTemplates(kind, '', 1, compose);
  if (some === LATE)
    compose.logger.warn({ kind, waitedMs: CATALOGUE_MS }, 'the catalogue did not answer in time');
  else if (some.length === 0) {
    const view = composeView({ ...form, notes: [say.CATALOGUE_EMPTY] }, compose);
    const { id: view_id, hash } = opened;
    // Only a help: where Slack refuses it, the picker's "no results" has to do.
    await isShown(args.client, { view_id, view, ...given({ hash }) }, compose.logger);
  }
}

/** @param note why it could not be taken otherwise */
async function takeLine(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
  note?: string,
): Promise<void> {
  const { command, respond } = args;
  const line = await understandLine(kind, command.text, compose);
  const context = formContext(compose, line.template);
  const defaults = initialValues(KINDS[kind].form(context));
  const values = { ...defaults, ...line.values };
  const toOne = sourceIn(values) === 'one' ? parseSubmission(kind, context, values) : undefined;
  const parts = (toOne?.ok && kindOf(toOne.value.message).segments(toOne.value.message)) || 0;
  const doubts = [
    note,
    ...line.notes,
    unknownEmojiNote(typedText(slackPieces(command.text))),
    parts > MOST_LINE_PARTS ? say.lineIsLong(parts) : undefined,
  ].filter((doubt) => doubt !== undefined);
  if (toOne?.ok && line.sure && doubts.length === 0) return submitLine(toOne.value, args, compose);
  const parsed =
    toOne ?? parseBulkMessage(kind, { ...context, recipients: 'many' }, messageValues(values), []);
  if (isTooLong(values)) {
    await respond(ephemeralSentence(say.tooLongForForm(LIMITS.inputValue)));
    return;
  }
  const issues = parsed.ok ? [] : parsed.error;
  const wrong = issues.filter(({ path }) => isTyped(line, path)).map(({ message }) => message);
  const notes = [say.NOTHING_SENT_YET, ...doubts, ...wrong];
  await openForm(
    kind,
    args,
    prefilledView(kind, line, { values, notes, channelId: command.channel_id }, compose),
  );
}

/** What the line says nothing of is not wrong: its field is empty, and there to be filled in. */
function isTyped({ values }: UnderstoodLine, path: string): boolean {
  const typed = valueAt(values, path);
  return typeof typed === 'string' && typed !== '';
}

function prefilledView(
  kind: MessageKind,
  { template, waiting, values: { to } }: UnderstoodLine,
  form: { values: Record<string, unknown>; notes: readonly string[]; channelId: string },
  compose: Compose,
): ModalView {
  const number = typeof to === 'string' ? parsePhoneNumber(to, compose.defaults.country) : undefined;
  const toHint = number?.ok ? say.numberRead(formatNumber(number.value)) : undefined;
  return composeView({ kind, template, waiting, toHint, ...form }, compose);
}

async function submitLine(submission: Submission, args: CommandArguments, compose: Compose): Promise<void> {
  const { command, respond } = args;
  const { team_id: teamId, user_id: userId, channel_id: channelId, trigger_id: requestKey } = command;
  const result = await compose.sends.submit({
    ...submission,
    origin: { teamId, userId, channelId },
    requestKey,
  });
  const said = say.lineAnswer(result);
  if (said !== undefined) await respond(ephemeralSentence(said));
}

async function openForm(
  kind: MessageKind,
  { command, client, respond }: CommandArguments,
  view: ModalView,
): Promise<{ id?: string; hash?: string } | undefined> {
  const opened = await openModal(client, command.trigger_id, view);
  if (opened.ok) return opened.value;
  await respond(ephemeralSentence(say.formDidNotOpen(commandOf(kind), opened.error)));
  return undefined;
}

/** Slack's inputs hold so much; a value cut to fit could be sent as if it were whole. */
function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LIMITS.inputValue;
  return typeof value === 'object' && value !== null && Object.values(value).some(isTooLong);
}
