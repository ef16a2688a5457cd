import { NO_SECRETS } from '../gateway/secrets.ts';
import { unreadShapes } from '../gateway/unread.ts';
import { decodeWebhook } from '../gateway/webhooks/decode.ts';
import type { WireTable } from '../gateway/wire.ts';
import { latestReceived } from '../store/check.ts';

type Described = Pick<WireTable, 'webhooks' | 'isGuessed'>;

/** What the service has sent to this account, by the latest webhooks in the database; undefined where it cannot be read. */
export async function readAccount(url: string, { webhooks: mapping }: Described) {
  const found = await latestReceived(url);
  if (found === undefined) return undefined;
  const posted = found.webhooks.toReversed().map(({ at, body }) => ({
    ...{ at, body },
    events: decodeWebhook(body, NO_SECRETS, new Set(), undefined, mapping),
  }));
  const shapes = [...unreadShapes(posted), ...found.answers];
  return { isTried: found.isTried, lastAt: posted.at(-1)?.at, shapes };
}

/** What whoever runs Herald should know of the account, for doctor and `/herald status`. */
export async function accountInWords(url: string, described: Described): Promise<string | undefined> {
  const known = await readAccount(url, described);
  if (known === undefined) return undefined;
  const { isTried, lastAt, shapes } = known;
  const last = lastAt === undefined ? '' : new Date(lastAt).toISOString().slice(0, 16);
  const parts = [
    described.isGuessed && 'wire.answers.success is not set',
    !isTried && 'the API key was never tried',
    last === '' ? 'no webhook has come yet' : `the last webhook came at ${last}Z`,
    shapes.length > 0 && `shapes that were not understood, as explain unread shows: ${shapes.length}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}
