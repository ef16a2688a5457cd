import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import { isStopReply, STOP_WORDS } from '../../messages/stop-words.ts';
import type { WebhookBody, WebhookEvent } from '../../sends/replies/event.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { decoded } from '../read-answer.ts';
import { type AnswerSecrets, NO_SECRETS } from '../secrets.ts';
import * as table from '../vocabulary.ts';
import { addressIn, provenanceOf, senderOf, stopIn, tapIn, textOf, thingIn } from './customer-event.ts';
import { isReply, receiptIn, reportsIn } from './delivery-report.ts';
import { mappedEvents, type WebhookMapping } from './mapping.ts';
import { type BodyNode, nodeOf, numberIn, textIn, upFrom } from './node.ts';

/** What people are shown of something that has no name here. The whole stays in the store. */
const SHOWN_TEXT = 2_000;
/** Events of one body that are worked on; 256 KB of the shortest reports hold more. */
const MOST_EVENTS = 5_000;

/**
 * Every event in a webhook's body, wherever it sits: the interface document shows no shape. Total: what could not be
 * understood is an event as it came. There is none where nobody needs to hear of it, such as that somebody is typing.
 *
 * Walks without recursion and in proportion to the body, so depth and size need no bound beyond the body's own.
 *
 * @param secrets covered in whatever the body says
 * @param ours numbers that messages go out from: what comes from them no customer wrote
 * @param country of national numbers; without it, they are not read
 * @param mapping what the account says of its webhooks; what it does not cover is read as without it
 */
export function decodeWebhook(
  body: WebhookBody,
  secrets: AnswerSecrets = NO_SECRETS,
  ours: ReadonlySet<string> = new Set(),
  country?: CountryCode,
  mapping: Partial<WebhookMapping> = {},
): readonly WebhookEvent[] {
  const read = readWebhookBody(body, secrets);
  if (read.value === undefined) {
    const receipt = receiptIn(read.text);
    const text = read.text.slice(0, SHOWN_TEXT);
    return receipt.length > 0 ? receipt : [{ kind: 'unknown', text, readable: false }];
  }
  const events = eventsIn(read.value, ours, country, mapping);
  return capped(events ?? [{ kind: 'unknown', text: shown(read.value), readable: true }]);
}

/** What customers did comes first: of reports the next one says more. */
function capped(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  if (events.length <= MOST_EVENTS) return events;
  const isReport = ({ kind }: WebhookEvent) => kind === 'report';
  const taken = [...events.filter((one) => !isReport(one)), ...events.filter(isReport)].slice(0, MOST_EVENTS);
  const left = `This webhook has ${events.length} events; Herald read ${MOST_EVENTS} and left the rest.`;
  return [...taken, { kind: 'unknown', text: left, readable: true }];
}

/** Events in the order of the body, outermost first; undefined where nothing in it has a name here. */
function eventsIn(
  root: object,
  ours: ReadonlySet<string>,
  country: CountryCode | undefined,
  mapping: Partial<WebhookMapping>,
): readonly WebhookEvent[] | undefined {
  const nodes = nodesIn(root, country);
  const found = new Map<BodyNode, readonly WebhookEvent[]>();
  const around = new Set<BodyNode>();
  const note = (node: BodyNode, events: readonly WebhookEvent[]) => {
    found.set(node, events);
    for (let at: BodyNode | undefined = node; at && !around.has(at); at = at.parent) around.add(at);
  };
  for (const [node, events] of mappedEvents(root, nodes, mapping))
    if (!around.has(node) && !isPartOf(node, found)) note(node, events);
  // Innermost first: an envelope's own id and status are believed only where nothing inside says more.
  for (const look of [said, left]) {
    for (const node of nodes.toReversed()) {
      if (node.isQuiet || around.has(node) || isPartOf(node, found)) continue;
      const events = look(node, ours, around);
      if (events !== undefined) note(node, events);
    }
  }
  return found.size === 0 ? undefined : nodes.flatMap((node) => found.get(node) ?? []);
}

function isPartOf(node: BodyNode, found: ReadonlyMap<BodyNode, unknown>): boolean {
  return upFrom(node).some((one) => found.has(one));
}

type Step = Pick<BodyNode, 'key' | 'parent'> & { readonly value: unknown; readonly isListed?: boolean };

/** The objects of a body, outermost first. */
function nodesIn(root: object, country: CountryCode | undefined): readonly BodyNode[] {
  const nodes: BodyNode[] = [];
  const queue: Step[] = [{ value: root, key: '' }];
  for (let at = 0; at < queue.length; at += 1) {
    const step = queue[at] as Step;
    const { value, key, parent, isListed } = step;
    if (Array.isArray(value)) for (const one of value) queue.push({ ...step, value: one, isListed: true });
    if (!isJsonObject(value)) continue;
    const node = { ...nodeOf(value, key, parent, isListed), country, isPosted: false };
    nodes.push(node);
    for (const [name, member] of node.members) node.members.set(name, structureOf(node, name, member));
    const { data } = value;
    node.isPosted = typeof data === 'string' && ENCODED.test(data) && isJsonObject(node.members.get('data'));
    for (const [name, inner] of node.members)
      if (!node.isPosted || name !== 'attributes') queue.push({ value: inner, key: name, parent: node });
  }
  return nodes;
}

