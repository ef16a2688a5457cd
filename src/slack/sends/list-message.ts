import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { SendReport } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import {
  button,
  hinting,
  mention,
  moment,
  option,
  searchedSelect,
  section,
  select,
} from '../kit/blocks/blocks.ts';
import { type ListedSend, sendLines } from '../kit/cards/listed-sends.ts';
import type { ClickArguments } from '../kit/clicks/arguments.ts';
import { blockIdOf, FILTERS, type ListQuery, writeListQuery } from './query.ts';

export const LOOK_ACTION = 'sends_look';
/** What follows says which list: its button carries the query. */
export const SHOW_ACTION = 'sends_show:';
/** What follows says what the menu narrows down: `filter`, `person` or `day`. */
export const NARROW_ACTION = 'sends_narrow:';
export const TEMPLATE_ACTION = 'sends_template';

/** Sends on one page. */
export const PAGE = 10;
const ANY = 'any';

/** One page of sends, newest first, each with a button that shows it in full, and below them what narrows them down. */
export function listMessage(query: ListQuery, sends: readonly ListedSend[], more: boolean) {
  const text = sends.length === 0 ? noneText(query) : `${titleOf(query)}, newest first:`;
  const oldest = sends.at(-1)?.send.createdAt;
  return {
    text,
    blocks: [
      section(text),
      ...sends.map(line),
      menus(query, more ? oldest : undefined),
    ] satisfies KnownBlock[],
  };
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

function line(listed: ListedSend): KnownBlock {
  const { send } = listed;
  const small = `${send.id} · ${mention(send.origin.userId)} · ${moment(send.createdAt)}`;
  return { ...section(`${sendLines(listed)}\n${small}`), accessory: lookButton(listed) };
}

export function lookButton({ send }: Pick<SendReport, 'send'>) {
  return button(LOOK_ACTION, 'Look', send.id);
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

/** A query after something was chosen in one of its menus. */
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
