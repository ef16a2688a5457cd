import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import { isStopReply, STOP_WORDS } from '../../messages/stop-words.ts';
import type { WebhookBody, WebhookEvent } from '../../sends/replies/event.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { ABOUT_PEOPLE, FROM_KEYS, JSON_KEYS, JSON_OR_WORDS_KEYS } from '../keys.ts';
import { type AnswerSecrets, NO_SECRETS } from '../secrets.ts';
import { addressIn, provenanceOf, senderOf, stopIn, tapIn, textOf } from './customer-event.ts';
import { isReply, receiptIn, reportsIn } from './delivery-report.ts';
import { mappedEvents, namesIn, type WebhookMapping } from './mapping.ts';
import { type BodyNode, nodeOf, textIn, upFrom } from './node.ts';

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
  if (read.kind === 'text') {
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
  const left = `This webhook tells of ${events.length} events; Herald read ${MOST_EVENTS} and left the rest.`;
  return [...taken, { kind: 'unknown', text: left, readable: true }];
}

/** Events in the order of the body, outermost first; undefined where nothing in it has a name here. */
function eventsIn(
  root: object,
  ours: ReadonlySet<string>,
  country: CountryCode | undefined,
  mapping: Partial<WebhookMapping>,
): readonly WebhookEvent[] | undefined {
  const { nodes, opened, quiet } = nodesIn(root, country, namesIn(mapping));
  const found = new Map<BodyNode, readonly WebhookEvent[]>();
  const around = new Set<BodyNode>();
  const tell = (node: BodyNode, events: readonly WebhookEvent[]) => {
    found.set(node, events);
    for (let at: BodyNode | undefined = node; at && !around.has(at); at = at.parent) around.add(at);
  };
  for (const [node, events] of mappedEvents(nodes, mapping, (value) => opened.get(value) ?? value))
    if (!around.has(node) && !isPartOf(node, found)) tell(node, events);
  // Innermost first: an envelope's own id and status are believed only where nothing inside says more.
  for (const look of [told, left]) {
    for (const node of nodes.toReversed()) {
      if (quiet.has(node) || around.has(node) || isPartOf(node, found)) continue;
      const events = look(node, ours, around);
      if (events !== undefined) tell(node, events);
    }
  }
  return found.size === 0 ? undefined : nodes.flatMap((node) => found.get(node) ?? []);
}

function isPartOf(node: BodyNode, found: ReadonlyMap<BodyNode, unknown>): boolean {
  for (const one of upFrom(node)) if (found.has(one)) return true;
  return false;
}

interface Step {
  readonly value: unknown;
  readonly key: string;
  readonly parent?: BodyNode;
  readonly isListed?: boolean;
  readonly isQuiet?: boolean;
}

/** The objects of a body, outermost first. */
interface Objects {
  readonly nodes: readonly BodyNode[];
  /** Structures by the text that they stood in. */
  readonly opened: ReadonlyMap<unknown, unknown>;
  /** Those about people, in which nothing happens unless the account says so. */
  readonly quiet: ReadonlySet<BodyNode>;
}

/** @param described names under which the account has items, be they about people or not */
function nodesIn(
  root: object,
  country: CountryCode | undefined,
  described: ReadonlySet<string | number>,
): Objects {
  const nodes: BodyNode[] = [];
  const opened = new Map<unknown, unknown>();
  const quiet = new Set<BodyNode>();
  const queue: Step[] = [{ value: root, key: '' }];
  for (let at = 0; at < queue.length; at += 1) {
    const step = queue[at];
    if (step === undefined || typeof step.value !== 'object' || step.value === null) continue;
    if (Array.isArray(step.value)) {
      for (const value of step.value) queue.push({ ...step, value, isListed: true });
      continue;
    }
    const node = { ...nodeOf(step.value, step.key, step.parent, step.isListed), country };
    nodes.push(node);
    if (step.isQuiet) quiet.add(node);
    for (const [key, value] of node.members) {
      const isAboutPeople = ABOUT_PEOPLE.has(key);
      if (isAboutPeople && !described.has(key)) continue;
      const structure = structureOf(node, key, value);
      if (structure !== value) opened.set(value, structure);
      const isQuiet = isAboutPeople || step.isQuiet === true;
      queue.push({ value: structure, key, parent: node, isQuiet });
    }
  }
  return { nodes, opened, quiet };
}

