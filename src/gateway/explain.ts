import { maskPhoneNumbers } from '../core/secrets-in-text.ts';
import { MAY_HAVE_BEEN_SENT, type Outcome } from '../sends/outcome.ts';
import type { WebhookEvent } from '../sends/replies/event.ts';
import type { AnswerMapping } from './answer-shape.ts';
import { judge } from './outcome.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { NO_SECRETS } from './secrets.ts';
import { asId } from './signs.ts';
import { ANY_PLACE, leavesOf, type Member, type Path } from './structure.ts';
import * as table from './vocabulary.ts';
import { decodeWebhook, readWebhookBody } from './webhooks/decode.ts';
import type { WebhookMapping } from './webhooks/mapping.ts';
import type { WireRow } from './wire.ts';

/*
 * How Herald reads a sample, for whoever describes an account: what it makes of it, what it could not place, and what to
 * write down so that it is certain.
 */

interface AnswerSample {
  readonly status: number;
  readonly body: Uint8Array;
  readonly row: WireRow;
  /** Whom the request went to, in E.164. */
  readonly numbers: readonly string[];
}

const MOST_LINES = 40;

/** How an answer is read: one line after the other. */
export function explainAnswer({ status, body, row, numbers }: AnswerSample): readonly string[] {
  const recipients = numbers.map((number) => ({ number }));
  const { each, ...whole } = judge(
    { headersWritten: true, status, body },
    {
      now: 0,
      recipients,
      fieldNames: row.shape.keys,
      mapping: row.answers,
      hasTemplate: row.shape.keys.has('templateName'),
      secrets: NO_SECRETS,
      isTextSecret: false,
    },
  );
  const answer = readAnswer(body);
  const { success, failure, each: entries } = row.answers;
  const described = {
    accepted: success ?? entries?.mapping.success,
    rejected: failure ?? entries?.mapping.failure,
  };
  const outcomes = each ?? numbers.map(() => whole);
  return [
    `Status ${status}, read as an answer of row ${row.name}:`,
    ...outcomes.map((outcome, at) => `  ${maskPhoneNumbers(numbers[at] ?? '')}: ${outcomeInWords(outcome)}`),
    ...outcomes
      .slice(0, 1)
      .map((outcome) => `  Decided by: ${ruleOf(outcome, status, described.accepted !== undefined)}`),
    ...placed(answer.members, pathsOf(row.answers)),
    ...(outcomes.every(({ state }) => described[state as keyof typeof described] !== undefined)
      ? ['herald.yml describes this answer.']
      : (byStatus(status, outcomes) ?? suggested('answers', answerLines(status, answer, outcomes)))),
  ];
}

function pathsOf({ success = [], failure = [], messageId = [], each }: AnswerMapping): readonly Path[] {
  const own = [...success, ...failure, ...messageId].flatMap(({ path = [] }) => [path]);
  const inside = each && [...pathsOf(each.mapping), each.number ?? []].map((one) => [...each.path, ...one]);
  return [...own, ...(inside ?? [])];
}

function outcomeInWords(outcome: Outcome): string {
  const id = 'messageId' in outcome ? `, id ${outcome.messageId}` : '';
  return outcome.state === 'accepted' && id === ''
    ? 'accepted, without an id: delivery reports will not find it'
    : `${outcome.state}${id}. ${MAY_HAVE_BEEN_SENT[outcome.state]}`;
}

function ruleOf(outcome: Outcome, status: number, isDescribed: boolean): string {
  if (outcome.state !== 'accepted') {
    const { what, explanation } = outcome.failure;
    return explanation === undefined ? what : `${what} (${explanation})`;
  }
  return isDescribed
    ? '`wire.answers` says that this is a success.'
    : `a ${status} in which nothing speaks of a failure. \`wire.answers.success\` is not set.`;
}

