import type { types } from '@slack/bolt';
import { columnsUsed } from '../../../messages/columns.ts';
import type { Message } from '../../../messages/kinds.ts';
import { countryName, maskNumber } from '../../../messages/numbers/phone-number.ts';
import { isSameForAll, personalise, personalTexts } from '../../../messages/personalise.ts';
import type { RecipientRow, Send } from '../../../sends/send.ts';
import { literalMrkdwn, showInvisible } from '../../connection/escape.ts';
import { context, mention, moment, type Room, warnings, wholeSection } from '../blocks/blocks.ts';
import { type Cell, rowCell, table } from '../blocks/table.ts';
import { messageBlocks, wordsNote } from '../cards/message-blocks.ts';
import { duration, oneLine, people, RETRY_GROUPS, repeatLines, shown } from '../cards/words.ts';
import type { DecisionFacts } from './facts.ts';

/*
 * A send to many in a few lines: whoever asks for it sees it before, and whoever decides about it on the card.
 */

const SHOWN_SENTENCE = 350;
const COUNTRIES_SHOWN = 5;
/** Characters of a note at most. */
export const NOTE_MAX_CHARACTERS = 300;

interface Around {
  /** Says how much of it does not fit, and where it can be read. */
  readonly whole: (left: number) => readonly types.KnownBlock[];
  /** Lines after the facts; e.g. how many rows were left out. */
  readonly lines?: readonly string[];
  /** The place in the sample of whoever reads the message. */
  readonly at?: number;
  /** Says where the others of the sample are read. */
  readonly others?: string;
}

/** The message as its reader gets it, how many, what it costs and when, who asked, and what a machine found. */
export function decisionBlocks(
  facts: DecisionFacts,
  room: Room,
  { whole, lines = [], at = 0, others = '' }: Around,
) {
  const { send, template } = facts;
  const waits = send.state === 'awaiting_approval';
  const message = shownMessage(facts, room, { at, asSeen: true, others });
  const different = waits ? shownOthers(facts, room, 'different') : [];
  const found = facts.warnings.map((warning) => literalMrkdwn(warning, SHOWN_SENTENCE));
  return [
    ...message,
    ...wordsNote(send, template),
    ...different,
    ...(room.left() > 0 ? whole(room.left()) : []),
    wholeSection([factsLine(facts), ...sendersLine(facts), askedBy(send)].join('\n')),
    // First come those who get the same once more.
    ...warnings([...repeatLines(facts.repeats, { asker: send.origin.userId }), ...found]),
    ...(lines.length === 0 ? [] : [wholeSection(lines.join('\n'))]),
  ];
}

/** `India 3,000 · about ₹1,050.00 · 1 min · starts once two have approved` */
function factsLine(facts: DecisionFacts): string {
  const { send, estimate, durationMs } = facts;
  return [
    countriesText(facts),
    ...costText(estimate),
    ...partsText(estimate),
    duration(durationMs),
    ...(send.state === 'awaiting_approval' ? [`starts ${startWords(facts)}`] : []),
  ].join(' · ');
}

const WORDS = ['', '', 'two have ', 'three have ', 'four have ', 'five have '];

function startWords({ send: { startAt, approval }, held }: DecisionFacts): string {
  const needed = approval?.needed ?? 0;
  const approved = needed === 0 ? [] : [`once ${WORDS[needed] ?? `${needed} have `}approved`];
  const quiet = held.length > 0 ? ' and quiet hours let it' : '';
  if (startAt !== undefined) return [moment(startAt), ...approved].join(', ');
  return `${approved[0] ?? 'at once'}${quiet}`;
}

/** Says by whom it was asked and why; for a retry also for whom. */
export function askedBy({ origin, createdAt, note, retryGroup, retryOf }: Send): string {
  const why =
    note === undefined
      ? `, ${moment(createdAt)}`
      : `: “${literalMrkdwn(oneLine(note), 2 * NOTE_MAX_CHARACTERS)}”`;
  const again = retryGroup ? ` · goes to ${RETRY_GROUPS[retryGroup]} by ${retryOf}` : '';
  // In the review nobody has asked for it yet.
  const who = origin.userId === '' ? 'You' : mention(origin.userId);
  return `${who} in <#${origin.channelId}>${why}${again}`;
}

/** `Senders: ACMEIN for India 1,200 · ACME for others 300`; of one sender none. */
function sendersLine({ send: { message }, countries, exact }: DecisionFacts): string[] {
  const { sender, senders = {} } = 'senders' in message ? message : {};
  const byId = Map.groupBy(Object.entries(countries), ([code]) => senders[code] ?? sender ?? '');
  const parts = [...byId].map(([id, of]) => {
    const text = countriesText({ countries: Object.fromEntries(of), exact });
    const many = shown(of.reduce((sum, [, count]) => sum + count, 0));
    return `${literalMrkdwn(id, SHOWN_SENTENCE)} for ${id === sender ? `others ${many}` : text}`;
  });
  return parts.length < 2 ? [] : [`Senders: ${parts.join(' · ')}`];
}