/** JSON in a text, where no customer can have written it, with Pub/Sub's base64 around it or without. */
function structureOf(node: BodyNode, key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isOfNobody = () => [...upFrom(node)].every((one) => senderOf(one) === undefined);
  if (!JSON_KEYS.has(key) && !(JSON_OR_WORDS_KEYS.has(key) && isOfNobody())) return value;
  const text = /^eyJ[\w+/=-]+$/.test(value) ? Buffer.from(value, 'base64').toString() : value;
  const inner = /^\s{0,9}[[{]/.test(text) ? parseJson(text) : undefined;
  return isJsonObject(inner) || Array.isArray(inner) ? inner : value;
}

/** What an object tells by itself. */
function told(node: BodyNode, ours: ReadonlySet<string>): readonly WebhookEvent[] | undefined {
  if (node.way === 'silent') return [];
  const sender = senderOf(node);
  const stop = sender && stopIn(node);
  const event = stop ?? tapIn(node) ?? addressIn(node);
  if (event !== undefined) return [event];
  const text = textOf(node);
  const reports = text === undefined ? [] : receiptIn(text, node);
  if (reports.length > 0) return reports;
  // Nobody sends a stop word to customers: whatever status stands beside it, a customer wrote it.
  const isTheirs = text !== undefined && (isStopReply(text, STOP_WORDS) || isReply(node, text));
  if (sender !== undefined && isTheirs && !isOurs(node, ours))
    return [{ kind: 'text', text, ...provenanceOf(node) }];
  const delivered = reportsIn(node);
  return delivered.length > 0 ? delivered : undefined;
}

/** What is left of a body in which nothing more telling was found: somebody's message, or an entry of a list. */
function left(
  node: BodyNode,
  ours: ReadonlySet<string>,
  around: ReadonlySet<BodyNode>,
): readonly WebhookEvent[] | undefined {
  const sender = senderOf(node);
  const text = textOf(node);
  const isEcho = text !== undefined && node.statusKeys.length === 0;
  if (isOurs(node, ours) && isEcho) return [];
  const isHidden = [...upFrom(node)].some((one) => textIn(one, FROM_KEYS) && senderOf(one) === undefined);
  const isWritten = isHidden || node.way === 'in' || isStopReply(text ?? '', STOP_WORDS);
  // A sender that cannot be read is none of the numbers around it.
  if (sender === undefined && text !== undefined && isWritten)
    return [{ kind: 'text', text, ...(isHidden ? {} : provenanceOf(node)) }];
  const stop = stopIn(node);
  if (sender === undefined && stop !== undefined) return [stop];
  const isForgotten = node.isListed && around.size > 0;
  if (sender === undefined && !isForgotten) return undefined;
  return [{ kind: 'unknown', text: shown(node.value), readable: true, ...provenanceOf(node) }];
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

/** A body as far as it could be understood. */
export type ReadBody =
  | { readonly kind: 'structure'; readonly value: object; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

const decoder = new TextDecoder('utf-8', { fatal: false });
const LONGEST_FIELD_NAME = 100;

/**
 * JSON or a form, whatever the content type says of it: JSON is tried first. Bytes that are not UTF-8 become
 * replacement characters.
 */
export function readWebhookBody(
  { contentType = '', bytes }: WebhookBody,
  { cover }: AnswerSecrets = NO_SECRETS,
): ReadBody {
  const text = cover(decoder.decode(bytes).trim());
  const json = parseJson(text);
  // A text in quotes or a bare number says nothing that could be read further.
  if (typeof json === 'object' && json !== null) return { kind: 'structure', value: json, text };
  const isForm = /x-www-form-urlencoded/i.test(contentType) || looksLikeForm(text);
  return isForm && text !== '' ? { kind: 'structure', value: formOf(text), text } : { kind: 'text', text };
}

/** Field names are short; what is long before its first `=` is something else. */
function looksLikeForm(text: string): boolean {
  return /^[\w.[\]%+-]+=[^{}<>\s]*$/.test(text) && text.indexOf('=') <= LONGEST_FIELD_NAME;
}

/** Fields by name, with `reply[id]` and `reply.id` as members of `reply`. */
function formOf(text: string): object {
  const form: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(form, name, value);
  return form;
}

function put(form: Record<string, unknown>, name: string, value: unknown): void {
  const path = name.split(/[.[\]]+/).filter((part) => part !== '');
  const last = path.pop();
  if (last === undefined || path.length > 8) {
    form[name] = value;
    return;
  }
  let at = form;
  for (const step of path) {
    const next = at[step];
    const object = isJsonObject(next) ? (next as Record<string, unknown>) : Object.create(null);
    at[step] = object;
    at = object;
  }
  at[last] = value;
}
