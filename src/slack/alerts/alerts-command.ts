import { misfits, tryRule } from '../../sends/alerts/dry-run.ts';
import { numbersOnFile } from '../../sends/alerts/plan.ts';
import type { AlertRule } from '../../sends/alerts/rules.ts';
import type { AcknowledgeResult, Alerts } from '../../sends/alerts/service.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, moment, section } from '../kit/blocks/blocks.ts';
import { answerClick, clickerOf, ephemeral } from '../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler, EphemeralMessage } from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import type { Entrance } from '../kit/feature/rights.ts';
import { withEmoji } from '../kit/message-text/emoji.ts';
import { attempt } from '../kit/posting/attempt.ts';
import type { SlackServices } from '../kit/services.ts';
import { whoOf } from './card.ts';
import { openNumbers } from './numbers-view.ts';
import { MUTE_MS, rulesMessage, tryMessage } from './rules-message.ts';
import { readHistory, unseenChannels } from './sight.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_MUTE_MS = 7 * DAY_MS;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY_MS };

type Answering = (
  rest: string,
  by: By,
  services: SlackServices,
) => Promise<EphemeralMessage> | EphemeralMessage;

/** Answered to the person alone. */
function answering(answer: Answering): Subcommands<SlackServices>[string]['handle'] {
  return async ({ command, ack, respond }, services, rest) => {
    await ack();
    const by = { userId: command.user_id, teamId: command.team_id };
    await respond(await answer(rest, by, services));
  };
}

const SENDS: Pick<Entrance, 'right'> = { right: () => ({ to: 'sends' }) };

/** `/herald alerts …` */
export const ALERTS_SUBCOMMANDS: Subcommands<SlackServices> = {
  alerts: {
    ...SENDS,
    help: '`/herald alerts` lists the rules, whom they reach now, and what is wrong with them.',
    example: '/herald alerts',
    handle: answering((rest, _by, services) => (rest === '' ? listRules(services) : ephemeral(help()))),
  },
  'alerts try': {
    ...SENDS,
    help: '`/herald alerts try <rule>` shows what the messages of the last 24 hours would have sent.',
    handle: answering((rest, _by, services) => withRule(rest, services, (rule) => tryOn(rule, services))),
  },
  'alerts mute': {
    ...SENDS,
    help: '`/herald alerts mute <rule> 2h` keeps a rule from sending (`30m`, `2h`, `1d`; at most 7d); `unmute <rule>` ends that.',
    handle: answering(muteFor),
  },
  'alerts unmute': {
    ...SENDS,
    handle: answering((rest, by, services) =>
      withRule(rest, services, async (rule) => ephemeral(await mute(rule, 0, by, services))),
    ),
  },
  // Whoever is on call may be a guest.
  'alerts numbers': {
    help: '`/herald alerts numbers` shows and changes the numbers on file of Slack users.',
    handle: async (args, services) => {
      await args.ack();
      await openNumbers(args.command.trigger_id, args.command.user_id, args, services);
    },
  },
};

function help(): string {
  return Object.values(ALERTS_SUBCOMMANDS)
    .flatMap((row) => row.help ?? [])
    .join('\n');
}

type OnRule = (rule: AlertRule, args: ClickArguments, services: SlackServices) => Promise<unknown>;

function onRule(act: OnRule) {
  return async (args: ClickArguments, services: SlackServices): Promise<void> => {
    const rule = ruleNamed(args.action.value ?? '', services);
    if (rule === undefined) return answerClick(args, 'This rule is no longer in herald.yml.');
    await act(rule, args, services);
  };
}

export const handleMute = onRule(async (rule, args, services) => {
  const until = services.clock.now() + MUTE_MS;
  await answerClick(args, await mute(rule, until, clickerOf(args), services));
});
export const handleUnmute = onRule(async (rule, args, services) =>
  answerClick(args, await mute(rule, 0, clickerOf(args), services)),
);
export const handleTry = onRule(async (rule, { respond }, services) =>
  respond({ replace_original: false, ...(await tryOn(rule, services)) }),
);

