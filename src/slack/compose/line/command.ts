import type { ModalView } from '@slack/types';
import { LATE } from '../../../core/within.ts';
import { KINDS, kindOf, type MessageKind, whyUnusable } from '../../../messages/kinds.ts';
import { formatNumber, parsePhoneNumber } from '../../../messages/numbers/phone-number.ts';
import { parseBulkMessage, parseSubmission, type Submission } from '../../../messages/parse-submission.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { SubmitRequest, SubmitResult } from '../../../sends/service.ts';
import { LIMITS } from '../../connection/limits.ts';
import { ephemeral, ephemeralSentence, openModal } from '../../kit/clicks/answering.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { formContext, initialValues } from '../../kit/forms/form-blocks.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { unknownEmojiNote } from '../../kit/message-text/emoji.ts';
import { notAllowed, refusalFor } from '../../kit/people/access.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import { messageFor, messageValues } from '../form/open-form.ts';
import { readGroupLine, sourceIn, takesGroups } from '../form/recipients.ts';
import * as say from '../sentences.ts';
import { begunForm } from '../start/kind-choice.ts';
import { buildersOf, commandOf, helpText, valuesWithText } from './help.ts';
import { understandLine } from './quick-line.ts';

/** A longer text is rather pasted by mistake than typed: it is looked at before it goes to a customer. */
const MOST_LINE_PARTS = 3;

/** Answers a send command, of which `interactive` and `address` may be the first word: they open their forms. */
export async function handleSendCommand(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
): Promise<void> {
  const [, word = '', rest = ''] = /^\s*(\S+)([\s\S]*)$/u.exec(args.command.text) ?? [];
  const builder = buildersOf(kind).find((one) => one === word.toLowerCase());
  const text = rest.trim();
  // A template may be called like such a word, too: its own line, with more words, is then still its own.
  const mayBeTemplate = builder && text !== '' && text.toLowerCase() !== 'help';
  const template = mayBeTemplate ? await findTemplate(kind, builder, compose) : LATE;
  return builder === undefined || (template !== LATE && template !== undefined)
    ? handleComposeCommand(kind, args, compose)
    : handleComposeCommand(builder, { ...args, command: { ...args.command, text } }, compose);
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
  const typed = command.text.trim().toLowerCase();
  if (typed === 'help') return ack(ephemeral(helpText(kind)));
  const unusable = whyUnusable(kind, compose.senders);
  if (unusable !== undefined) return ack(ephemeralSentence(notAllowed(unusable)));
  await ack();
  const refusal = await refusalFor(kind, command.user_id, compose, { channelId: command.channel_id });
  if (refusal !== undefined) {
    await respond(ephemeralSentence(refusal));
  } else if (typed === '') {
    const { channel_id: channelId } = command;
    await openForm(kind, args, await begunForm(kind, { channelId }, compose));
  } else {
    const group = takesGroups(kind) ? readGroupLine(command.text) : undefined;
    const note = group && (await takeGroupLine(kind, group, args, compose));
    if (group === undefined || note !== undefined) await takeLine(kind, args, compose, note);
  }
}

/**
 * Sends a line that is sure, and opens the form with any other.
 *
 * @param note why it could not be taken otherwise
 */
async function takeLine(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
  note?: string,
): Promise<void> {
  const { command, respond } = args;
  const line = await understandLine(kind, command.text, compose);
  const context = formContext(compose, line.template);
  const values = { ...initialValues(KINDS[kind].form(context)), ...line.values };
  const toOne = sourceIn(values) === 'one' ? parseSubmission(kind, context, values) : undefined;
  const parts = (toOne?.ok && kindOf(toOne.value.message).segments(toOne.value.message)) || 0;
  const doubts = [
    note,
    ...line.notes,
    unknownEmojiNote(typedText(slackPieces(command.text))),
    parts > MOST_LINE_PARTS ? say.lineIsLong(parts) : undefined,
  ].filter((doubt) => doubt !== undefined);
  const known =
    toOne?.ok && line.sure && doubts.length === 0
      ? await submitLine(toOne.value, args, compose)
      : { notes: [say.NOTHING_SENT_YET, ...doubts] };
  if (known === undefined) return;
  const parsed =
    toOne ?? parseBulkMessage(kind, { ...context, recipients: 'many' }, messageValues(values), []);
  if (isTooLong(values)) {
    await respond(ephemeralSentence(say.tooLongForForm(LIMITS.inputValue)));
    return;
  }
  // A field that the line says nothing of is not wrong: it is empty, and there to be filled in.
  const wrong = (parsed.ok ? [] : parsed.error).filter(({ path }) => {
    const typed = valueAt(line.values, path);
    return typeof typed === 'string' && typed !== '';
  });
  const form = { ...known, values, wrong, channelId: command.channel_id };
  const { template, waiting } = line;
  const number =
    typeof values.to === 'string' ? parsePhoneNumber(values.to, compose.defaults.country) : undefined;
  const toHint = number?.ok ? say.numberRead(formatNumber(number.value)) : undefined;
  await openForm(kind, args, composeView({ kind, template, waiting, toHint, ...form }, compose));
}

