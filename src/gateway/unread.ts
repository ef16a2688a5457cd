import type { RequestOutcome } from '../sends/outcome.ts';
import type { WebhookBody, WebhookEvent } from '../sends/replies/event.ts';
import type { Evidence } from './evidence.ts';
import { isJsonObject } from './json.ts';
import { readAnswer } from './read-answer.ts';
import type { AnswerSecrets } from './secrets.ts';
import { normalised } from './structure.ts';
import * as table from './vocabulary.ts';
import { readWebhookBody } from './webhooks/decode.ts';

const MOST_SHAPES = 20;
/** Longer ones of answers are not kept, in characters. */
const LONGEST_SHAPE = 2_000;
const MOST_DEPTH = 12;
const MOST_MEMBERS = 50;
/** Keys whose word says what something is. */
const SPEAKING = table.CODE_KEYS.union(
  new Set([...table.EVENT_KEYS, ...table.DIRECTION_KEYS, ...table.STATUS_WORD_KEYS]),
);

/**
 * The last distinct shapes of webhooks in which something has no name, the newest first, with nothing in them that is
 * anybody's.
 *
 * @param posted the oldest first, with what was read of each and when it came, in milliseconds since the epoch
 */
export function unreadShapes(
  posted: readonly {
    readonly body: WebhookBody;
    readonly events: readonly WebhookEvent[];
    readonly at: number;
  }[],
) {
  const shapes = new Map<string, { readonly last: Date; readonly times: number; readonly body: unknown }>();
  for (const { body, events, at } of posted) {
    if (!events.some((event) => event.kind === 'unknown' && event.sent === undefined)) continue;
    const read = readWebhookBody(body);
    const shape = read.value === undefined ? 'text' : masked(read.value);
    const name = JSON.stringify(shape);
    const { times = 0 } = shapes.get(name) ?? {};
    shapes.delete(name);
    shapes.set(name, { last: new Date(at), times: times + 1, body: shape });
  }
  return [...shapes.values()].toReversed().slice(0, MOST_SHAPES);
}

/** With the shape of a whole 2xx that leaves open what became of a message. */
export function withShape(outcome: RequestOutcome, evidence: Evidence, secrets: AnswerSecrets) {
  const { status = 0, body, failure } = evidence;
  const isOpen = [outcome, ...(outcome.each ?? [])].some(({ state }) => state === 'unknown');
  if (!isOpen || status >= 300 || body === undefined || failure !== undefined) return outcome;
  const shape = JSON.stringify({ status, body: masked(readAnswer(body, secrets).value ?? 'text') });
  if (shape.length > LONGEST_SHAPE) return outcome;
  const shaped = (one: RequestOutcome): RequestOutcome =>
    one.state === 'unknown' ? { ...one, failure: { ...one.failure, shape } } : one;
  return { ...shaped(outcome), ...(outcome.each && { each: outcome.each.map(shaped) }) };
}

/** Names stay, and the one word that says what something is; what else stands there does not. */
function masked(value: unknown, key = '', depth = 0): unknown {
  if (depth > MOST_DEPTH) return '…';
  if (Array.isArray(value)) {
    const elements = value.slice(0, MOST_MEMBERS).map((one) => JSON.stringify(masked(one, key, depth + 1)));
    return [...new Set(elements)].map((one) => JSON.parse(one) as unknown);
  }
  if (isJsonObject(value)) {
    // A number in a name, as `{"+9198…": …}` has it, is somebody's.
    const members = Object.entries(value).slice(0, MOST_MEMBERS);
    return Object.fromEntries(
      members.map(([name, one]) => [
        name.slice(0, 60).replaceAll(/\d{4,}/g, '0'),
        masked(one, normalised(name), depth + 1),
      ]),
    );
  }
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  const isSpeaking = SPEAKING.has(key) || table.STATUS_KEY.test(key);
  if (isSpeaking && /^[A-Za-z][A-Za-z_.:-]{0,39}$|^-?\d{1,3}$/.test(text)) return value;
  if (table.NUMBER.test(text)) return '+10000000000';
  return typeof value === 'number' ? 0 : 'text';
}
