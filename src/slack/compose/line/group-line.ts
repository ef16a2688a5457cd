import { KINDS, type Message, type MessageKind } from '../../../messages/kinds.ts';
import type { Msisdn } from '../../../messages/numbers/phone-number.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { Send } from '../../../sends/send.ts';
import { ephemeralSentence } from '../../kit/clicks/answering.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { initialValues } from '../../kit/forms/form-blocks.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { unknownEmojiNote } from '../../kit/message-text/emoji.ts';
import type { Compose } from '../compose.ts';
import { lineAnswer } from '../sentences.ts';
import { valuesWithText } from './help.ts';

/** `@oncall-sg text`, or `@"Night shift" text` where a name has spaces. */
const GROUP_LINE = /^@(?:["“”]([^"“”]+)["“”]|([^\s,:;]+))[,:;]?(?:\s+([\s\S]*))?$/;

interface GroupLine {
  readonly name: string;
  readonly text: string;
}

/** A line to a group instead of a number; undefined for every other line. */
export function readGroupLine(raw: string): GroupLine | undefined {
  const [, quoted, plain, text = ''] = GROUP_LINE.exec(typedText(slackPieces(raw)).trim()) ?? [];
  const name = quoted ?? plain;
  return name === undefined ? undefined : { name: name.trim(), text: text.trim() };
}

/**
 * `/flash @group text`, of a kind that takes groups: to whoever of an on-call group is on call now, or to a saved list. A list waits for approval as
 * ever; a group only above the number of people that `alerts.approvalOver` names.
 *
 * @returns why the line cannot be sent as it stands, in a sentence for the form; undefined once it was taken
 */
export async function takeGroupLine(
  kind: MessageKind,
  line: GroupLine,
  { command, respond }: CommandArguments,
  compose: Compose,
): Promise<string | undefined> {
  const message = messageOf(kind, line.text, compose);
  if (typeof message === 'string') return message;
  const { team_id: teamId, user_id: userId, channel_id: channelId, trigger_id: requestKey } = command;
  const asked = { message, origin: { teamId, userId, channelId }, requestKey };
  const audience = await audienceOf(line.name, userId, compose);
  if (typeof audience === 'string') return audience;
  const result = await ('to' in audience
    ? compose.sends.submit({ ...asked, to: audience.to })
    : compose.bulkSends.request({ ...asked, ...audience }));
  const said = result.state === 'awaiting_approval' ? waitsSentence(kind, result.send) : lineAnswer(result);
  if (said !== undefined) await respond(ephemeralSentence(said));
  return undefined;
}

function waitsSentence(kind: MessageKind, { id, recipientCount, reason }: Send): string {
  const why = reason === undefined ? '' : ` ${reason.what}`;
  return `Your ${KINDS[kind].noun.replace(/^an? /, '')} to ${recipientCount.toLocaleString('en')} people waits for approval as ${id}.${why} Nothing was sent yet.`;
}

/** What everybody of the group gets, or a sentence on what is missing. */
function messageOf(kind: MessageKind, text: string, compose: Compose): Message | string {
  const context = { ...formContext(compose), recipients: 'many' as const };
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseBulkMessage(kind, context, { ...defaults, ...valuesWithText(kind, text) }, []);
  if (parsed.ok) return unknownEmojiNote(text) ?? parsed.value;
  return parsed.error.map(({ message }) => message).join(' ');
}

type GroupAudience =
  | { readonly to: Msisdn }
  | { readonly audienceId: string; readonly approvalOver?: number };

async function audienceOf(
  name: string,
  userId: string,
  { audiences, groups }: Compose,
): Promise<GroupAudience | string> {
  const group = groups.names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (group === undefined) {
    const saved = await audiences.findByName(name);
    return saved === undefined ? unknownGroup(name, groups.names) : { audienceId: saved.id };
  }
  const numbers = await groups.numbersOf(group);
  const [only, ...others] = numbers;
  if (only === undefined)
    return `Nobody in @${group} has a number. Numbers are entered with /herald alerts numbers, or in herald.yml.`;
  if (others.length === 0) return { to: only };
  const list = await audiences.fromNumbers(numbers.join('\n'), userId);
  if (list.state === 'refused') return `${list.what} ${list.next}`;
  if (list.state !== 'ready') throw new Error('A list of numbers has no columns to choose from.');
  return { audienceId: list.audience.id, approvalOver: groups.approvalOver };
}

function unknownGroup(name: string, names: readonly string[]): string {
  const known =
    names.length === 0 ? '' : ` The on-call groups are ${names.map((one) => `@${one}`).join(', ')}.`;
  return `There is no on-call group and no saved list called “${name}”.${known} /audiences shows the lists.`;
}
