import type { KnownBlock } from '@slack/types';
import { given } from '../../core/given.ts';
import { LATE } from '../../core/within.ts';
import { maskNumber, parsePhoneNumber } from '../../messages/numbers/phone-number.ts';
import { TEMPLATE_CHANNELS } from '../../messages/templates/template.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { option } from '../kit/blocks/blocks.ts';
import { listedSends } from '../kit/cards/listed-sends.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { clickerOf } from '../kit/clicks/answering.ts';
import type {
  ClickArguments,
  ClickHandler,
  CommandHandler,
  SuggestionHandler,
} from '../kit/clicks/arguments.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import type { SlackServices } from '../kit/services.ts';
import { searchTemplates } from '../kit/templates/find-template.ts';
import { auditFile } from './audit.ts';
import { listMessage, narrowedBy, numberMessage, TABLE_SENDS } from './list-message.ts';
import { FILTERS, type ListQuery, readListQuery, readQuery, type SendsQuery, withoutNames } from './query.ts';

/** Rows of what was sent to a number, and as many of what it answered. */
const PAGE = 10;

export interface SendsServices extends SlackServices {
  /** One send in full, as this person may act on it; undefined when there is none. */
  readonly oneSend: (sendId: string, userId: string) => Promise<Card | undefined>;
}

type Asked = Pick<ClickArguments, 'respond'> & ReturnType<typeof clickerOf>;

/**
 * `/sends [mine | all | @person] [filter …] [template] [day]`, `/sends` and a number, `/sends S-…`,
 * `/sends help`, answered to the person alone.
 */
export const handleSendsCommand: CommandHandler<SendsServices> = async (
  { command, ack, respond, help },
  services,
) => {
  await ack();
  const asked = { userId: command.user_id, teamId: command.team_id, respond };
  const query = readQuery(typedText(slackPieces(withoutNames(command.text))));
  switch (query.ask) {
    case 'list': {
      const { template } = query.list;
      return template === undefined || (await isTemplate(template, services))
        ? showList(query.list, asked, services)
        : say(asked, notUnderstood(template));
    }
    case 'one':
      return showOne(query.sendId, asked, services);
    case 'number':
      return showNumber(query, asked, services);
    case 'help':
      return say(asked, help);
    case 'not_understood':
      return say(asked, notUnderstood(query.word));
  }
};

function notUnderstood(word: string): string {
  const person = word.startsWith('@') ? ' A person is chosen from the menu below a list.' : '';
  return `Herald does not know “${escapeMrkdwn(word, 80)}” here.${person} \`/sends help\` lists what it knows.`;
}

async function isTemplate(name: string, { catalogue }: SendsServices): Promise<boolean> {
  const found = await Promise.all(TEMPLATE_CHANNELS.map((channel) => catalogue.find(channel, name)));
  return found.some((template) => template !== undefined);
}

export const HELP = [
  '`/sends` lists your sends, `/sends all` everyone’s, `/sends @person` one person’s, newest first.',
  `A word narrows it down, e.g. \`/sends all failed\`: ${Object.keys(FILTERS).join(', ')}. So does the name of a template, and a day: today, yesterday or 2026-11-21. The menus below the list do the same.`,
  '`/sends +919812345678` shows what was sent to a number and what it answered: in your own sends, or in everyone’s for approvers and whoever was given the right to.',
  '`/sends S-7K2M9QX4TB` shows one in full: what it sends, how far it is, who did what, and what you can do about it.',
];

export const handleLook: ClickHandler<SendsServices> = (args, services) =>
  showOne(args.action.selected_option?.value ?? '', askedBy(args), services);

export const handleShow: ClickHandler<SendsServices> = async (args, services) =>
  showList(readListQuery(args.action.value ?? ''), askedBy(args), services);

/** A menu below a list: the list it makes stands in the place of that one. */
export const handleNarrow: ClickHandler<SendsServices> = async (args, services) => {
  const query = narrowedBy(readListQuery(args.action.block_id), args.action);
  await showList(query, askedBy(args), services, true);
};

export const handleTemplateNames: SuggestionHandler<SendsServices> = async ({ body, ack }, services) => {
  const most = Math.floor(LIMITS.selectOptions / TEMPLATE_CHANNELS.length);
  const found = await Promise.all(
    TEMPLATE_CHANNELS.map((channel) => searchTemplates(channel, body.value, most, services)),
  );
  const names = new Set(found.flatMap((some) => (some === LATE ? [] : some.map(({ name }) => name))));
  await ack({ options: [...names].map((name) => option(name, name)) });
};

