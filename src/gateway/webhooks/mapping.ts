import { z } from 'zod';
import { given } from '../../core/given.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookEvent } from '../../sends/replies/event.ts';
import { isMeant, oneOrMore, words } from '../answer-shape.ts';
import { asId } from '../signs.ts';
import { type Path, pathSchema, valuesAt } from '../structure.ts';
import * as table from '../vocabulary.ts';
import { LONGEST_ID, provenanceOf } from './customer-event.ts';
import { reportsIn } from './delivery-report.ts';
import { asNumber, asShortText, type BodyNode } from './node.ts';

/** The default, once WEBHOOK_SECRET is set. */
export const USUAL_SIGNATURE = {
  header: 'X-Hub-Signature-256',
  prefix: 'sha256=',
  algorithm: 'sha256',
} as const;

const path = pathSchema.optional();

/** How an item of a webhook looks. Paths lead from the item on, or from the top of the body. */
const ITEM = z.strictObject({
  /** The path of the items; absent: the body is one item. */
  each: path,
  when: z.strictObject({ path: pathSchema, values: words.optional() }).optional(),
  id: path,
  /** The path at which the service gives `{{reference}}` of the request back. */
  reference: path,
  number: path,
  status: path,
  code: path,
  sender: path,
  text: path,
  replyId: path,
  template: path,
  words: z
    .partialRecord(z.enum(DELIVERY_STATUSES), words, {
      error: `Write an object with any of ${DELIVERY_STATUSES.join(', ')}, each with a list of words.`,
    })
    .optional(),
});

type ItemMapping = z.infer<typeof ITEM>;

const ITEM_KEYS = {
  reports: ['id', 'reference', 'number', 'status', 'code', 'words'],
  replies: ['id', 'sender', 'text', 'replyId'],
  templates: ['template', 'status', 'text'],
} as const satisfies Record<string, readonly (keyof ItemMapping)[]>;

type ItemKind = keyof typeof ITEM_KEYS;

function items(kind: ItemKind) {
  const keys = ['each', 'when', ...ITEM_KEYS[kind]] as const;
  const error = `Write an object with any of ${keys.join(', ')}.`;
  const shape = Object.fromEntries(keys.map((key) => [key, ITEM.shape[key]])) as typeof ITEM.shape;
  return oneOrMore(z.strictObject(shape, { error }), 'Describe at least one, or leave the key out.');
}

const field = (name: string) => z.string({ error: 'Write the name of a field.' }).min(1).default(name);

/** `wire.webhooks` of herald.yml: how the service calls, which `http` looks after, and what it says. */
export const webhookSchema = z
  .strictObject({
    methods: z
      .array(z.enum(['GET', 'POST'], { error: 'Write GET or POST.' }))
      .min(1)
      .default(['POST']),
    /** Names of the query's fields in the request that verifies a new address. */
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

export type WebhookMapping = z.infer<typeof webhookSchema>;

/** Reads values of an item: from the item on, else the only one from the top of the body. */
type Read = <Value>(
  path: Path | undefined,
  as: (value: unknown) => Value | undefined,
) => readonly NonNullable<Value>[];

/**
 * What the mapping covers of a body, by object. Each path is walked once an item, and once from the top.
 *
 * @param root the whole body, which may be a list
 * @param nodes the objects of the body
 */
export function mappedEvents(
  root: object,
  nodes: readonly BodyNode[],
  mapping: Partial<WebhookMapping>,
): ReadonlyMap<BodyNode, readonly WebhookEvent[]> {
  const byValue = new Map<unknown, BodyNode>(nodes.map((node) => [node.value, node]));
  const fromTop = new Map<Path, readonly unknown[]>();
  const there = (from: object, path: Path) => valuesAt(from, path).filter((value) => value !== undefined);
  const readFrom =
    (node: BodyNode): Read =>
    (path, as) => {
      if (path === undefined) return [];
      const own = there(node.value, path);
      const top = own.length > 0 ? [] : (fromTop.get(path) ?? there(root, path));
      if (own.length === 0) fromTop.set(path, top);
      return (top.length === 1 ? top : own).flatMap((value) => as(value) ?? []);
    };
  const found = new Map<BodyNode, readonly WebhookEvent[]>();
  for (const kind of Object.keys(ITEM_KEYS) as ItemKind[]) {
    for (const item of mapping[kind] ?? []) {
      for (const value of valuesAt(root, item.each ?? [])) {
        const node = byValue.get(value);
        if (node === undefined || found.has(node)) continue;
        const read = readFrom(node);
        const { when } = item;
        const isCalled =
          when === undefined || read(when.path, (one) => isMeant(one, when.values)).includes(true);
        const events = isCalled ? READERS[kind](node, item, read) : [];
        if (events.length > 0) found.set(node, events);
      }
    }
  }
  return found;
}

/** What an item says by its mapping; nothing where the mapping does not cover it. */
const READERS: Readonly<
  Record<ItemKind, (node: BodyNode, item: ItemMapping, read: Read) => readonly WebhookEvent[]>
> = {
  reports: (node, { status, words, ...item }, read) => {
    const statuses = read(status, (value) => statusOf(value, words));
    // A word that nobody knows is no status: the rest of the item may say more.
    if (status !== undefined && statuses.length === 0) return [];
    const ids = [...read(item.id, asId), ...read(item.reference, asId)];
    const numbers = read(item.number, (value) => asNumber(value, node.country));
    const [code] = read(item.code, asShortText);
    return reportsIn(node, ids, numbers, statuses, code);
  },
  replies: (node, item, read) => {
    const [title] = read(item.text, asShortText);
    // A button of a template may have its words for an id.
    const [replyId] = read(item.replyId, (value) => asShortText(value)?.slice(0, LONGEST_ID));
    const [sender] = read(item.sender, (value) => asNumber(value, node.country));
    const [eventId] = read(item.id, asId);
    const { from: guessed, ...around } = provenanceOf(node);
    const rest = { ...around, ...given({ eventId, from: item.sender === undefined ? guessed : sender }) };
    if (replyId !== undefined) return [{ kind: 'reply', replyId, ...given({ title }), ...rest }];
    return title === undefined ? [] : [{ kind: 'text', text: title, ...rest }];
  },
  templates: (_node, item, read) => {
    const [name] = read(item.template, asShortText);
    const [word] = read(item.status, asShortText);
    const [words = ''] = read(item.text, asShortText);
    if (name === undefined || word === undefined) return [];
    const text = `The service says of the template ${name}: ${[word, words].join(' ').trim()}`;
    return [{ kind: 'unknown', text, readable: true, template: { name, word, words } }];
  },
};

/** What a word means for this account, and where it does not say so everywhere. */
function statusOf(value: unknown, said: ItemMapping['words'] = {}): DeliveryStatus | undefined {
  const text = typeof value === 'boolean' ? String(value) : asShortText(value)?.trim();
  if (text === undefined) return undefined;
  const own = DELIVERY_STATUSES.find((status) =>
    said[status]?.some(
      (word) => word === text || (table.plain(word) !== '' && table.plain(word) === table.plain(text)),
    ),
  );
  const usual = table.saidIn(text);
  return own ?? (usual === 'fine' ? undefined : usual);
}
