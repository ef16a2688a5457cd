import type { DeliveryStatus } from '../../sends/replies/event.ts';
import { DIRECTION_KEYS, EVENT_KEYS } from '../keys.ts';
import { plain, saidIn } from '../status-words.ts';

/** From a customer, from us (or about what is from us), a wish for no more messages, or nothing that anybody needs to hear. */
export type Way = 'in' | 'out' | 'stop' | 'silent';

const SILENT = /\b(?:is ?typing|typing|composing|reaction)/;
const STOP = /\b(?:unsubscribed?\b|opt(?:ed)? ?out)/;
/** A message that failed because its customer had asked for no more before. */
const OF_A_MESSAGE = /\b(?:block|fail|rej|undeliv)/;
const OUT = /\b(?:status|dlr|delivery|receipt|report|updated?|outbound|outgoing)|echo/;
const IN = /\b(?:inbound|incoming|mo|received|reply|replied|user initiated)\b/;
const FLAGS = ['fromme', 'isecho', 'owner'];
/** Keys of an object that alone say what it is. */
const TELLING_KEY = /^(?:composing|typing|reaction|optoutnotification$)|echo(?:es)?$/;
/** Events of which a word such as “rejected” says nothing of a message. */
const OF_OTHERS =
  /\b(?:account|balance|campaign|contact|credit|number|payment|subscription|template|user|wallet)\b/;

/** What an object says of itself by a direction, by the kind of its event, or by the key that it stands under. */
export function wayOf(key: string, members: ReadonlyMap<string, unknown>): Way | undefined {
  const [direction] = textsOf(members, DIRECTION_KEYS);
  if (direction !== undefined) return /^(?:in|mo\b|received|to app)/.test(direction) ? 'in' : 'out';
  if (FLAGS.some((flag) => members.get(flag) === true)) return 'out';
  if (key === 'userpreferences' && members.get('value') === 'stop') return 'stop';
  const kinds = [...textsOf(members, EVENT_KEYS)];
  if (TELLING_KEY.test(key)) kinds.push(key);
  if (kinds.some((kind) => SILENT.test(kind))) return 'silent';
  if (kinds.some((kind) => STOP.test(kind) && !OF_A_MESSAGE.test(kind))) return 'stop';
  if (kinds.some((kind) => OUT.test(kind))) return 'out';
  if (kinds.some((kind) => IN.test(kind))) return 'in';
  return kinds.some((kind) => eventSays(kind) !== undefined) ? 'out' : undefined;
}

/** What the kind of an event says of a message of ours. */
export function eventSays(kind: string): DeliveryStatus | undefined {
  const said = OF_OTHERS.test(kind) ? undefined : saidIn(kind);
  return said === 'fine' ? undefined : said;
}

export function textsOf(members: ReadonlyMap<string, unknown>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = members.get(key);
    return typeof value === 'string' ? plain(value) : [];
  });
}
