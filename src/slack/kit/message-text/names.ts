import type { Clock } from '../../../core/clock.ts';
import { within } from '../../../core/within.ts';
import type { Names } from '../people/people.ts';
import type { MentionNames } from './mrkdwn.ts';
import type { MessageContent } from './plain-text.ts';

/** Slack waits three seconds for a form or an acknowledgement; a name that comes later is not worth it. */
const NAMES_MS = 900;
/** More than this are a list, not a mention. */
const MOST = 10;

const MENTIONS = /<(?:@|!subteam\^)([UWS][A-Z0-9]+)|"user(?:group)?_id":"([UWS][A-Z0-9]+)"/g;

/**
 * The names of those whom a message mentions, as far as Slack gives them in time. Never rejects: who stays unknown is
 * shown by id.
 */
export async function namesIn(
  message: MessageContent,
  { names, clock }: { readonly names: Names; readonly clock: Clock },
): Promise<MentionNames> {
  const known = new Map<string, string>();
  const asked = mentionedIn(message).map(async (id) => {
    const name = await names.nameOf(id);
    if (name.startsWith('@')) known.set(id, name.slice(1));
  });
  if (asked.length > 0) await within(Promise.all(asked), NAMES_MS, clock);
  const nameOf = (id: string) => known.get(id);
  return { user: nameOf, userGroup: nameOf };
}

function mentionedIn({ text, blocks, attachments }: MessageContent): readonly string[] {
  const written = JSON.stringify([text, blocks, attachments]);
  const ids = new Set([...written.matchAll(MENTIONS)].map(([, inText, inBlock]) => inText ?? inBlock ?? ''));
  return [...ids].slice(0, MOST);
}
