import { z } from 'zod';
import { given } from '../../core/given.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookEvent } from '../../sends/replies/event.ts';
import { isMeant, oneOrMore, words } from '../answer-shape.ts';
import { asId } from '../find-message-id.ts';
import { type Path, pathSchema, valuesAt } from '../path.ts';
import { plain, saidIn } from '../status-words.ts';
import { provenanceOf } from './customer-event.ts';
import { reportsIn } from './delivery-report.ts';
import { asNumber, asShortText, type BodyNode } from './node.ts';

/** How an item of a webhook looks: `wire.webhooks` of herald.yml. Paths lead from the item on, or from the top of the body. */
interface ItemMapping {
  /** Where the items stand; absent: the body is one. */
  readonly each?: Path | undefined;
  readonly when?: { readonly path: Path; readonly values?: readonly string[] | undefined } | undefined;
  readonly id?: Path | undefined;
  readonly number?: Path | undefined;
  readonly status?: Path | undefined;
  readonly code?: Path | undefined;
  readonly sender?: Path | undefined;
  readonly text?: Path | undefined;
  readonly replyId?: Path | undefined;
  readonly template?: Path | undefined;
  readonly words?: Readonly<Partial<Record<DeliveryStatus, readonly string[] | undefined>>> | undefined;
}

type ItemKind = 'reports' | 'replies' | 'templates';

/** How the service calls, which `http` looks after. */
interface Calls {
  readonly methods: readonly ('GET' | 'POST')[];
  /** Names of the query's fields in the request that verifies a new address. */
  readonly verify?: { readonly mode: string; readonly token: string; readonly challenge: string } | undefined;
  readonly signature?:
    | { readonly header: string; readonly prefix: string; readonly algorithm: 'sha1' | 'sha256' }
    | undefined;
}

/** Where WEBHOOK_SECRET is set and nothing else is said. */
export const USUAL_SIGNATURE = {
  header: 'X-Hub-Signature-256',
  prefix: 'sha256=',
  algorithm: 'sha256',
} as const;

export type WebhookMapping = Calls & Readonly<Partial<Record<ItemKind, readonly ItemMapping[] | undefined>>>;

/** The keys of an item, by what it is. */
const ITEM_KEYS = {
  reports: ['id', 'number', 'status', 'code', 'words'],
  replies: ['id', 'sender', 'text', 'replyId'],
  templates: ['template', 'status', 'text'],
} as const satisfies Record<ItemKind, readonly (keyof ItemMapping)[]>;

const wordsSchema = z.strictObject(
  Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, words.optional()])),
  { error: `Write an object with any of ${DELIVERY_STATUSES.join(', ')}, each with a list of words.` },
);

function items(kind: ItemKind) {
  const paths = ITEM_KEYS[kind].filter((key) => key !== 'words').map((key) => [key, pathSchema.optional()]);
  const item = z.strictObject(
    {
      each: pathSchema.optional(),
      when: z.strictObject({ path: pathSchema, values: words.optional() }).optional(),
      ...Object.fromEntries(paths),
      ...(kind === 'reports' && { words: wordsSchema.optional() }),
    },
    { error: `Write an object with any of each, when, ${ITEM_KEYS[kind].join(', ')}.` },
  );
  return oneOrMore(item, 'Describe at least one, or leave the key out.');
}

const field = (name: string) => z.string({ error: 'Write the name of a field.' }).min(1).default(name);

export const webhookSchema = z
  .strictObject({
    methods: z
      .array(z.enum(['GET', 'POST'], { error: 'Write GET or POST.' }))
      .min(1)
      .default(['POST']),
    verify: z
      .preprocess(
        (value) => (value === true ? {} : value),
        z.strictObject({
          mode: field('hub.mode'),
          token: field('hub.verify_token'),
          challenge: field('hub.challenge'),
        }),
      )
      .optional(),
    signature: z
      .strictObject({
        header: z.string().regex(/^[A-Za-z0-9-]+$/, 'Write the name of a header, e.g. X-Hub-Signature-256.'),
        prefix: z.string().default(''),
        algorithm: z.enum(['sha1', 'sha256'], { error: 'Write sha1 or sha256.' }).default('sha256'),
      })
      .optional(),
    reports: items('reports'),
    replies: items('replies'),
    templates: items('templates'),
  })
  .prefault({});

/** Every name on the way to an item. */
export function namesIn(mapping: Partial<WebhookMapping>): ReadonlySet<string | number> {
  const kinds = Object.keys(ITEM_KEYS) as ItemKind[];
  return new Set(kinds.flatMap((kind) => mapping[kind] ?? []).flatMap(({ each }) => each ?? []));
}

