import { given } from '../../core/given.ts';
import { kindOf, type Message } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../../sends/outcome.ts';
import type { DeliveryReport, DeliveryStatus } from '../../sends/replies/event.ts';
import { CHECK_NUMBER_AND_VALUES, FAILURE_CODES, hasTemplate, namedCode, nextStep } from '../codes.ts';
import { findExplanation, ownWords } from '../find-explanation.ts';
import { asShownCode, findCode, isSuccess, saysSomething } from '../signs.ts';
import { leavesOf, type Member } from '../structure.ts';
import * as table from '../vocabulary.ts';
import {
  asNumber,
  type BodyNode,
  childrenOf,
  eventSays,
  firstOf,
  idsIn,
  nodeOf,
  numberIn,
  textIn,
  textsOf,
  upFrom,
} from './node.ts';

const STEPS_UP = 3;
/** `reason`, `description`, `errorText`, `statusDescription` and the like. */
const EXPLAINS = /^(?:err|fail|reason|desc|status.)/;
/** The statuses that services give to what customers wrote, too. */
const EITHER_WAY = /^(?:delivered|sent|read|processed|received)$/;
/** A later one of these wins over an earlier one, whatever else an item says. */
const BY_WEIGHT: readonly DeliveryStatus[] = ['failed', 'read', 'delivered', 'sent'];

/**
 * The delivery reports of an object that has a status that is known and the id of a message: one for each recipient.
 *
 * @param ids this and the rest are what the account's own mapping has found
 */
export function reportsIn(
  node: BodyNode,
  ids: readonly string[] = [],
  numbers: readonly Msisdn[] = [],
  meant: readonly DeliveryStatus[] = [],
  code?: string,
): readonly DeliveryReport[] {
  const isMeant = meant.length > 0;
  const isNone =
    node.way === 'in' || node.way === 'other' || (table.STATUS_KEY.test(node.key) && !node.isListed);
  if (isNone && !isMeant) return [];
  const item = [node, ...childrenOf(node, table.ITEM_PARTS)];
  const [messageId, ...otherIds] = ids.length > 0 ? ids : idsOf(node, item);
  if (messageId === undefined) return [];
  const statuses = isMeant ? meant : item.flatMap(statusesIn);
  const people = numbers.length > 0 ? numbers.map((number) => ({ number, said: [] })) : peopleOf(node, item);
  return people.flatMap(({ number, said }) => {
    const status = BY_WEIGHT.find((one) => said.includes(one) || statuses.includes(one));
    if (status === undefined) return [];
    const isRefused = status === 'failed' || (!isMeant && status === 'sent' && item.some(hasErrorCode));
    return {
      kind: 'report',
      messageId,
      ...(otherIds.length > 0 && { otherIds }),
      status: isRefused ? 'failed' : status,
      ...given({ number, failure: isRefused ? failureIn(node, code) : undefined }),
    };
  });
}

/** `id:7 … stat:UNDELIV err:069`: a receipt as SMPP has it, in the text of a message. */
export function receiptIn(text: string, node?: BodyNode): readonly DeliveryReport[] {
  const part = (found: RegExpExecArray | null) => found?.[1];
  const id = part(/^\s?id:\s?(\S{1,256})/i.exec(text));
  const stat = part(/\sstat:\s?([a-z]{2,20})/i.exec(text));
  if (id === undefined || stat === undefined) return [];
  const errorCode = part(/\serr:\s?(\w{1,10})/i.exec(text));
  const to = node && numberIn(node, table.FROM_KEYS);
  return reportsIn(nodeOf({ id, stat, to, errorCode }, ''));
}

/** Whether a text with a sender is what a customer wrote, and not about a message of ours. */
export function isReply(node: BodyNode, text: string): boolean {
  if (node.way === 'in') return true;
  const words = node.statusKeys.flatMap((key) => textIn(node, [key]) ?? []);
  const statuses = statusesIn(node);
  if (statuses.length === 0) return true;
  const sender = textIn(node, table.FROM_KEYS);
  return (
    words.every((word) => EITHER_WAY.test(table.plain(word))) &&
    statuses.length === words.length &&
    !statuses.some((status) => status === table.saidIn(text)) &&
    ![...table.ERROR_CODE_KEYS].some((key) => node.members.has(key)) &&
    (sender === undefined || asNumber(sender, node.country) !== undefined)
  );
}

