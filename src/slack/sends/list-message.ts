import type { ActionsBlock, KnownBlock } from '@slack/types';
import { KINDS } from '../../messages/kinds.ts';
import type { Delivery, StoredCustomerEvent } from '../../sends/replies/ports.ts';
import type { SendReport } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { truncate } from '../connection/limits.ts';
import {
  actions,
  button,
  context,
  hinting,
  mention,
  option,
  searchedSelect,
  section,
  select,
} from '../kit/blocks/blocks.ts';
import { type Cell, table } from '../kit/blocks/table.ts';
import { masked } from '../kit/cards/answer-control.ts';
import { becameOf, type ListedSend, whatListed } from '../kit/cards/listed-sends.ts';
import { becameOfOne, inShort, SEND_STATES, shown, tallyOf } from '../kit/cards/words.ts';
import type { ClickArguments } from '../kit/clicks/arguments.ts';
import { blockIdOf, FILTERS, type ListQuery, writeListQuery } from './query.ts';

export const LOOK_ACTION = 'sends_look';
/** A name follows that says which list: its button carries the query. */
export const SHOW_ACTION = 'sends_show:';
/** A name follows that says what the menu narrows down: `filter`, `person` or `day`. */
export const NARROW_ACTION = 'sends_narrow:';
export const TEMPLATE_ACTION = 'sends_template';

/** Sends in one table: as many as a message holds at their longest. */
export const TABLE_SENDS = 40;
const LONGEST = { what: 60, became: 60, text: 30 };
const COLUMNS = ['Reference', 'Asked for', 'By', 'What', 'Recipients', 'What became of it', 'Text'];

const ANY = 'any';

/**
 * Sends in a table, newest first, and below them what narrows them down.
 *
 * @param more there are others that are older
 * @param zone the reader's
 */
export function listMessage(query: ListQuery, sends: readonly ListedSend[], more: boolean, zone: string) {
  const text = sends.length === 0 ? noneText(query) : `${titleOf(query)}, newest first:`;
  const oldest = more ? sends.at(-1)?.send.createdAt : undefined;
  const rows = sends.map((one) => row(one, zone));
  const choices = sends.map((one) => ({ id: one.send.id, what: whatListed(one) }));
  const blocks: KnownBlock[] = [
    section(text),
    ...table('Sends, newest first', COLUMNS, rows),
    ...lookMenu(choices),
    menus(query, oldest),
  ];
  return { text, blocks };
}

function titleOf(query: ListQuery): string {
  const { whose } = query;
  const owner =
    whose === 'mine' ? 'Your sends' : whose === 'all' ? 'Everyone’s sends' : `Sends of ${mention(whose)}`;
  return owner + narrowed(query);
}

function noneText(query: ListQuery): string {
  const { whose, before } = query;
  const older = before === undefined ? '' : ' older';
  if (whose === 'mine')
    return `You have no${older} sends${narrowed(query)}. \`/sends all\` lists everyone’s.`;
  const by = whose === 'all' ? '' : ` of ${mention(whose)}`;
  return `There are no${older} sends${by}${narrowed(query)}.`;
}