export function explainWebhook(bytes: Uint8Array, mapping: Partial<WebhookMapping>): readonly string[] {
  const read = readWebhookBody({ bytes });
  const events = decodeWebhook({ bytes }, NO_SECRETS, new Set(), undefined, mapping);
  const members = read.value === undefined ? [] : leavesOf(read.value);
  const isUnread = events.some(({ kind }) => kind === 'unknown');
  const isDescribed = ['reports', 'replies', 'templates'].some((kind) => kind in mapping);
  return [
    events.length === 0 ? 'Nothing in it needs to be heard.' : 'Read as:',
    ...events.slice(0, MOST_LINES).map((event) => `  ${said(event)}`),
    ...placed(members),
    ...(isDescribed && !isUnread
      ? ['herald.yml describes webhooks, or they are read without that.']
      : suggested('webhooks', webhookLines(members, events))),
  ];
}

function said(event: WebhookEvent): string {
  if (event.kind === 'report') {
    const { messageId, otherIds = [], status, number, failure } = event;
    const why = failure?.code === undefined ? '' : `, code ${failure.code}`;
    return `a delivery report: ${status}${why}; ids ${[messageId, ...otherIds].join(', ')}; number ${maskPhoneNumbers(number ?? 'none')}`;
  }
  const from = maskPhoneNumbers(event.from ?? 'nobody that can be read');
  if (event.kind === 'reply') return `a tap on ${event.replyId} by ${from}`;
  if (event.kind === 'unknown') return `something that Herald does not know, from ${from}`;
  return event.kind === 'text'
    ? `a text of ${event.text.length} characters by ${from}`
    : `an address by ${from}`;
}

/** What each value is taken for, where it has a name that is known. */
type Role = 'number' | 'id' | 'status' | 'code' | 'text' | 'event';

const ID_KEY = /(?:id|uuid|sid|reference)$/;
const ROLES: readonly (readonly [Role, (member: Member) => boolean])[] = [
  ['number', ({ key, value }) => table.NUMBER_KEY.test(key) && table.NUMBER.test(String(value))],
  ['id', ({ key, value }) => ID_KEY.test(key) && asId(value) !== undefined],
  ['status', ({ key }) => table.STATUS_KEY.test(key) || table.FLAGS.has(key)],
  ['code', ({ key }) => table.CODE_KEYS.has(key)],
  ['text', ({ key }) => table.TEXT_KEYS.includes(key)],
  ['event', ({ key }) => table.EVENT_KEYS.includes(key)],
];

function roleOf(member: Member): Role | undefined {
  return ROLES.find(([, isIt]) => isIt(member))?.[0];
}

/** A member's way as a path of herald.yml. */
function written(way: Path): string {
  return way.map((step, at) => (typeof step === 'number' ? '[]' : `${at === 0 ? '' : '.'}${step}`)).join('');
}

function namesOf(way: Path): string {
  return way.filter((step) => typeof step === 'string' && step !== ANY_PLACE).join('.');
}

function placed(members: readonly Member[], used: readonly Path[] = []): readonly string[] {
  const lines = new Set<string>();
  const described = new Set(used.map(namesOf));
  for (const member of members) {
    const role = described.has(namesOf(member.way)) ? 'described' : roleOf(member);
    const value = maskPhoneNumbers(JSON.stringify(member.value) ?? '').slice(0, 60);
    lines.add(`  ${written(member.way).padEnd(36)} ${(role ?? 'not placed').padEnd(11)} ${value}`);
  }
  if (lines.size === 0) return [];
  const more = lines.size > MOST_LINES ? [`  … and ${lines.size - MOST_LINES} more`] : [];
  return ['What stands in it:', ...[...lines].slice(0, MOST_LINES), ...more];
}

type Lines = Readonly<Record<string, unknown>>;

function suggested(part: 'answers' | 'webhooks', lines: Lines | undefined): readonly string[] {
  if (lines === undefined) return ['Nothing in it can be described.'];
  const pairs = Object.entries(lines).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
  return [
    'In herald.yml this makes it certain, if it is what the service means:',
    'wire:',
    `  ${part}:`,
    ...pairs,
  ];
}

