import type { Audiences } from './audiences/service.ts';
import type { BulkSends } from './bulk.ts';
import type { Found, SubmitRequest, SubmitResult } from './service.ts';

interface AskingDependencies {
  readonly audiences: Pick<Audiences, 'fromNumbers'>;
  readonly bulkSends: Pick<BulkSends, 'request'>;
}

/** Asks for one message to one number as for a send to a list of one. */
export async function askForOne(
  { message, to, origin, requestKey }: SubmitRequest,
  { retryOf, retryGroup }: Found,
  { audiences, bulkSends }: AskingDependencies,
): Promise<SubmitResult> {
  const list = await audiences.fromNumbers(to, origin.userId);
  if (list.state === 'choose_column') throw new Error('A list of numbers has no columns to choose from.');
  if (list.state === 'refused') return { ...list, cause: 'waits' };
  const asked = await bulkSends.request({
    message,
    audienceId: list.audience.id,
    origin,
    requestKey,
    ...(retryOf !== undefined && retryGroup !== undefined && { triedAgain: { retryOf, retryGroup } }),
  });
  if (asked.state === 'refused') return { ...asked, cause: asked.isUnsure ? 'unsure' : 'waits' };
  if (asked.state !== 'awaiting_approval') return asked;
  const { id, reason } = asked.send;
  const why = reason === undefined ? '' : ` ${reason.what}`;
  return {
    ...asked,
    state: 'waits',
    what: `It waits for approval as ${id}.${why}`,
    next: 'Nothing was sent yet.',
  };
}