/** What an item says by its mapping; undefined where the mapping does not cover it. */
type Covered = readonly WebhookEvent[] | undefined;

/** Reads values of an item: from the item on, else the only one from the top of the body. */
type Look = (node: BodyNode, path: Path | undefined) => readonly unknown[];

/**
 * What the mapping covers of a body, by object. Each path is walked once an item, and once from the top.
 *
 * @param nodes the objects of the body, the whole body first
 * @param open makes a structure of what holds one as text
 */
export function mappedEvents(
  nodes: readonly BodyNode[],
  mapping: Partial<WebhookMapping>,
  open: (value: unknown) => unknown,
): ReadonlyMap<BodyNode, readonly WebhookEvent[]> {
  const byValue = new Map(nodes.map((node) => [node.value, node]));
  const root = nodes[0]?.value;
  const fromTop = new Map<Path, readonly unknown[]>();
  const look: Look = (node, path) => {
    const own = path === undefined ? [] : valuesAt(node.value, path, open);
    if (path === undefined || own.length > 0) return own;
    const top = fromTop.get(path) ?? valuesAt(root, path, open);
    fromTop.set(path, top);
    return top.length === 1 ? top : [];
  };
  const found = new Map<BodyNode, readonly WebhookEvent[]>();
  for (const kind of Object.keys(ITEM_KEYS) as ItemKind[]) {
    for (const item of mapping[kind] ?? []) {
      for (const value of valuesAt(root, item.each ?? [], open)) {
        const node = byValue.get(value as object);
        if (node === undefined || found.has(node) || !isCalled(item, look, node)) continue;
        const events = READERS[kind](node, item, look);
        if (events !== undefined) found.set(node, events);
      }
    }
  }
  return found;
}

function isCalled({ when }: ItemMapping, look: Look, node: BodyNode): boolean {
  return when === undefined || look(node, when.path).some((value) => isMeant(value, when.values));
}

const READERS: Readonly<Record<ItemKind, (node: BodyNode, item: ItemMapping, look: Look) => Covered>> = {
  reports: (node, item, look) => {
    const all = (path: Path | undefined) => look(node, path);
    const numbers = all(item.number).flatMap((value) => asNumber(value, node.country) ?? []);
    const statuses = all(item.status).flatMap((value) => statusOf(value, item.words) ?? []);
    // A word that nobody knows is no status: the rest of the item may say more.
    if (item.status !== undefined && statuses.length === 0) return undefined;
    const ids = all(item.id).flatMap((value) => asId(value) ?? []);
    const code = all(item.code)
      .map(asShortText)
      .find((text) => text !== undefined);
    const reports = reportsIn(node, given({ ids, numbers, statuses, code }));
    return reports.length === 0 ? undefined : reports;
  },
  replies: (node, item, look) => {
    const [text] = look(node, item.text).flatMap((value) => asShortText(value) ?? []);
    const [replyId] = look(node, item.replyId).flatMap((value) => asId(value) ?? []);
    const [from] = look(node, item.sender).flatMap((value) => asNumber(value, node.country) ?? []);
    const [eventId] = look(node, item.id).flatMap((value) => asId(value) ?? []);
    const { from: guessed, ...around } = provenanceOf(node);
    const rest = { ...around, ...given({ eventId, from: item.sender === undefined ? guessed : from }) };
    if (replyId !== undefined) return [{ kind: 'reply', replyId, ...given({ title: text }), ...rest }];
    return text === undefined ? undefined : [{ kind: 'text', text, ...rest }];
  },
  templates: (node, item, look) => {
    const said = [item.template, item.status, item.text].map((path) =>
      look(node, path).flatMap((value) => asShortText(value) ?? []),
    );
    const [[template] = [], [status] = [], [words] = []] = said;
    if (template === undefined || status === undefined) return undefined;
    const text = `The service says of the template ${template}: ${[status, words ?? ''].join(' ').trim()}`;
    return [{ kind: 'unknown', text, readable: true }];
  },
};

/** What a word means for this account, and where it does not say so everywhere. */
function statusOf(value: unknown, said: ItemMapping['words'] = {}): DeliveryStatus | undefined {
  const text = typeof value === 'boolean' ? String(value) : asShortText(value)?.trim();
  if (text === undefined) return undefined;
  const own = DELIVERY_STATUSES.find((status) =>
    said[status]?.some((word) => word === text || (plain(word) !== '' && plain(word) === plain(text))),
  );
  const usual = saidIn(text);
  return own ?? (usual === 'fine' ? undefined : usual);
}
