import type { MessageKind } from '../../../messages/kinds.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { SubmitRequest, SubmitResult } from '../../../sends/service.ts';
import { ephemeralSentence } from '../../kit/clicks/answering.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { unknownEmojiNote } from '../../kit/message-text/emoji.ts';
import type { Compose } from '../compose.ts';
import { messageFor } from '../form/open-form.ts';
import { lineAnswer, NOTHING_SENT } from '../sentences.ts';
import { valuesWithText } from './help.ts';

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
  // Everybody of the group gets it.
  const parsed = messageFor({ kind, values: valuesWithText(kind, line.text) }, { columns: [] }, compose);
  if (!parsed.ok) return parsed.error.map(({ message }) => message).join(' ');
  const unknownEmoji = unknownEmojiNote(line.text);
  if (unknownEmoji !== undefined) return unknownEmoji;
  const { team_id: teamId, user_id: userId, channel_id: channelId, trigger_id: requestKey } = command;
  const asked = { message: parsed.value, origin: { teamId, userId, channelId }, requestKey };
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

function unknownGroup(name: string, names: readonly string[]): string {
  const known =
    names.length === 0 ? '' : ` The on-call groups are ${names.map((one) => `@${one}`).join(', ')}.`;
  return `There is no on-call group and no saved list called “${name}”.${known} /audiences shows the lists.`;
}