function narrowed({ filters = [], template, day }: ListQuery): string {
  const parts = [
    ...filters,
    ...(template === undefined ? [] : [`template ${escapeMrkdwn(template, 80)}`]),
    ...(day === undefined ? [] : [day]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** @param oldest when the last of this page was asked for, where there is another page */
function menus(query: ListQuery, oldest: number | undefined): ActionsBlock {
  const { whose, filters = [], template, day } = query;
  const [filter, ...others] = filters;
  const isNarrow = narrowed(query) !== '';
  const options = [option('Any outcome', ANY), ...Object.keys(FILTERS).map(filterOption)];
  const show = (name: string, words: string, shown: ListQuery) =>
    button(SHOW_ACTION + name, words, writeListQuery(shown));
  return {
    type: 'actions',
    block_id: blockIdOf(query),
    elements: [
      ...(oldest === undefined ? [] : [show('older', 'Show older', { ...query, before: oldest })]),
      select(`${NARROW_ACTION}filter`, options, others.length > 0 ? undefined : filter, 'Any outcome'),
      {
        type: 'users_select',
        action_id: `${NARROW_ACTION}person`,
        ...hinting('Anybody'),
        ...(whose === 'mine' || whose === 'all' ? {} : { initial_user: whose }),
      },
      searchedSelect(TEMPLATE_ACTION, template ? option(template, template) : undefined, 'Any template'),
      {
        type: 'datepicker',
        action_id: `${NARROW_ACTION}day`,
        ...hinting('Any day'),
        ...(day === undefined ? {} : { initial_date: day }),
      },
      ...(whose === 'mine' && !isNarrow ? [] : [show('mine', 'Mine', { whose: 'mine' })]),
      ...(whose === 'all' && !isNarrow ? [] : [show('all', 'Everyone’s', { whose: 'all' })]),
    ],
  };
}

function filterOption(word: string) {
  return option(word.charAt(0).toUpperCase() + word.slice(1), word);
}

export function narrowedBy(
  query: ListQuery,
  { action_id, selected_option, selected_user, selected_date }: ClickArguments['action'],
): ListQuery {
  const value = selected_option?.value;
  switch (action_id) {
    case TEMPLATE_ACTION:
      return { ...query, template: value };
    case `${NARROW_ACTION}person`:
      return { ...query, whose: selected_user ?? 'all' };
    case `${NARROW_ACTION}day`:
      return { ...query, day: selected_date ?? undefined };
    default:
      return { ...query, filters: value === undefined || value === ANY ? undefined : [value] };
  }
}

function lookMenu(sends: readonly { readonly id: string; readonly what: string }[]): KnownBlock[] {
  const choices = sends.map(({ id, what }) => option(`${id} ${what}`, id));
  return choices.length === 0 ? [] : actions([select(LOOK_ACTION, choices, undefined, 'Look at one…')]);
}

function momentCell(at: number, zone: string): Cell {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  return [at, local.toString({ smallestUnit: 'minute' }).replace('T', ' ')];
}

function row(listed: ListedSend, zone: string) {
  const { send, reached } = listed;
  const { mark, words } = becameOf(send, reached);
  const { all } = tallyOf(send.counts);
  return [
    send.id,
    momentCell(send.createdAt, zone),
    { type: 'user', user_id: send.origin.userId },
    truncate(whatListed(listed), LONGEST.what),
    [all, shown(all)],
    truncate(`${mark} ${words}`, LONGEST.became),
    truncate(inShort(send), LONGEST.text),
  ] as const;
}

/** Characters of what was said to or by one number. */
const SHOWN_TEXT = 300;
const HISTORY_COLUMNS = ['Reference', 'When', 'What', 'What became of it', 'Text', 'By'];

/** A message that was to go to one number, with what was reported of it. */
interface SentToNumber extends SendReport {
  readonly delivery: Delivery | undefined;
}

interface NumberHistory {
  /** As this person may see it. */
  readonly number: string;
  readonly sent: readonly SentToNumber[];
  readonly answers: readonly StoredCustomerEvent[];
  /** There is more of either than is shown. */
  readonly more: boolean;
  /** Only the person's own sends were looked through. */
  readonly own: boolean;
}

/**
 * Lists what was sent to a number and what it answered, newest first, as one conversation.
 *
 * @param zone the reader's
 */
export function numberMessage({ number, sent, answers, more, own }: NumberHistory, zone: string) {
  const rows = [...sent.map(sentRow), ...answers.map(answerRow)]
    .toSorted((one, other) => other.at - one.at)
    .map(({ at, cells: [reference, ...cells] }) => [reference, momentCell(at, zone), ...cells]);
  const whose = own ? ' in your sends' : '';
  const text =
    rows.length === 0
      ? `There is nothing to or from ${number}${whose}.`
      : `What was sent to ${number} and what it answered${whose}, newest first:`;
  const notes = [
    ...(more ? ['Older ones are not shown.'] : []),
    ...(own ? ['Approvers, and who was given the right to, see the sends of all.'] : []),
  ];
  const blocks: KnownBlock[] = [
    section(text),
    ...table('Messages and answers', HISTORY_COLUMNS, rows),
    ...lookMenu(sent.map(({ send }) => ({ id: send.id, what: KINDS[send.kind].title }))),
    ...(notes.length === 0 ? [] : [context(notes.join(' '))]),
  ];
  return { text, blocks };
}

function sentRow({ send, recipient, delivery }: SentToNumber) {
  const at = recipient.settledAt ?? recipient.attemptedAt ?? send.createdAt;
  const was = (...statuses: Delivery['status'][]) => (delivery && statuses.includes(delivery.status) ? 1 : 0);
  const reached = { delivered: was('delivered', 'read'), read: was('read'), failed: was('failed') };
  const isWaiting = recipient.state === 'pending' && send.state !== 'sending';
  const { mark, words } = isWaiting ? SEND_STATES[send.state] : becameOfOne(recipient.state, reached);
  const by = { type: 'user', user_id: send.origin.userId } as const;
  const text = truncate(inShort(send), SHOWN_TEXT);
  return { at, cells: [send.id, KINDS[send.kind].title, `${mark} ${words}`, text, by] as const };
}

/** The words of a customer are foreign, and may name other numbers. */
function answerRow({ event, label, sendId = '', receivedAt: at }: StoredCustomerEvent) {
  const said =
    event.kind === 'reply'
      ? (label ?? event.title ?? event.replyId)
      : event.kind === 'address'
        ? 'gave an address'
        : event.text;
  return { at, cells: [sendId, '💬 Answer', '', masked(said, SHOWN_TEXT), ''] as const };
}