function askedBy({ body, respond }: ClickArguments): Asked {
  return { ...clickerOf({ body }), respond };
}

async function say(
  { respond }: Pick<Asked, 'respond'>,
  text: string,
  blocks?: KnownBlock[],
  instead = false,
): Promise<void> {
  const message = { text, ...given({ blocks }) };
  if (instead) await respond({ replace_original: true, ...message });
  else await respond({ response_type: 'ephemeral', replace_original: false, ...message });
}

async function showList(query: ListQuery, asked: Asked, services: SendsServices, instead = false) {
  const { userId } = asked;
  const { store, access } = services;
  const whose = query.whose === userId ? 'mine' : query.whose;
  const why = whose === 'mine' ? undefined : await access.whyNot({ to: 'sends' }, asked);
  if (why !== undefined) return say(asked, why);
  const day = query.day === undefined ? undefined : await dayOf(query.day, userId, services);
  const became = (query.filters ?? []).map((filter) => FILTERS[filter] ?? {});
  const states = became.flatMap((one) => one.states ?? []);
  const found = await store.list({
    userId: whose === 'all' ? undefined : whose === 'mine' ? userId : whose,
    states: states.length === 0 ? undefined : states,
    outcomes: became.flatMap((one) => one.outcomes ?? []),
    template: query.template,
    since: day?.from,
    before: Math.min(query.before ?? Number.MAX_SAFE_INTEGER, day?.to ?? Number.MAX_SAFE_INTEGER),
    limit: TABLE_SENDS + 1,
  });
  const listed = await listedSends(found.slice(0, TABLE_SENDS), services);
  const shown = { ...query, whose, day: day?.date };
  const zone = await services.timeZoneOf(userId);
  const { text, blocks } = listMessage(shown, listed, found.length > TABLE_SENDS, zone);
  await say(asked, text, blocks, instead);
}

async function dayOf(day: string, userId: string, services: SendsServices) {
  const zone = await services.timeZoneOf(userId);
  const today = Temporal.Instant.fromEpochMilliseconds(services.clock.now()).toZonedDateTimeISO(zone);
  const date =
    day === 'today' || day === 'yesterday'
      ? today.toPlainDate().subtract({ days: day === 'today' ? 0 : 1 })
      : Temporal.PlainDate.from(day);
  const startOf = (one: Temporal.PlainDate) => one.toZonedDateTime(zone).epochMilliseconds;
  return { date: date.toString(), from: startOf(date), to: startOf(date.add({ days: 1 })) };
}

/** Whoever may not have whole numbers of everybody’s sends finds what they sent themselves. */
async function showNumber(
  { number: typed, whose }: Extract<SendsQuery, { ask: 'number' }>,
  asked: Asked,
  { store, answers, access, defaults, timeZoneOf }: SendsServices,
): Promise<void> {
  const parsed = parsePhoneNumber(typed, defaults.country);
  if (!parsed.ok) return say(asked, escapeMrkdwn(parsed.error));
  const number = parsed.value;
  const own = whose === 'mine' || (await access.whyNot({ to: 'reports' }, asked)) !== undefined;
  const finding = { limit: PAGE + 1, ...(own && { userId: asked.userId }) };
  const [reports, events] = await Promise.all([
    store.sentTo(number, finding),
    answers.answersOf(number, finding),
  ]);
  const sent = await Promise.all(
    reports.slice(0, PAGE).map(async (report) => {
      const { sendId, row } = report.recipient;
      const [delivery] = await answers.deliveries(sendId, row, row);
      return { ...report, delivery };
    }),
  );
  const more = reports.length > PAGE || events.length > PAGE;
  const shown = own ? maskNumber(number) : number;
  const message = { number: shown, sent, answers: events.slice(0, PAGE), more, own };
  const { text, blocks } = numberMessage(message, await timeZoneOf(asked.userId));
  await say(asked, text, blocks);
}

async function showOne(sendId: string, asked: Asked, services: SendsServices): Promise<void> {
  const card = await services.oneSend(sendId, asked.userId);
  if (card === undefined)
    return say(asked, `There is no send ${escapeMrkdwn(sendId, 40)}. \`/sends\` lists yours.`);
  await say(asked, card.text, card.blocks);
}

export const handleAudit: CommandHandler<SendsServices> = async ({ command, ack, respond }, services) => {
  await ack();
  const file = await auditFile(services);
  const sent = await services.files.sendTo(command.user_id, 'The record of who did what:', file);
  await say({ respond }, sent.ok ? 'The file was sent to you directly.' : sent.error.sentence);
};
