import { KINDS, type Message, type MessageKind } from '../../../messages/kinds.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { SubmitRequest, SubmitResult } from '../../../sends/service.ts';
import { ephemeralSentence } from '../../kit/clicks/answering.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { initialValues } from '../../kit/forms/form-blocks.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { unknownEmojiNote } from '../../kit/message-text/emoji.ts';
import type { Compose } from '../compose.ts';
import { lineAnswer, NOTHING_SENT } from '../sentences.ts';
import { valuesWithText } from './help.ts';

/** `@oncall-sg text`, or `@"Night shift" text` where a name has spaces. */
const GROUP_LINE = /^@(?:["“”]([^"“”]+)["“”]|([^\s,:;]+))[,:;]?(?:\s+([\s\S]*))?$/;

/** True for a kind that may go to whoever is on call. */
export function takesGroups(kind: MessageKind): boolean {
  const { command } = KINDS[kind];
  return 'takesGroups' in command && command.takesGroups === true;
}

/** A line to a group instead of a number; undefined for every other line. */
export function readGroupLine(raw: string) {
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
  line: { readonly name: string; readonly text: string },
  { command, respond }: CommandArguments,
  compose: Compose,
): Promise<string | undefined> {
  const message = messageOf(kind, line.text, compose);
  if (typeof message === 'string') return message;
  const { team_id: teamId, user_id: userId, channel_id: channelId, trigger_id: requestKey } = command;
  const asked = { message, origin: { teamId, userId, channelId }, requestKey };
  const result = await askGroup(line.name, asked, compose);
  if ('path' in result && result.path === 'to') return result.what;
  const said = lineAnswer(result);
  if (said !== undefined) await respond(ephemeralSentence(said));
  return undefined;
}

/** A message to whoever of a group is on call; refused at `to` where nobody of that name can be sent to. */
export async function askGroup(
  name: string,
  asked: Pick<SubmitRequest, 'message' | 'origin' | 'requestKey'>,
  compose: Compose,
): Promise<SubmitResult | BulkResult> {
  const { audiences, bulkSends, groups, sends } = compose;
  const refused = (what: string) => ({ state: 'refused', what, next: NOTHING_SENT, path: 'to' }) as const;
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
  if (list.state !== 'ready') throw new Error('A list of numbers has no columns to choose from.');
  return bulkSends.request({ ...asked, audienceId: list.audience.id, approvalOver: groups.approvalOver });
}

/** Makes the message that everybody of the group gets, or a sentence on what is missing. */
function messageOf(kind: MessageKind, text: string, compose: Compose): Message | string {
  const context = { ...formContext(compose), recipients: 'many' as const };
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseBulkMessage(kind, context, { ...defaults, ...valuesWithText(kind, text) }, []);
  if (parsed.ok) return unknownEmojiNote(text) ?? parsed.value;
  return parsed.error.map(({ message }) => message).join(' ');
}

function unknownGroup(name: string, names: readonly string[]): string {
  const known =
    names.length === 0 ? '' : ` The on-call groups are ${names.map((one) => `@${one}`).join(', ')}.`;
  return `There is no on-call group and no saved list called “${name}”.${known} /audiences shows the lists.`;
}