/** Beyond a 2xx the status decides, unless a described failure names it. */
function byStatus(status: number, [outcome]: readonly Outcome[]): readonly string[] | undefined {
  if (status < 300) return undefined;
  return outcome?.state === 'rejected'
    ? ['The status alone makes it certain.']
    : [`A ${status} stays as it is, unless a \`failure\` names it in its \`statuses\`, with a path or text.`];
}

/** The shape of a success, or where the answer speaks of a failure, of a refusal. */
function answerLines(status: number, answer: Answer, outcomes: readonly Outcome[]): Lines | undefined {
  const [outcome] = outcomes;
  const isNo = outcome?.state === 'rejected' || answer.members.some(saysNo);
  const means = isNo ? 'failure' : 'success';
  if (answer.text !== undefined) {
    const [beginning = ''] = /^[^\s|:;,]+/.exec(answer.text) ?? [];
    const text = `^${beginning.replaceAll(/[^\w\s]/g, '\\$&')}\\b`;
    return { [table.saidIn(answer.text) === 'failed' ? 'failure' : means]: { text } };
  }
  if (answer.value === undefined) return { [means]: { statuses: [status] } };
  const { each, sign, paths } = itemIn(answer.members, ['status', 'code'], outcomes.length === 1);
  const shape = {
    path: paths.status ?? paths.code ?? paths.id,
    ...(sign && { values: [String(sign.value)] }),
  };
  const described = { ...(!isNo && status === 202 && { statuses: [202] }), ...shape };
  if (shape.path === undefined) return undefined;
  if (each === undefined)
    return { [means]: described, ...(paths.id !== undefined && { messageId: paths.id }) };
  return { each: { path: each, number: paths.number, id: paths.id, [means]: described } };
}

function saysNo({ key, value }: Member): boolean {
  return (table.STATUS_KEY.test(key) || table.FLAGS.has(key)) && table.saidIn(String(value)) === 'failed';
}

function webhookLines(members: readonly Member[], events: readonly WebhookEvent[]): Lines | undefined {
  const { each, paths, sign, event } = itemIn(members, ['status', 'text']);
  if (sign === undefined) return undefined;
  const when = event && { path: written(event.way), values: [String(event.value)] };
  const isReport =
    events[0]?.kind === 'report' || (events[0]?.kind === 'unknown' && roleOf(sign) === 'status');
  const { number, id, status, code, text } = paths;
  if (!isReport) return { replies: { each, when, id, sender: number, text } };
  const words =
    table.saidIn(String(sign.value)) === undefined ? { delivered: [String(sign.value)] } : undefined;
  return { reports: { each, when, id, number, status, code, words } };
}

/**
 * The first item with a sign, and where its parts stand: from the item on, where it is one of a list.
 *
 * @param isNumbered whether it is one of a list only where it names a number
 */
function itemIn(members: readonly Member[], signs: readonly Role[], isNumbered = false) {
  const found = signs.map((role) => members.find((one) => roleOf(one) === role));
  const sign = found.find((one) => one !== undefined);
  const list = (sign?.way.findLastIndex((step) => typeof step === 'number') ?? -1) + 1;
  const around = sign?.way.slice(0, list) ?? [];
  const inside = members.filter(({ way }) => around.every((step, at) => way[at] === step));
  const depth = isNumbered && !inside.some((one) => roleOf(one) === 'number') ? 0 : list;
  const paths: Partial<Record<Role, string>> = {};
  for (const one of inside) {
    const role = roleOf(one);
    if (role !== undefined) paths[role] ??= written(one.way.slice(depth));
  }
  const event = list === 0 ? members.find((one) => roleOf(one) === 'event') : undefined;
  return { each: depth === 0 ? undefined : written(around), paths, sign, event };
}
