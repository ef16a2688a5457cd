import type { BulkResult } from '../../../sends/bulk.ts';
import type { SubmitRequest, SubmitResult } from '../../../sends/service.ts';
import type { Compose } from '../compose.ts';
import { NOTHING_SENT } from '../sentences.ts';

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