export const handleNumbersButton: ClickHandler<SlackServices> = (args, services) =>
  openNumbers(args.body.trigger_id, clickerOf(args).userId, args, services);

function ruleNamed(name: string, { alertSettings }: SlackServices): AlertRule | undefined {
  return alertSettings.rules.find((rule) => asTyped(rule.name) === asTyped(name));
}

/** What is typed comes with emoji for their names. */
function asTyped(name: string): string {
  return withEmoji(name).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

async function withRule<Result>(
  name: string,
  services: SlackServices,
  act: (rule: AlertRule) => Promise<Result>,
) {
  const { rules } = services.alertSettings;
  const rule = name.trim() === '' && rules.length === 1 ? rules[0] : ruleNamed(name, services);
  if (rule !== undefined) return act(rule);
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
  const unseen = await unseenChannels(services);
  const statuses = alertSettings.rules.map((rule) => {
    const why = unseen.get(rule.channel)?.why;
    return {
      rule,
      state: states.find((state) => state.rule === rule.name),
      ...(why !== undefined && { unseen: why }),
      decisions: decisions.filter((one) => one.rule === rule.name),
    };
  });
  return rulesMessage(statuses, alertSettings, numbers, now);
}

async function tryOn(rule: AlertRule, services: SlackServices) {
  const { alertSettings, slackClock } = services;
  const history = await readHistory(rule.channel, slackClock.now() - DAY_MS, services);
  if (history.state !== 'read') return ephemeral(history.why);
  const states = await services.alerts.ruleStates();
  const members = states.find((state) => state.rule === rule.name)?.members;
  const tried = tryRule(
    rule.name,
    history.events,
    alertSettings,
    await numbersOnFile(services.alertStore),
    members,
  );
  const others = misfits(rule, history.events, tried);
  return tryMessage(rule, tried, others, { count: history.events.length, complete: history.complete });
}

interface By {
  readonly userId: string;
  readonly teamId: string;
}

async function muteFor(rest: string, by: By, services: SlackServices) {
  const typed = rest.trim();
  const time = /\s(\d{1,4})\s*([mhd])$/i.exec(typed);
  const [, count, unit] = time ?? [];
  const name = typed.slice(0, time?.index).trimEnd();
  const ms = count === undefined ? MUTE_MS : Number(count) * (UNITS[(unit ?? '').toLowerCase()] ?? 0);
  if (ms <= 0 || ms > LONGEST_MUTE_MS)
    return ephemeral('A rule is muted for at most 7 days, e.g. `/herald alerts mute critical 2h`.');
  const { clock } = services;
  return withRule(name, services, async (rule) =>
    ephemeral(await mute(rule, clock.now() + ms, by, services)),
  );
}

/** Mutes until then, or ends it with 0, and announces in the channel of the rule who did; silence must have an author. */
async function mute(rule: AlertRule, until: number, by: By, services: SlackServices): Promise<string> {
  const { alerts, directory, client, logger } = services;
  const problem = await directory.whyNot(by.userId, by.teamId);
  if (problem !== undefined)
    return problem === 'unknown'
      ? 'Slack did not say whether you may mute a rule; try again in a minute. Nothing was changed.'
      : 'Only the people of approvals.approvers in herald.yml may mute a rule. Nothing was changed.';
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
  return posted.state === 'done' ? text : `${text} Herald could not say so in <#${rule.channel}>.`;
}

/** The card shows it to everybody else; whoever clicked gets an answer. */
export const handleAcknowledge: ClickHandler<{ readonly alerts: Pick<Alerts, 'acknowledge'> }> = async (
  args,
  { alerts },
) => {
  const { userId } = clickerOf(args);
  await answerClick(args, sentenceOf(await alerts.acknowledge(args.action.value ?? '', userId), userId));
};

function sentenceOf(result: AcknowledgeResult, userId: string): string {
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
