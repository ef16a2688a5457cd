import { given } from '../../core/given.ts';
import { STOP_WORDS } from '../../messages/stop-words.ts';
import type { AddressEvent, CustomerEvent, UnknownEvent } from '../../sends/replies/event.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { asText } from '../signs.ts';
import { leavesOf, normalised } from '../structure.ts';
import * as table from '../vocabulary.ts';
import { asShortText, type BodyNode, childrenOf, idsIn, nodeOf, numberIn, textIn, upFrom } from './node.ts';

export const LONGEST_ID = 256;
/** `messageData.textMessageData.textMessage` is the deepest that is published. */
const DEEPEST_TEXT = 3;
const REPLY_TYPE = /^(?:interactive[_-])?(?:button|list)[_-]reply$/i;
/** What people read of a wish for no more messages that came without words. */
const NO_MORE = STOP_WORDS.find((word) => word === 'UNSUBSCRIBE') ?? 'STOP';

/** What a customer sent besides words, e.g. “a picture”, and the words below it. */
export function thingIn({ value }: BodyNode): Pick<UnknownEvent, 'sent' | 'caption'> {
  const members = leavesOf(value).filter((one) => asText(one.value) !== undefined && one.value !== '');
  const names = members.flatMap(({ key, value: said, parents }) => [
    ...(table.THING_KIND.test(key) ? [normalised(String(said))] : []),
    // A `contact` is who wrote.
    ...[...parents, key].filter((name) => name !== 'contact'),
  ]);
  const [, sent] = table.SENT_THINGS.find(([thing]) => names.some((name) => thing.test(name))) ?? [];
  const caption = members.find(({ key }) => table.CAPTION.test(key));
  return sent === undefined ? {} : given({ sent, caption: caption && asShortText(caption.value) });
}

type Provenance = Pick<CustomerEvent, 'from' | 'eventId' | 'contextId'>;

export function senderOf(node: BodyNode): Provenance['from'] {
  return node.members.has('recipientid') ? undefined : numberIn(node, table.SENDER_KEYS);
}

/** A tap on a button or a row, where this object holds one. It needs no sender. */
export function tapIn(node: BodyNode): CustomerEvent | undefined {
  // What a message offers is no answer to it: an echo of a message that was sent holds every button's reply.
  if (isOffer(node)) return undefined;
  const [reply] = childrenOf(node, table.REPLY_KEYS);
  const [quick] = childrenOf(node, ['button']);
  const isReply = [node, node.parent].some((one) =>
    REPLY_TYPE.test(one ? (textIn(one, ['type']) ?? '') : ''),
  );
  const found =
    (reply && tapOf(reply, ['id', ...table.REPLY_ID_KEYS])) ??
    (quick && tapOf(quick, ['payload', 'id', 'text'])) ??
    tapOf(node, isReply && node.members.has('title') ? ['id'] : table.REPLY_ID_KEYS);
  // If a message is called a reply, `reply_id` is its own id.
  const isWords = found?.replyId === node.members.get('replyid') && found?.title === undefined;
  if (found === undefined || (isWords && textOf(node) !== undefined)) return undefined;
  return { kind: 'reply', ...found, ...provenanceOf(node) };
}

function tapOf(node: BodyNode, idKeys: readonly string[]) {
  const replyId = textIn(node, idKeys);
  if (replyId === undefined) return undefined;
  const title = textIn(node, table.REPLY_TITLE_KEYS);
  const description = textIn(node, ['description']);
  return given({ replyId: replyId.slice(0, LONGEST_ID), title, description });
}

function isOffer(node: BodyNode): boolean {
  return upFrom(node).some(({ key }) => key === 'buttons' || key === 'action' || key === 'sections');
}

/** An address form: `response_json` as text or as an object, its fields under `values` or beside each other. */
export function addressIn(node: BodyNode): AddressEvent | undefined {
  const [form] = childrenOf(node, ['nfmreply', 'addressmessage', 'addressreply']);
  if (form === undefined) return undefined;
  const given = form.members.get('responsejson');
  const response = typeof given === 'string' ? parseJson(given) : (given ?? Object.fromEntries(form.members));
  if (!isJsonObject(response)) return undefined;
  const inner = Object.hasOwn(response, 'values') ? response.values : response;
  if (!isJsonObject(inner)) return undefined;
  const values = Object.keys(inner).flatMap((name) => {
    const value = inner[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return [{ name: name.toWellFormed().slice(0, 60), value: String(value).toWellFormed().slice(0, 500) }];
  });
  return values.length === 0 ? undefined : { kind: 'address', values, ...provenanceOf(node) };
}

/** A wish for no more messages that is an event of its own, as RCS has it. */
export function stopIn(node: BodyNode): CustomerEvent | undefined {
  if (node.way !== 'stop') return undefined;
  const text = textOf(node) ?? NO_MORE;
  return { kind: 'text', text, asksToStop: true, ...provenanceOf(node) };
}

/** What stands where a message has its words, whoever wrote it. */
export function textOf(node: BodyNode, depth = 0): string | undefined {
  for (const key of node.statusKeys.length > 0 ? table.TEXT_KEYS : table.TEXT_KEYS_WITHOUT_STATUS) {
    const value = node.members.get(key);
    const [inner] = depth < DEEPEST_TEXT ? childrenOf(node, [key]) : [];
    const words = inner ? textOf(inner, depth + 1) : asShortText(value);
    if (words !== undefined) return key === 'content' ? (wordsIn(words) ?? words) : words;
  }
  return undefined;
}

/** `content: '{"text":"Hi"}'`: of the same sender, so it may be read whoever put it there. */
function wordsIn(text: string): string | undefined {
  const object = text.startsWith('{') ? parseJson(text) : undefined;
  return isJsonObject(object) ? textIn(nodeOf(object, ''), ['text', 'body']) : undefined;
}

/** Sender, id and context: of the nearest object that has a sender, so that no other event's are taken. */
export function provenanceOf(node: BodyNode): Provenance {
  for (const around of upFrom(node)) {
    const from = numberIn(around, table.SENDER_KEYS);
    const inner = childrenOf(around, ['message', 'sms']);
    const [eventId] = from ? [around, ...inner].flatMap((one) => idsIn(one, table.EVENT_ID_KEYS)) : [];
    if (from !== undefined) return given({ from, eventId, ...contextOf(node) });
  }
  const from = onlyContact(node);
  return given({ from, ...contextOf(node) });
}

function contextOf(node: BodyNode): Pick<Provenance, 'contextId'> {
  for (const around of upFrom(node)) {
    const [context] = childrenOf(around, table.CONTEXT_KEYS);
    const ids = context ? idsIn(context, ['gsid', ...table.EVENT_ID_KEYS]) : [];
    const [contextId] = [...ids, ...idsIn(around, table.CONTEXT_ID_KEYS)];
    if (contextId !== undefined) return { contextId };
  }
  return {};
}

/** Some services name the sender once for the whole body: `contacts: [{wa_id}]`. */
function onlyContact(node: BodyNode): Provenance['from'] {
  for (const around of upFrom(node)) {
    const contacts = around.members.get('contacts');
    const [only] = Array.isArray(contacts) && contacts.length === 1 ? contacts : [];
    if (isJsonObject(only)) return numberIn(nodeOf(only, 'contacts', around), table.SENDER_KEYS);
  }
  return undefined;
}