function countriesText({ countries, exact }: Pick<DecisionFacts, 'countries' | 'exact'>): string {
  const named = Object.entries(countries)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ name: code === '?' ? 'no country' : countryName(code), count }));
  const first = named.slice(0, COUNTRIES_SHOWN).map(({ name, count }) => `${name} ${shown(count)}`);
  const rest = named.slice(COUNTRIES_SHOWN).reduce((sum, { count }) => sum + count, 0);
  const more = rest === 0 ? [] : [`elsewhere ${shown(rest)}`];
  return `${exact || named.length === 1 ? '' : 'about '}${[...first, ...more].join(', ') || people(0)}`;
}

function costText({ cost, exact }: DecisionFacts['estimate']): string[] {
  if (cost === undefined) return [];
  const { currency } = cost;
  // Not “en”, where a US dollar is “$” alone, as dollars of other countries are to those who use them.
  const amount = cost.amount.toLocaleString('en-001', { style: 'currency', currency });
  const without = cost.unpriced.map((code) => (code === '?' ? 'no country' : countryName(code)));
  return [
    `${exact ? '' : 'about '}${amount}${without.length === 0 ? '' : ` without ${without.join(', ')} (no price)`}`,
  ];
}

/** Said only where a message is longer than one. */
function partsText({ segments }: DecisionFacts['estimate']): string[] {
  if (segments === undefined || segments.most === 1) return [];
  return [`${eachText(segments)} SMS each`];
}

/** `2`, `1 to 3` */
export function eachText({ fewest, most }: { readonly fewest: number; readonly most: number }): string {
  return fewest === most ? shown(most) : `${shown(fewest)} to ${shown(most)}`;
}

/** Characters of a row besides its values, with the names of columns. */
const ROW_AROUND = 60;

/** The facts of a send that are shown here; the first of the sample reads the message as shown. */
type ShownFacts = Pick<DecisionFacts, 'send' | 'template' | 'sample'>;

/** The message as one recipient reads it, or as it was typed where there is none to be sent to. */
export function asRead(send: Send, row: RecipientRow | undefined): Message {
  return row === undefined
    ? send.message
    : personalise(send.message, send.audience?.columns ?? [], row.values ?? []);
}

/**
 * The message as one of the sample reads it, with everything that it leads to, and who that is.
 *
 * @param others where the others of the sample are read
 */
export function shownMessage(
  { send, template, sample }: ShownFacts,
  room: Room,
  { at = 0, asSeen = false, others = '' } = {},
): readonly types.KnownBlock[] {
  const row = sample[at];
  const message = messageBlocks(asRead(send, row), template, room, { asSeen });
  if (message.length === 0 || (row !== undefined && isSameForAll(send.message))) return message;
  const more = sample.length > 1 && others !== '' ? ` · ${others}` : '';
  return [...message, context(`${readerLine(send, row)}${more}`)];
}

/** Says for whom it was filled in, and among how many texts. */
function readerLine(send: Send, row: RecipientRow | undefined): string {
  if (row === undefined) return 'As it was written; nobody is left to send it to.';
  const { texts } = send.survey ?? {};
  const isOne = texts === undefined || (texts.count === 1 && !texts.more);
  const { extreme: which = 'one', alike } = remarksOn(send, row);
  const among = isOne ? '' : `, ${which} of ${texts.more ? 'more than ' : ''}${shown(texts.count)} texts`;
  return `row ${shown(row.row)}, ${maskNumber(row.number)}${among}${alike === undefined ? '' : `, ${alike}`}`;
}

/** Which of the texts of a survey a row has, and how many say the same. */
function remarksOn({ survey }: Send, { row }: RecipientRow): { extreme?: string; alike?: string } {
  const { why, alike } = survey?.rows.find((one) => one.row === row) ?? {};
  const same = alike === 1 ? 'the only row that says this' : `one of ${shown(alike ?? 0)} rows that say this`;
  return { ...(why && { extreme: `the ${why}` }), ...(alike !== undefined && { alike: same }) };
}

/**
 * The others of the sample, the most different first, masked, each with all that the message takes of its row.
 *
 * @param which `different`: only those whose values say something else than most
 */
export function shownOthers(
  { send, sample }: ShownFacts,
  room: Room,
  which: 'all' | 'different' = 'all',
): readonly types.KnownBlock[] {
  const all = send.audience?.columns ?? [];
  const used = [...new Set(personalTexts(send.message).flatMap(columnsUsed))];
  const differs = (recipient: RecipientRow) => remarksOn(send, recipient).alike !== undefined;
  const others = sample.slice(1).toSorted((one, other) => Number(differs(other)) - Number(differs(one)));
  const rows = others
    .filter((one) => which === 'all' || differs(one))
    .flatMap((recipient): Cell[][] => {
      const { row, number, values = [] } = recipient;
      const remark = Object.values(remarksOn(send, recipient)).join(', ');
      const cells = [remark, ...used.map((column) => values[all.indexOf(column)] ?? '')];
      const length = cells.reduce((sum, one) => sum + showInvisible(one).length, ROW_AROUND);
      return room.take(length) ? [[rowCell(row), maskNumber(number), ...cells]] : [];
    });
  const where = send.survey === undefined ? '' : ', from all over the list';
  return table(`Other recipients${where}`, ['Row', 'Number', 'Remark', ...used], rows);
}
