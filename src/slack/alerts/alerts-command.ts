import type { KnownBlock, ModalView } from '@slack/types';
import { readRecipient } from '../../messages/form/recipient.ts';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import { misfits, tryRule } from '../../sends/alerts/dry-run.ts';
import { numbersOnFile, onCallAt } from '../../sends/alerts/plan.ts';
import type { NumberOnFile } from '../../sends/alerts/ports.ts';
import type { AlertRule } from '../../sends/alerts/rules.ts';
import type { Alerts } from '../../sends/alerts/service.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { context, input, mention, modal, moment, section, textInput } from '../kit/blocks/blocks.ts';
import { answerClick, clickerOf, ephemeral, openModal } from '../kit/clicks/answering.ts';
import type {
  ClickArguments,
  ClickHandler,
  EphemeralMessage,
  SubmissionHandler,
} from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import type { Entrance } from '../kit/feature/rights.ts';
import { FIELD_ACTION } from '../kit/forms/form-blocks.ts';
import { readState } from '../kit/forms/read-state.ts';
import { withEmoji } from '../kit/message-text/emoji.ts';
import { attempt } from '../kit/posting/attempt.ts';
import type { SlackServices } from '../kit/services.ts';
import { whoOf } from './card.ts';
import { MUTE_MS, rulesMessage, tryMessage } from './rules-message.ts';
import { createSight, readHistory } from './sight.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_MUTE_MS = 7 * DAY_MS;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY_MS };

type By = ReturnType<typeof clickerOf>;

type Act = (rule: AlertRule, by: By, services: SlackServices) => Promise<EphemeralMessage>;

/** Answered to the person alone. */
function answering(
  answer: (rest: string, by: By, services: SlackServices) => Promise<EphemeralMessage>,
): Subcommands<SlackServices>[string]['handle'] {
  return async ({ command, ack, respond }, services, rest) => {
    await ack();
    await respond(await answer(rest, { userId: command.user_id, teamId: command.team_id }, services));
  };
}

const SENDS: Pick<Entrance, 'right'> = { right: () => ({ to: 'sends' }) };

export const ALERTS_SUBCOMMANDS: Subcommands<SlackServices> = {
  alerts: {
    ...SENDS,
    help: '`/herald alerts` lists the rules, whom they reach now, and what is wrong with them.',
    example: '/herald alerts',
    handle: answering(async (rest, _by, services) => (rest === '' ? listRules(services) : ephemeral(help()))),
  },
  'alerts try': {
    ...SENDS,
    help: '`/herald alerts try <rule>` shows what the messages and signals of the last 24 hours would have sent.',
    handle: answering((...asked) => withRule(...asked, tryOn)),
  },
  'alerts mute': {
    ...SENDS,
    help: '`/herald alerts mute <rule> 2h` keeps a rule from sending (`30m`, `2h`, `1d`; at most 7d); `unmute <rule>` ends that.',
    handle: answering(muteFor),
  },
  'alerts unmute': {
    ...SENDS,
    handle: answering((...asked) => withRule(...asked, muting(0))),
  },
  // Whoever is on call may be a guest.
  'alerts numbers': {
    help: '`/herald alerts numbers` shows and changes the numbers on file of Slack users.',
    handle: async (args, services) => {
      await args.ack();
      await openNumbers(args.command.user_id, args, args.command.trigger_id, services);
    },
  },
};

function help(): string {
  return Object.values(ALERTS_SUBCOMMANDS)
    .flatMap((row) => row.help ?? [])
    .join('\n');
}

function onRule(act: Act): ClickHandler<SlackServices> {
  return async (args, services) => {
    const rule = ruleNamed(args.action.value ?? '', services);
    if (rule === undefined) return answerClick(args, 'This rule is no longer in herald.yml.');
    const answer = await act(rule, clickerOf(args), services);
    await args.respond({ replace_original: false, ...answer });
  };
}

export const handleMute = onRule(muting(MUTE_MS));
export const handleUnmute = onRule(muting(0));
export const handleTry = onRule(tryOn);

export const handleNumbersButton: ClickHandler<SlackServices> = (args, services) =>
  openNumbers(clickerOf(args).userId, args, args.body.trigger_id, services);

function ruleNamed(name: string, { alertSettings }: SlackServices): AlertRule | undefined {
  return alertSettings.rules.find((rule) => asTyped(rule.name) === asTyped(name));
}