function statusesIn(node: BodyNode): readonly DeliveryStatus[] {
  const words = node.statusKeys.flatMap((key) => {
    const inner = childrenOf(node, [key]);
    const all = inner.flatMap((one) => textsOf(one.members, table.STATUS_WORD_KEYS));
    return inner.length > 0 ? all : textsOf(node.members, [key]);
  });
  // In a receipt the network has deleted it.
  const isReceipt = node.members.has('stat');
  const said = words.map((word) => (isReceipt && word === 'deleted' ? 'failed' : table.saidIn(word)));
  const events = textsOf(node.members, table.EVENT_KEYS).map(eventSays);
  // `status: "2", desc: "FAILED"`: a number has no meaning that is the same everywhere, its words have.
  const isNumber = words.length > 0 && said.every((one) => one === undefined);
  const explained = isNumber ? textsOf(node.members, ['desc', 'description']).map(table.saidIn) : [];
  const seen = textIn(node, ['seenat']) === undefined ? [] : ['read' as const];
  return [...said, ...events, ...explained, ...seen].filter((one) => one !== undefined && one !== 'fine');
}

function hasErrorCode({ members }: BodyNode): boolean {
  return [...table.ERROR_CODE_KEYS].some(
    (key) => saysSomething(members.get(key)) && !isSuccess(members.get(key)),
  );
}

/** A table.plain `id` is the message's only beside the status, or in a part of the item: above, it names something else. */
function idsOf(node: BodyNode, item: readonly BodyNode[]): readonly string[] {
  const [, ...parts] = item;
  const ids = [
    ...idsIn(node, table.MESSAGE_ID_KEYS),
    ...parts.flatMap((part) => [...idsIn(part, table.MESSAGE_ID_KEYS), ...idsIn(part, table.PLAIN_ID_KEYS)]),
    ...idsIn(node, table.PLAIN_ID_KEYS),
    ...item.flatMap((one) => idsIn(one, table.REQUEST_ID_KEYS)),
  ];
  const found =
    ids.length > 0
      ? ids
      : nearby(node, (one) => idsIn(one, [...table.MESSAGE_ID_KEYS, ...table.REQUEST_ID_KEYS])[0]);
  return [...new Set([found ?? []].flat())];
}

/** Whom the item is about: each of a list, with a status of its own where it has one. */
function peopleOf(node: BodyNode, item: readonly BodyNode[]) {
  for (const key of ['to', 'recipients']) {
    const people = node.members.get(key);
    if (!Array.isArray(people) || people.length === 0) continue;
    return people.map((one: unknown) => {
      const isObject = typeof one === 'object' && one !== null;
      return { number: asNumber(one, node.country), said: isObject ? statusesIn(nodeOf(one, key)) : [] };
    });
  }
  const look = (one: BodyNode) => numberIn(one, table.RECIPIENT_KEYS);
  return [{ number: firstOf(item.values().map(look)) ?? nearby(node, look), said: [] }];
}

function nearby<Value>(node: BodyNode, look: (around: BodyNode) => Value | undefined): Value | undefined {
  // Reports of other messages stand in the same list: what is common to all of them is above it.
  return firstOf(
    upFrom(node)
      .take(STEPS_UP + 1)
      .map(look),
  );
}

function notDelivered(why: string): string {
  return `The service reports that the message was not delivered${why}.`;
}

/** Why it was not delivered, decoded by the code table and in the service's own words. */
function failureIn(node: BodyNode, described: string | undefined): Failure {
  const members = leavesOf(node.value).filter(isAboutFailure);
  const answer = { members };
  const { listed, unlisted = listed } = findCode(answer, new Set());
  const code = asShownCode(described) ?? unlisted;
  const known = FAILURE_CODES.get(code ?? '');
  const coded = code === undefined ? '' : `, with ${namedCode(code)}`;
  const what = notDelivered(`${coded}${known ? `: ${known.meaning}` : ''}`);
  const explanation = ownWords(findExplanation(answer, code), code, what);
  return given({
    code,
    what,
    explanation,
    next: known?.next ?? CHECK_NUMBER_AND_VALUES,
    scope: known?.scope ?? 'recipient',
  });
}

/** A report may hold the text that was sent, too: under names such as `message`, which explain something only in an error. */
function isAboutFailure({ key, parents }: Member): boolean {
  return (
    table.CODE_KEYS.has(key) ||
    EXPLAINS.test(key) ||
    parents.some((name) => table.ERROR_CONTAINERS.has(name) || name === 'status')
  );
}

/**
 * A report's failure as it may be said of this message: with the advice for what was sent, which no report says. Of one with
 * a password listed codes alone are said: nobody knows any more what the password was, and a report may echo it.
 */
export function failureOf(failure: Failure, message: Message): Failure {
  const known = FAILURE_CODES.get(failure.code ?? '');
  const { code: _code, explanation: _words, ...plain } = failure;
  const safe = kindOf(message).needsSecret(message) ? plain : failure;
  if (known) return { ...safe, code: known.code, next: nextStep(known, hasTemplate(message)) };
  return safe === plain ? { ...plain, what: notDelivered('') } : failure;
}