/** The beginning of `{`, with or without a line behind it, in base64. */
const ENCODED = /^e[wy][\w+/=-]+$/;

/** JSON in a text, where no customer can have written it, with Pub/Sub's base64 around it or without. */
function structureOf(node: BodyNode, key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isOfNobody = () => upFrom(node).every((one) => senderOf(one) === undefined);
  if (!table.JSON_KEYS.has(key) && !(table.JSON_OR_WORDS_KEYS.has(key) && isOfNobody())) return value;
  const text = ENCODED.test(value) ? Buffer.from(value, 'base64').toString() : value;
  const inner = /^\s{0,9}[[{]/.test(text) ? parseJson(text) : undefined;
  return isJsonObject(inner) || Array.isArray(inner) ? inner : value;
}

function said(node: BodyNode, ours: ReadonlySet<string>): readonly WebhookEvent[] | undefined {
  if (node.way === 'silent') return [];
  const sender = senderOf(node);
  const stop = sender && stopIn(node);
  const event = stop ?? tapIn(node) ?? addressIn(node);
  if (event !== undefined) return [event];
  const text = textOf(node);
  const reports = text === undefined ? [] : receiptIn(text, node);
  if (reports.length > 0) return reports;
  // Nobody sends a stop word to customers: whatever status stands beside it, a customer wrote it.
  if (sender !== undefined && !isOurs(node, ours)) {
    if (text !== undefined && (isStopReply(text, STOP_WORDS) || isReply(node, text)))
      return [{ kind: 'text', text, ...provenanceOf(node) }];
    const isReport =
      text !== undefined || node.statusKeys.length === 0 || numberIn(node, table.TO_KEYS) !== undefined;
    const thing = !isReport && isReply(node, '') ? thingIn(node) : {};
    if (thing.sent !== undefined) return [unknownIn(node, thing)];
  }
  const delivered = reportsIn(node);
  return delivered.length > 0 ? delivered : undefined;
}

/** What is left of a body in which nothing more was found: somebody's message, or an entry of a list. */
function left(
  node: BodyNode,
  ours: ReadonlySet<string>,
  around: ReadonlySet<BodyNode>,
): readonly WebhookEvent[] | undefined {
  const sender = senderOf(node);
  const text = textOf(node);
  const isEcho = text !== undefined && node.statusKeys.length === 0;
  if (isOurs(node, ours) && isEcho) return [];
  const isHidden = upFrom(node).some((one) => textIn(one, table.FROM_KEYS) && senderOf(one) === undefined);
  const isWritten = isHidden || node.way === 'in' || isStopReply(text ?? '', STOP_WORDS);
  // A sender that cannot be read is none of the numbers around it.
  if (sender === undefined && text !== undefined && isWritten)
    return [{ kind: 'text', text, ...(isHidden ? {} : provenanceOf(node)) }];
  const stop = stopIn(node);
  if (sender === undefined && stop !== undefined) return [stop];
  const isForgotten = node.isListed && around.size > 0;
  if (sender === undefined && !isForgotten) return undefined;
  return [unknownIn(node, sender === undefined || isOurs(node, ours) ? {} : thingIn(node))];
}

function unknownIn(node: BodyNode, thing: ReturnType<typeof thingIn>): WebhookEvent {
  return { kind: 'unknown', text: shown(node.value), readable: true, ...thing, ...provenanceOf(node) };
}

function isOurs(node: BodyNode, ours: ReadonlySet<string>): boolean {
  return node.way === 'out' || ours.has(senderOf(node) ?? '');
}

function shown(value: object): string {
  try {
    return JSON.stringify(value).slice(0, SHOWN_TEXT);
  } catch {
    // Nested deeper than the stack is: the whole body stays in the store.
    return 'nested too deeply to be shown';
  }
}

const LONGEST_FIELD_NAME = 100;

/**
 * JSON or a form, whatever the content type says of it: JSON is tried first. A text in quotes or a bare number says nothing
 * that could be read further.
 */
export function readWebhookBody(
  { contentType = '', bytes }: WebhookBody,
  secrets: AnswerSecrets = NO_SECRETS,
) {
  const text = secrets.cover(decoded(bytes));
  const json = parseJson(text, secrets);
  if (typeof json === 'object' && json !== null) return { value: json, text };
  const isForm = /x-www-form-urlencoded/i.test(contentType) || looksLikeForm(text);
  return { value: isForm && text !== '' ? formOf(text) : undefined, text };
}

/** Field names are short; what is long before its first `=` is something else. */
function looksLikeForm(text: string): boolean {
  return /^[\w.[\]%+-]+=[^{}<>\s]*$/.test(text) && text.indexOf('=') <= LONGEST_FIELD_NAME;
}

/** Names inside a name that are read as such. */
const MOST_NAMES = 9;

/** Fields by name, with `reply[id]` and `reply.id` as members of `reply`. */
function formOf(text: string): object {
  const form: Record<string, unknown> = Object.create(null);
  for (const [field, value] of new URLSearchParams(text)) {
    const names = field.split(/[.[\]]+/).filter((name) => name !== '');
    const [last = field, ...path] = names.length > MOST_NAMES ? [field] : names.toReversed();
    let at = form;
    for (const name of path.toReversed()) {
      if (!isJsonObject(at[name])) at[name] = Object.create(null);
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return form;
}
