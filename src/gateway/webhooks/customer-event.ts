import type { AddressEvent, CustomerEvent } from '../../sends/replies/event.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { type BodyNode, childOf, idIn, nodeOf, numberIn, textIn, upFrom } from './node.ts';

const SENDER_KEYS = [
  'from',
  'sender',
  'waid',
  'customer',
  'customernumber',
  'source',
  'sourceaddress',
  'senderphonenumber',
  'msisdn',
  'mobile',
  'mobilenumber',
  'phone',
  'phonenumber',
  'number',
];
const EVENT_ID_KEYS = ['id', 'messageid', 'msgid', 'wamid', 'eventid', 'uuid'];
const CONTEXT_KEYS = ['context', 'quoted', 'replyto', 'inreplyto'];
const CONTEXT_ID_KEYS = [
  'contextid',
  'contextmessageid',
  'inreplyto',
  'replyto',
  'replytomessageid',
  'quotedmessageid',
  'originalmessageid',
];
const REPLY_KEYS = ['buttonreply', 'listreply', 'reply'];
/** The document writes `reply.id`: some services take that for the name of one key. */
const REPLY_ID_KEYS = [
  ...['reply.id', 'buttonreply.id', 'listreply.id'],
  'replyid',
  'buttonid',
  'buttonpayload',
  'postbackdata',
  'postbackpayload',
  'listid',
  'rowid',
];
const REPLY_TITLE_KEYS = [
  ...['reply.title', 'buttonreply.title', 'listreply.title'],
  'replytitle',
  'buttontitle',
  'buttontext',
  'listtitle',
  'title',
  'displaytext',
  'text',
];
const TEXT_KEYS = ['text', 'message', 'body', 'content', 'msg', 'messagetext', 'messagebody', 'keyword'];
const LONGEST_ID = 256;

type Provenance = Pick<CustomerEvent, 'from' | 'eventId' | 'contextId'>;

/** True for an object that has a sender of its own: it is somebody's message, even where nothing else is known. */
export function isMessage(node: BodyNode): boolean {
  return numberIn(node, SENDER_KEYS) !== undefined && !node.members.has('recipientid');
}

/** A tap on a button or a row, where this object tells of one. It needs no sender. */
export function tapIn(node: BodyNode): CustomerEvent | undefined {
  // What a message offers is no answer to it: an echo of a message that was sent holds every button's reply.
  if (isOffer(node)) return undefined;
  const reply = childOf(node, REPLY_KEYS);
  const quick = childOf(node, ['button']);
  const found =
    (reply && tapOf(reply, ['id', ...REPLY_ID_KEYS])) ?? (quick && tapOf(quick, ['payload', 'id', 'text']));
  const flat = found ?? tapOf(node, REPLY_ID_KEYS);
  return flat && { kind: 'reply', ...flat, ...provenanceOf(node) };
}

function tapOf(node: BodyNode, idKeys: readonly string[]) {
  const replyId = textIn(node, idKeys);
  if (replyId === undefined) return undefined;
  const title = textIn(node, REPLY_TITLE_KEYS);
  const description = textIn(node, ['description']);
  return {
    replyId: replyId.slice(0, LONGEST_ID),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

function isOffer(node: BodyNode): boolean {
  for (const { key } of upFrom(node))
    if (key === 'buttons' || key === 'action' || key === 'sections') return true;
  return false;
}

/** An address form: `response_json` as text or as an object, its fields under `values` or beside each other. */
export function addressIn(node: BodyNode): AddressEvent | undefined {
  const form = childOf(node, ['nfmreply', 'addressmessage', 'addressreply']);
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

/** What a customer wrote; a text is one only with its sender. */
export function textEventIn(node: BodyNode): CustomerEvent | undefined {
  if (!isMessage(node)) return undefined;
  const inner = childOf(node, TEXT_KEYS);
  const text = (inner && textIn(inner, TEXT_KEYS)) ?? textIn(node, TEXT_KEYS);
  return text === undefined ? undefined : { kind: 'text', text, ...provenanceOf(node) };
}

/** Sender, id and context: of the nearest object that has a sender, so that no other event's are taken. */
export function provenanceOf(node: BodyNode): Provenance {
  for (const around of upFrom(node)) {
    const from = numberIn(around, SENDER_KEYS);
    const eventId = from && idIn(around, EVENT_ID_KEYS);
    if (from !== undefined) return { from, ...(eventId && { eventId }), ...contextOf(node) };
  }
  const from = onlyContact(node);
  return { ...(from && { from }), ...contextOf(node) };
}

function contextOf(node: BodyNode): Pick<Provenance, 'contextId'> {
  for (const around of upFrom(node)) {
    const context = childOf(around, CONTEXT_KEYS);
    const contextId = (context && idIn(context, EVENT_ID_KEYS)) ?? idIn(around, CONTEXT_ID_KEYS);
    if (contextId !== undefined) return { contextId };
  }
  return {};
}

/** Some services name the sender once for the whole body: `contacts: [{wa_id}]`. */
function onlyContact(node: BodyNode): Provenance['from'] {
  for (const around of upFrom(node)) {
    const contacts = around.members.get('contacts');
    const [only] = Array.isArray(contacts) && contacts.length === 1 ? contacts : [];
    if (isJsonObject(only)) return numberIn(nodeOf(only, 'contacts', around), SENDER_KEYS);
  }
  return undefined;
}