/** Typed names come with emoji in the place of theirs. */
function asTyped(name: string): string {
  return withEmoji(name).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

async function withRule(name: string, by: By, services: SlackServices, act: Act): Promise<EphemeralMessage> {
  const { rules } = services.alertSettings;
  const rule = name.trim() === '' && rules.length === 1 ? rules[0] : ruleNamed(name, services);
  if (rule !== undefined) return act(rule, by, services);
  const names = rules.map((one) => escapeMrkdwn(one.name, 80)).join(', ');
  return ephemeral(
    names === ''
      ? 'There are no rules for alerts in herald.yml.'
      : `There is no rule “${escapeMrkdwn(name.trim(), 80)}”. There are: ${names}.`,
  );
}

async function listRules(services: SlackServices) {
  const { alerts, alertStore, alertSettings, clock } = services;
  const now = clock.now();
  const [states, decisions, numbers] = await Promise.all([
    alerts.ruleStates(),
    alertStore.decisionsSince(now - DAY_MS),
    numbersOnFile(alertStore),
  ]);
  // Not as it was a minute ago: somebody may have put it right since.
  const sight = createSight(services);
  const statuses = await Promise.all(
    alertSettings.rules.map(async (rule) => {
      const state = states.find((one) => one.rule === rule.name);
      return {
        ...{ rule, state },
        unseen: (await sight(rule.channel))?.why,
        decisions: decisions.filter((one) => one.rule === rule.name),
        onCall: [rule, ...rule.escalate].map(({ notify }) => ({
          ...{ notify },
          ...onCallAt(notify, alertSettings, numbers, now, state?.members),
        })),
      };
    }),
  );
  return rulesMessage(statuses, alertSettings, now);
}

async function tryOn(rule: AlertRule, _by: By, services: SlackServices): Promise<EphemeralMessage> {
  const { alertSettings, alertStore, slackClock, clock } = services;
  const history = await readHistory(rule.channel, slackClock.now() - DAY_MS, services);
  if (history.state !== 'read') return ephemeral(history.why);
  const signals = await alertStore.signals(rule.channel, clock.now() - DAY_MS);
  const events = [...history.events, ...signals].toSorted((one, other) => one.receivedAt - other.receivedAt);
  const states = await services.alerts.ruleStates();
  const members = states.find((state) => state.rule === rule.name)?.members;
  const tried = tryRule(rule.name, events, alertSettings, await numbersOnFile(alertStore), members);
  const others = misfits(rule, events, tried);
  return tryMessage(rule, tried, others, { count: events.length, complete: history.complete });
}

async function muteFor(rest: string, by: By, services: SlackServices) {
  const typed = rest.trim();
  const time = /\s(\d{1,4})\s*([mhd])$/i.exec(typed);
  const [, count, unit] = time ?? [];
  const name = typed.slice(0, time?.index).trimEnd();
  const ms = count === undefined ? MUTE_MS : Number(count) * (UNITS[(unit ?? '').toLowerCase()] ?? 0);
  if (ms <= 0 || ms > LONGEST_MUTE_MS)
    return ephemeral('A rule is muted for at most 7 days, e.g. `/herald alerts mute critical 2h`.');
  return withRule(name, by, services, muting(ms));
}

/** Mutes for so long, or ends it with 0, and announces in the channel of the rule who did; silence must have an author. */
function muting(ms: number): Act {
  return async (rule, by, { alerts, directory, client, logger, clock }) => {
    const problem = await directory.whyNot(by.userId, by.teamId);
    if (problem === 'unknown')
      return ephemeral(
        'Slack did not say whether you may mute a rule; try again in a minute. Nothing was changed.',
      );
    if (problem !== undefined) return ephemeral('Only approvers may mute a rule. Nothing was changed.');
    const until = ms && clock.now() + ms;
    await alerts.mute(rule.name, until, by.userId);
    const name = escapeMrkdwn(rule.name, 80);
    const text =
      until > 0
        ? `🔇 ${mention(by.userId)} has muted the rule ${name} until ${moment(until)}: its alerts are kept, and nobody is sent a flash SMS.`
        : `🔔 ${mention(by.userId)} has unmuted the rule ${name}: its alerts are sent again.`;
    const posted = await attempt(
      { text, blocks: [section(text)] },
      (card) => client.chat.postMessage({ channel: rule.channel, ...card }),
      logger,
    );
    return ephemeral(
      posted.state === 'done' ? text : `${text} Herald could not say so in <#${rule.channel}>.`,
    );
  };
}

/** The card shows it to everybody else; whoever clicked gets an answer. */
export const handleAcknowledge: ClickHandler<SlackServices> = async (args, { alerts }) => {
  const { userId } = clickerOf(args);
  await answerClick(args, sentenceOf(await alerts.acknowledge(args.action.value ?? '', userId), userId));
};

function sentenceOf(result: Awaited<ReturnType<Alerts['acknowledge']>>, userId: string): string {
  if (result.state === 'acknowledged')
    return 'You have acknowledged this alert: nobody else is notified, and repeats of it stay silent.';
  if (result.state === 'not_found') return 'Herald has no record of this alert. Nothing was changed.';
  const { state, ended } = result.alert;
  const at = ended === undefined ? '' : `, ${moment(ended.at)}`;
  if (state === 'acknowledged')
    return ended?.by === userId
      ? `You had acknowledged it before${at}.`
      : `${ended?.by === undefined ? 'Somebody' : whoOf(ended.by)} was quicker and has acknowledged it${at}.`;
  return state === 'resolved' ? `It is over${at}.` : `It was withdrawn${at}.`;
}

async function openNumbers(
  userId: string,
  { client, respond }: Pick<ClickArguments, 'client' | 'respond'>,
  triggerId: string,
  { alertStore }: SlackServices,
): Promise<void> {
  const opened = await openModal(client, triggerId, numbersView(await alertStore.numbers(), userId));
  if (!opened.ok) await answerClick({ respond }, `${opened.error} Nothing was changed. Try again.`);
}

export const NUMBERS_VIEW = 'alert_numbers';
const USER_FIELD = 'user';
const NUMBER_FIELD = 'number';
/** One line each, in one block. */
const NUMBERS_SHOWN = 40;

export function numbersView(numbers: readonly NumberOnFile[], userId: string, note?: string): ModalView {
  const lines = numbers.slice(0, NUMBERS_SHOWN).map(({ userId: whose, number, at, by }) => {
    const entered = by === whose ? '' : ` by ${mention(by)}`;
    return `• ${mention(whose)} ${maskNumber(number)}, ${moment(at)}${entered}`;
  });
  const more = numbers.length - lines.length;
  const list = lines.length === 0 ? 'No number is on file yet.' : lines.join('\n');
  const number = textInput(FIELD_ACTION, { maxLength: 40, placeholder: '+6581234567' });
  const hint = 'Alerts whose group names this person go to it. Left empty, the number on file is removed.';
  const blocks: KnownBlock[] = [
    ...(note === undefined ? [] : [section(note)]),
    section(list.slice(0, LIMITS.sectionText)),
    ...(more > 0 ? [context(`… and ${more} more`)] : []),
    input(USER_FIELD, 'Person', { type: 'users_select', action_id: FIELD_ACTION, initial_user: userId }),
    input(NUMBER_FIELD, 'Number', number, { hint, optional: true }),
  ];
  return modal({ callbackId: NUMBERS_VIEW, title: 'Numbers on file', submit: 'Save', blocks }, 'Close');
}

const UNSURE = 'Slack did not say whether you may; nothing was changed. Try again in a minute.';
const ONLY_YOUR_OWN =
  'You may change only your own number. Whoever may approve sends can change the numbers of others.';

/** Everybody may enter and remove their own number; those of others, only who may approve sends. */
export const handleNumbers: SubmissionHandler<SlackServices> = async (
  { ack, body },
  { alertStore, directory, defaults, clock },
) => {
  const refuse = (field: string, why: string) => ack({ response_action: 'errors', errors: { [field]: why } });
  const state = readState(body.view.state.values);
  const whose = String(state[USER_FIELD] ?? '');
  const typed = String(state[NUMBER_FIELD] ?? '').trim();
  const { userId, teamId } = clickerOf({ body });
  if (!/^[UW][A-Z0-9]+$/.test(whose)) return refuse(USER_FIELD, 'Choose a person.');
  const problem = whose === userId ? undefined : await directory.whyNot(userId, teamId);
  if (problem !== undefined) return refuse(USER_FIELD, problem === 'unknown' ? UNSURE : ONLY_YOUR_OWN);
  const read = typed === '' ? undefined : readRecipient(typed, defaults.country);
  if (read?.ok === false) return refuse(NUMBER_FIELD, read.error);
  let note = `The number of ${mention(whose)} is no longer on file.`;
  if (read !== undefined) {
    await alertStore.putNumber({ userId: whose, number: read.value, at: clock.now(), by: userId });
    note = `The number of ${mention(whose)} is on file: ${maskNumber(read.value)}.`;
  } else if (!(await alertStore.removeNumber(whose))) note = `No number of ${mention(whose)} was on file.`;
  return ack({ response_action: 'update', view: numbersView(await alertStore.numbers(), userId, note) });
};