/** Sends it, unless the person is to be asked whether they mean it: then returns the question, for the form. */
async function submitLine(submission: Submission, args: CommandArguments, compose: Compose) {
  const result = await compose.sends.submit({ ...submission, ...askedBy(args), asking: {} });
  return result.state === 'again' ? say.sendAgain(result, compose) : answer(result, args);
}

/**
 * `/flash @group text`, of a kind that takes groups: to whoever of an on-call group is on call now, or to a saved list. A
 * list waits for approval as ever; a group only above the number of people that `alerts.approvalOver` names.
 *
 * @returns why the line cannot be sent as it stands, in a sentence for the form; undefined once it was taken
 */
async function takeGroupLine(
  kind: MessageKind,
  { name, text }: { readonly name: string; readonly text: string },
  args: CommandArguments,
  compose: Compose,
): Promise<string | undefined> {
  // Everybody of the group gets it.
  const parsed = messageFor({ kind, values: valuesWithText(kind, text) }, { columns: [] }, compose);
  if (!parsed.ok) return parsed.error.map(({ message }) => message).join(' ');
  const unknownEmoji = unknownEmojiNote(text);
  if (unknownEmoji !== undefined) return unknownEmoji;
  const result = await askGroup(name, { message: parsed.value, ...askedBy(args) }, compose);
  return 'path' in result && result.path === 'to' ? result.what : answer(result, args);
}

/** A line is named by its trigger: delivered twice, it is sent once. */
function askedBy({ command }: CommandArguments) {
  const { team_id: teamId, user_id: userId, channel_id: channelId, trigger_id: requestKey } = command;
  return { origin: { teamId, userId, channelId }, requestKey };
}

async function answer(
  result: Parameters<typeof say.lineAnswer>[0],
  { respond }: CommandArguments,
): Promise<undefined> {
  const said = say.lineAnswer(result);
  if (said !== undefined) await respond(ephemeralSentence(said));
}

async function openForm(
  kind: MessageKind,
  { command, client, respond }: CommandArguments,
  view: ModalView,
): Promise<void> {
  const opened = await openModal(client, command.trigger_id, view);
  if (!opened.ok) await respond(ephemeralSentence(say.formDidNotOpen(commandOf(kind), opened.error)));
}

/** Slack's inputs hold so much; a value cut to fit could be sent as if it were whole. */
function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LIMITS.inputValue;
  return typeof value === 'object' && value !== null && Object.values(value).some(isTooLong);
}

/** A message to whoever of a group is on call; refused at `to` where nobody of that name can be sent to. */
export async function askGroup(
  name: string,
  asked: Pick<SubmitRequest, 'message' | 'origin' | 'requestKey'>,
  compose: Compose,
): Promise<SubmitResult | BulkResult> {
  const { audiences, bulkSends, groups, sends } = compose;
  const refused = (what: string) => ({ state: 'refused', what, next: say.NOTHING_SENT, path: 'to' }) as const;
  const group = groups.names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (group === undefined) {
    const saved = await audiences.findByName(name);
    return saved === undefined
      ? refused(unknownGroup(name, groups.names))
      : bulkSends.request({ ...asked, audienceId: saved.id });
  }
  const numbers = await groups.numbersOf(group);
  const [only, ...others] = numbers;
  if (only === undefined)
    return refused(
      `Nobody in @${group} has a number. Numbers are entered with /herald alerts numbers, or in herald.yml.`,
    );
  if (others.length === 0) return sends.submit({ ...asked, to: only });
  const list = await audiences.fromNumbers(numbers.join('\n'), asked.origin.userId);
  if (list.state === 'refused') return refused(`${list.what} ${list.next}`);
  return bulkSends.request({ ...asked, audienceId: list.audience.id, approvalOver: groups.approvalOver });
}

function unknownGroup(name: string, names: readonly string[]): string {
  const known =
    names.length === 0 ? '' : ` The on-call groups are ${names.map((one) => `@${one}`).join(', ')}.`;
  return `There is no on-call group and no saved list called “${name}”.${known} /audiences shows the lists.`;
}
