import { kindOf, type Message } from '../../messages/kinds.ts';
import type { Failure } from '../../sends/outcome.ts';
import type { DeliveryReport, DeliveryStatus } from '../../sends/replies/event.ts';
import { type AnswerMember, answerMembers } from '../answer-members.ts';
import { FAILURE_CODES, hasTemplate, namedCode, nextStep } from '../codes.ts';
import { findCode } from '../find-code.ts';
import { findExplanation } from '../find-explanation.ts';
import { CODE_KEYS, ERROR_CONTAINERS } from '../keys.ts';
import { CHECK_NUMBER_AND_VALUES } from '../next-steps.ts';
import { ownWords } from '../own-words.ts';
import { type BodyNode, childOf, idIn, numberIn, textIn, upFrom } from './node.ts';

const STATUS_KEYS = [
  'deliverystatus',
  'dlrstatus',
  'messagestatus',
  'smsstatus',
  'status',
  'state',
  'eventtype',
  'event',
  'dlr',
  'type',
];
const OWN_ID_KEYS = ['messageid', 'msgid', 'messageuuid', 'smsid', 'wamid', 'id', 'uuid'];
const AROUND_ID_KEYS = ['messageid', 'msgid', 'messageuuid', 'smsid', 'wamid'];
const NUMBER_KEYS = [
  'recipientid',
  'recipient',
  'recipientnumber',
  'to',
  'destination',
  'destinationaddress',
  'msisdn',
  'mobile',
  'mobilenumber',
  'number',
  'phone',
  'phonenumber',
  'waid',
  'senderphonenumber',
  'from',
];
const STEPS_UP = 3;
/** `reason`, `description`, `errorText`, `statusDescription` and the like. */
const EXPLAINS = /^(?:err|fail|reason|desc|status.)/;

/** The services' words, without case, blanks and signs, for each status. */
const WORDS: Readonly<Record<DeliveryStatus, readonly string[]>> = {
  sent: [
    'sent',
    'submitted',
    'acceptd',
    'accepted',
    'enroute',
    'buffered',
    'queued',
    'dispatched',
    'processed',
  ],
  delivered: ['delivered', 'delivrd', 'deliverd', 'dlvrd', 'deliveredtohandset', 'deliveredtoterminal'],
  read: ['read', 'seen', 'displayed', 'opened'],
  failed: [
    'failed',
    'failure',
    'undelivered',
    'undeliv',
    'undeliverable',
    'notdelivered',
    'deliveryfailed',
    'rejected',
    'rejectd',
    'expired',
    'error',
    'blocked',
    'bounced',
  ],
};
const STATUSES: ReadonlyMap<string, DeliveryStatus> = new Map(
  Object.entries(WORDS).flatMap(([status, words]) => words.map((word) => [word, status as DeliveryStatus])),
);

/** A delivery report, where this object is one: it has a status that is known and the id of a message. */
export function reportIn(node: BodyNode): DeliveryReport | undefined {
  const status = statusIn(node);
  const messageId = status && messageIdOf(node);
  if (status === undefined || messageId === undefined) return undefined;
  const number = numberOf(node);
  return {
    kind: 'report',
    messageId,
    status,
    ...(number && { number }),
    ...(status === 'failed' && { failure: failureIn(node) }),
  };
}

function statusIn(node: BodyNode): DeliveryStatus | undefined {
  for (const key of STATUS_KEYS) {
    const inner = childOf(node, [key]);
    const words = inner ? textIn(inner, ['name', 'groupname', 'status', 'state']) : textIn(node, [key]);
    const status = words && STATUSES.get(words.toLowerCase().replaceAll(/[^a-z]/g, ''));
    if (status !== undefined && status !== '') return status;
  }
  return undefined;
}

/** A plain `id` is the message's only beside the status, or in a `message` there: above, it names something else. */
function messageIdOf(node: BodyNode): string | undefined {
  const message = childOf(node, ['message', 'sms']);
  const own = idIn(node, OWN_ID_KEYS) ?? (message && idIn(message, OWN_ID_KEYS));
  if (own !== undefined) return own;
  return nearby(node, (around) => idIn(around, AROUND_ID_KEYS));
}

function numberOf(node: BodyNode): DeliveryReport['number'] {
  const message = childOf(node, ['message', 'sms']);
  return (
    (message && numberIn(message, NUMBER_KEYS)) ?? nearby(node, (around) => numberIn(around, NUMBER_KEYS))
  );
}

function nearby<Value>(node: BodyNode, look: (around: BodyNode) => Value | undefined): Value | undefined {
  let steps = 0;
  for (const around of upFrom(node)) {
    // Reports of other messages stand in the same list: what is common to all of them is above it.
    const found = look(around);
    if (found !== undefined || steps === STEPS_UP) return found;
    steps += 1;
  }
  return undefined;
}

function notDelivered(why: string): string {
  return `The service reports that the message was not delivered${why}.`;
}

/** Why it was not delivered, decoded by the code table and in the service's own words. */
function failureIn(node: BodyNode): Failure {
  const members = answerMembers(Object.fromEntries(node.members)).filter(isAboutFailure);
  const answer = { kind: 'json', members } as const;
  const { listed, unlisted: code = listed } = findCode(answer, new Set());
  const known = listed === undefined ? undefined : FAILURE_CODES.get(listed);
  const coded = code === undefined ? '' : `, with ${namedCode(code)}`;
  const what = notDelivered(`${coded}${known ? `: ${known.meaning}` : ''}`);
  const explanation = ownWords(findExplanation(answer, code), code, what);
  return {
    ...(code !== undefined && { code }),
    what,
    ...(explanation !== undefined && { explanation }),
    next: known?.next ?? CHECK_NUMBER_AND_VALUES,
    scope: known?.scope ?? 'recipient',
  };
}

/** A report may hold the text that was sent, too: under names such as `message`, which explain something only in an error. */
function isAboutFailure({ key, parents }: AnswerMember): boolean {
  return (
    CODE_KEYS.has(key) ||
    EXPLAINS.test(key) ||
    parents.some((name) => ERROR_CONTAINERS.has(name) || name === 'status')
  );
}

/**
 * A report's failure as it may be told of this message: with the advice for what was sent, which no report says. Of one with
 * a password listed codes alone are told: nobody knows any more what the password was, and a report may echo it.
 */
export function failureOf(failure: Failure, message: Message): Failure {
  const known = FAILURE_CODES.get(failure.code ?? '');
  const { code: _code, explanation: _words, ...plain } = failure;
  const told = kindOf(message).needsSecret(message) ? plain : failure;
  if (known) return { ...told, code: known.code, next: nextStep(known, hasTemplate(message)) };
  return told === plain ? { ...plain, what: notDelivered('') } : failure;
}
