import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { WebhookBody, WebhookEvent } from '../../sends/replies/event.ts';
import { type AnswerSecrets, NO_SECRETS } from '../secrets.ts';
import { addressIn, isMessage, provenanceOf, tapIn, textEventIn } from './customer-event.ts';
import { reportIn } from './delivery-report.ts';
import { type BodyNode, nodeOf, upFrom } from './node.ts';
import { readWebhookBody } from './read-body.ts';

/** What people are shown of something that has no name here. The whole stays in the store. */
const SHOWN_TEXT = 2_000;

/**
 * Every event in a webhook's body, wherever it sits: the interface document shows no shape. Total: whatever the body,
 * there is at least one event, what could not be understood being one as it came.
 *
 * Walks without recursion and in proportion to the body, so depth and size need no bound beyond the body's own.
 *
 * @param secrets covered in whatever the body says
 * @param country of national numbers; without it, they are not read
 */
export function decodeWebhook(
  body: WebhookBody,
  secrets: AnswerSecrets = NO_SECRETS,
  country?: CountryCode,
): readonly WebhookEvent[] {
  const read = readWebhookBody(body, secrets);
  if (read.kind === 'text')
    return [{ kind: 'unknown', text: read.text.slice(0, SHOWN_TEXT), readable: false }];
  const events = eventsIn(read.value, { members: new Map(), key: '', country });
  return events.length > 0 ? events : [{ kind: 'unknown', text: shown(read.value), readable: true }];
}

/** They have numbers and ids of their own, but nothing happens in them. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  ...[
    'contact',
    'contacts',
    'context',
    'customer',
    'from',
    'metadata',
    'profile',
    'quoted',
    'recipient',
    'sender',
  ],
  ...['to', 'user'],
]);

/** Somebody's message. */
interface Candidate {
  readonly node: BodyNode;
  readonly value: object;
}

interface Step {
  readonly value: unknown;
  readonly key: string;
  readonly parent?: BodyNode;
}

function eventsIn(root: object, parent: BodyNode): WebhookEvent[] {
  const events: WebhookEvent[] = [];
  const messages: Candidate[] = [];
  const told = new Set<BodyNode>();
  const queue: Step[] = [{ value: root, key: '', parent }];
  for (let at = 0; at < queue.length; at += 1) {
    const step = queue[at];
    if (step === undefined || typeof step.value !== 'object' || step.value === null) continue;
    if (Array.isArray(step.value)) {
      for (const value of step.value) queue.push({ ...step, value });
      continue;
    }
    const node = nodeOf(step.value, step.key, step.parent);
    const event = reportIn(node) ?? tapIn(node) ?? addressIn(node);
    if (event !== undefined) {
      events.push(event);
      // What is inside is a part of this event.
      for (const around of upFrom(node)) told.add(around);
      continue;
    }
    if (isMessage(node)) messages.push({ node, value: step.value });
    for (const [key, value] of node.members) {
      if (!ABOUT_PEOPLE.has(key)) queue.push({ value, key, parent: node });
    }
  }
  return [...events, ...onlyMessages(messages, told)];
}

/** Messages in which nothing more telling was found: what was written, or all of it. Innermost first. */
function onlyMessages(messages: readonly Candidate[], told: Set<BodyNode>): readonly WebhookEvent[] {
  const events: WebhookEvent[] = [];
  for (const { node, value } of messages.toReversed()) {
    if (told.has(node)) continue;
    for (const around of upFrom(node)) told.add(around);
    events.push(
      textEventIn(node) ?? { kind: 'unknown', text: shown(value), readable: true, ...provenanceOf(node) },
    );
  }
  return events.toReversed();
}

function shown(value: object): string {
  try {
    return JSON.stringify(value).slice(0, SHOWN_TEXT);
  } catch {
    // Nested deeper than the stack is: the whole body stays in the store.
    return 'nested too deeply to be shown';
  }
}
