import { z } from 'zod';
import type { SendFilter, SendState } from '../../sends/send.ts';
import { readCarried } from '../connection/carried.ts';
import { LIMITS } from '../connection/limits.ts';

export type SendsQuery =
  | { readonly ask: 'list'; readonly list: ListQuery }
  | { readonly ask: 'one'; readonly sendId: string }
  /** Asks what was sent to a number, as typed, and what it answered. */
  | { readonly ask: 'number'; readonly whose?: 'mine' | 'all'; readonly number: string }
  | { readonly ask: 'help' }
  | { readonly ask: 'not_understood'; readonly word: string };

/** A filter by the state of a send, by the outcomes of its recipients, or by either. */
type Became = Pick<SendFilter, 'states' | 'outcomes'>;

/** Words by which sends are filtered, as people type them. */
export const FILTERS: Readonly<Record<string, Became>> = {
  waiting: { states: ['awaiting_approval'] },
  failed: { outcomes: ['rejected', 'not_sent'] },
  unknown: { outcomes: ['unknown'] },
  ...named('approved', 'scheduled', 'sending', 'paused', 'done'),
  rejected: { states: ['rejected'], outcomes: ['rejected'] },
  ...named('expired', 'cancelled', 'stopped'),
  drafts: { states: ['draft'] },
};

function named(...states: readonly SendState[]) {
  return Object.fromEntries(states.map((state) => [state, { states: [state] }]));
}

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['running', 'sending'],
  ['canceled', 'cancelled'],
]);

/** A day of the person who asks: ISO 8601, or by its name. */
const DAY = /^(?:today|yesterday|\d{4}-\d{2}-\d{2})$/;

const listQuerySchema = z.object({
  /** A Slack user id for one person's. */
  whose: z.union([z.enum(['mine', 'all']), z.string().regex(/^[UW][A-Z0-9]+$/)]),
  filters: z.array(z.string().refine((word) => Object.hasOwn(FILTERS, word))).optional(),
  template: z.string().optional(),
  day: z.string().refine(isDay).optional(),
  /** Older than this moment. */
  before: z.number().optional(),
});
export type ListQuery = Readonly<z.infer<typeof listQuerySchema>>;

const WHOSE_WORDS: ReadonlyMap<string, 'mine' | 'all'> = new Map([
  ['mine', 'mine'],
  ['all', 'all'],
  ['everyone', 'all'],
  ['everyones', 'all'],
]);

const SEND_ID = /^S-[0-9A-Z]{10}$/;
/** `<@U0ASHA|asha>`, as Slack writes a mention. */
const LABEL = /(<@[UW][A-Z0-9]+)\|[^<>]*>/g;
/** In capitals, as nobody types a name. */
const MENTION = /^@([UW][A-Z0-9]+)$/;
/** A person without an id, or a wrong date or reference. */
const NO_TEMPLATE = /^@|^\d{4}-|^s-/;
const NUMBER = /^[+(]?\d[\d\s().-]{5,}$/;

/** A command's text as Slack gives it, with mentions of people as ids. */
export function withoutNames(raw: string): string {
  return raw.replaceAll(LABEL, '$1>');
}

/** `[mine | all | @person] [filter …] [template] [day]`, `[mine | all]` a number, a send's reference, or `help`. */
export function readQuery(text: string): SendsQuery {
  const typed = text.split(/[\s,]+/).filter(Boolean);
  const words = typed.map((word) => word.toLowerCase().replaceAll(/[’']/g, ''));
  const [first] = words;
  const id = first?.toUpperCase() ?? '';
  if (SEND_ID.test(id)) return { ask: 'one', sendId: id };
  if (first === 'help') return { ask: first };
  const number = words.filter((word) => !WHOSE_WORDS.has(word)).join(' ');
  const whose = words.map((word) => WHOSE_WORDS.get(word)).find((one) => one !== undefined);
  if (NUMBER.test(number) && !DAY.test(number)) return { ask: 'number', number, ...(whose && { whose }) };
  return readList(typed, words);
}

function readList(typed: readonly string[], words: readonly string[]): SendsQuery {
  const filters: string[] = [];
  let list: ListQuery = { whose: 'mine' };
  for (const [index, word] of words.entries()) {
    const asTyped = typed[index] ?? word;
    const filter = SYNONYMS.get(word) ?? word;
    const whose = WHOSE_WORDS.get(word) ?? MENTION.exec(asTyped)?.[1];
    if (Object.hasOwn(FILTERS, filter)) filters.push(filter);
    else if (whose !== undefined) list = { ...list, whose };
    else if (isDay(word)) list = { ...list, day: word };
    else if (list.template === undefined && !NO_TEMPLATE.test(word)) list = { ...list, template: asTyped };
    else return { ask: 'not_understood', word };
  }
  return { ask: 'list', list: filters.length === 0 ? list : { ...list, filters } };
}

function isDay(word: string): boolean {
  if (!DAY.test(word)) return false;
  try {
    return !/^\d/.test(word) || Temporal.PlainDate.from(word) !== undefined;
  } catch {
    return false;
  }
}

export function writeListQuery(query: ListQuery): string {
  return JSON.stringify(query);
}

export function readListQuery(written: string): ListQuery {
  return readCarried(listQuerySchema, written);
}

/** As the id of the block whose menus narrow it down; a dozen filters, which nobody types, do not fit. */
export function blockIdOf({ before: _, ...query }: ListQuery): string {
  const whole = writeListQuery(query);
  return whole.length <= LIMITS.blockId ? whole : writeListQuery({ ...query, filters: undefined });
}
