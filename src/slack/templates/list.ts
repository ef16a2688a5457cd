import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { given } from '../../core/given.ts';
import { templateKindLabel, templateKindOf } from '../../messages/templates/form.ts';
import { TEMPLATE_CHANNELS, type Template } from '../../messages/templates/template.ts';
import { keyOf, type StoredTemplate } from '../../sends/templates/store.ts';
import { literalMrkdwn } from '../connection/escape.ts';
import {
  actions,
  button,
  context,
  input,
  option,
  saying,
  section,
  select,
  textInput,
} from '../kit/blocks/blocks.ts';
import { LOOK_ACTION } from '../kit/cards/template-of.ts';
import type { ClickArguments, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { readState } from '../kit/forms/read-state.ts';
import { NO_TEMPLATES, NOTHING_FITS } from './sentences.ts';
import {
  type Carried,
  type Catalogue,
  carriedIn,
  carry,
  channelOf,
  inPlace,
  noteBlocks,
  shell,
} from './windows.ts';

export const LIST_VIEW = 'templates_list';
export const QUERY_FIELD = 'query';
export const CHANNEL_FIELD = 'channel';
export const STATE_FIELD = 'state';
export const EARLIER_ACTION = 'templates_earlier';
export const LATER_ACTION = 'templates_later';
export const ALL_ACTION = 'templates_all';
export const ADD_ACTION = 'template_add';
export const IMPORT_ACTION = 'templates_import';
export const EXPORT_ACTION = 'templates_export';

const PAGE = 15;
const SHOWN_TEXT = 120;
const SHOWN_LABEL = 100;

export interface ListQuery extends Carried<'list'> {
  readonly query: string;
  readonly channel?: Template['channel'];
  readonly archived: boolean;
  readonly note?: string;
}

export function wholeList(channelId: string | undefined, query = ''): ListQuery {
  return { channelId, query, archived: false, skip: 0 };
}

const CHANNELS = [
  ['all', 'All channels'],
  ['chatapp', 'Chat-app'],
  ['rcs', 'RCS'],
  ['sms', 'SMS'],
] as const;
const STATES = [
  ['offered', 'Offered in forms'],
  ['archived', 'Archived'],
] as const;

export async function listView(asked: ListQuery, { templates }: Catalogue): Promise<ModalView> {
  const { query, channel, archived, note, channelId } = asked;
  const page = (skip: number) =>
    templates.page({ query, archived, skip, limit: PAGE, ...given({ channel }) });
  // A page that fewer templates fit than before lies beyond the end: then the first one is shown.
  const wished = await page(asked.skip);
  const beyond = wished.found.length === 0 && asked.skip > 0;
  const { found, total } = beyond ? await page(0) : wished;
  const skip = beyond ? 0 : asked.skip;
  const look = { maxLength: SHOWN_TEXT, placeholder: 'Name, label or text; press Enter' };
  const search = {
    ...textInput(`templates_${QUERY_FIELD}`, { ...look, initial: query.slice(0, SHOWN_TEXT).toWellFormed() }),
    dispatch_action_config: { trigger_actions_on: ['on_enter_pressed' as const] },
  };
  const everything = query === '' && channel === undefined && !archived;
  return shell({
    callbackId: LIST_VIEW,
    title: 'Templates',
    submit: 'Search',
    metadata: carry('list', { channelId, skip }),
    blocks: [
      ...noteBlocks(note),
      input(QUERY_FIELD, 'Search', search, { optional: true, dispatch_action: true }),
      menu(CHANNEL_FIELD, 'Channel', CHANNELS, channel ?? 'all'),
      menu(STATE_FIELD, 'State', STATES, archived ? 'archived' : 'offered'),
      ...(found.length === 0 ? [saying(everything ? NO_TEMPLATES : NOTHING_FITS)] : found.map(line)),
      ...paging(skip, found.length, total),
      ...actions(
        [
          button(ADD_ACTION, 'Add a template', 'new', { style: 'primary' }),
          button(IMPORT_ACTION, 'Import a file', 'import'),
          button(EXPORT_ACTION, 'Export', 'export'),
        ],
        'whole',
      ),
    ],
  });
}

function menu(
  id: string,
  label: string,
  choices: readonly (readonly [string, string])[],
  chosen: string,
): InputBlock {
  const options = choices.map(([value, text]) => option(text, value));
  return input(id, label, select(`templates_${id}`, options, chosen), { dispatch_action: true });
}

function line({ template }: StoredTemplate): KnownBlock {
  const { label, name, text } = template;
  const shown = text === undefined ? '' : `\n${literalMrkdwn(text.replaceAll('\n', ' '), SHOWN_TEXT)}`;
  return {
    ...section(
      `*${literalMrkdwn(label, SHOWN_LABEL)}*  \`${name}\` · ${templateKindLabel(templateKindOf(template))}${shown}`,
    ),
    accessory: button(LOOK_ACTION, 'Look', keyOf(template)),
  };
}

function paging(skip: number, found: number, total: number): KnownBlock[] {
  if (total <= PAGE) return [];
  const elements = [
    ...(skip > 0 ? [button(EARLIER_ACTION, 'Earlier', String(Math.max(0, skip - PAGE)))] : []),
    ...(skip + found < total ? [button(LATER_ACTION, 'More', String(skip + found))] : []),
  ];
  return [
    context(`${skip + 1} to ${skip + found} of ${total.toLocaleString('en')}`),
    ...actions(elements, 'pages'),
  ];
}

export function listIn(view: ClickArguments['body']['view']): ListQuery {
  const values = readState(view?.state.values ?? {});
  const query = String(values[QUERY_FIELD] ?? '').trim();
  const channel = TEMPLATE_CHANNELS.find((one) => one === values[CHANNEL_FIELD]);
  return {
    ...carriedIn(view, 'list'),
    query,
    archived: values[STATE_FIELD] === 'archived',
    ...given({ channel }),
  };
}

/** A filter was chosen, or Enter pressed in the search. */
export const handleFilter = inPlace(({ body }, catalogue) =>
  listView({ ...listIn(body.view), skip: 0 }, catalogue),
);

export const handlePage = inPlace(({ body, action }, catalogue) =>
  listView({ ...listIn(body.view), skip: Number(action.value ?? 0) }, catalogue),
);

export const handleSearch: SubmissionHandler<Catalogue> = async ({ body, ack }, catalogue) => {
  const view = await listView({ ...listIn(body.view), skip: 0 }, catalogue);
  await ack({ response_action: 'update', view });
};

export const handleAll = inPlace((args, catalogue) => listView(wholeList(channelOf(args)), catalogue));
