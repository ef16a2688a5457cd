import { misfits, tryRule } from '../../sends/alerts/dry-run.ts';
import type { NumbersOnFile } from '../../sends/alerts/plan.ts';
import type { AlertRule } from '../../sends/alerts/rules.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, moment, section } from '../kit/blocks/blocks.ts';
import { answerClick, clickerOf, ephemeral } from '../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler, CommandArguments } from '../kit/clicks/arguments.ts';
import { attempt } from '../kit/posting/attempt.ts';
import { readHistory } from './channel-history.ts';
import type { AlertDependencies } from './dependencies.ts';
import { openNumbers } from './numbers-view.ts';
import { MUTE_MS, rulesMessage, tryMessage } from './rules-message.ts';
import { unseenChannels } from './sight.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_MUTE_MS = 7 * DAY_MS;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY_MS };

const HELP = [
  '`/herald alerts` lists the rules, whom they reach now, and what is wrong with them.',
  '`/herald alerts try <rule>` shows what the messages of the last 24 hours would have sent.',
  '`/herald alerts mute <rule> 2h` keeps a rule from sending (`30m`, `2h`, `1d`; at most 7d); `unmute <rule>` ends that.',
  '`/herald alerts numbers` shows and changes the numbers on file of Slack users.',
].join('\n');

/** `/herald alerts …`, seen by the person who asked only. */
export async function handleAlertsCommand(
  args: CommandArguments,
  dependencies: AlertDependencies,
): Promise<void> {
  const [, , word = '', rest = ''] =
    /^(\S+)(?:\s+(\S+)(?:\s+([\s\S]*))?)?$/.exec(args.command.text.trim()) ?? [];
  await args.ack();
  const { command, respond } = args;
  const by = { userId: command.user_id, teamId: command.team_id };
  if (word.toLowerCase() === 'numbers') return openNumbers(command.trigger_id, by.userId, args, dependencies);
  await respond(await answerTo(word.toLowerCase(), rest, by, dependencies));
}

async function answerTo(word: string, rest: string, by: By, dependencies: AlertDependencies) {
  switch (word) {
    case '':
      return listRules(dependencies);
    case 'try':
      return withRule(rest, dependencies, (rule) => tryOn(rule, dependencies));
    case 'mute':
      return muteFor(rest, by, dependencies);
    case 'unmute':
      return withRule(rest, dependencies, async (rule) => ephemeral(await mute(rule, 0, by, dependencies)));
    default:
      return ephemeral(HELP);
  }
}

type OnRule = (rule: AlertRule, args: ClickArguments, dependencies: AlertDependencies) => Promise<unknown>;

function onRule(deed: OnRule) {
  return async (args: ClickArguments, dependencies: AlertDependencies): Promise<void> => {
    const rule = ruleNamed(args.action.value ?? '', dependencies);
    if (rule === undefined) return answerClick(args, 'This rule is no longer in herald.yml.');
    await deed(rule, args, dependencies);
  };
}

export const handleMute = onRule(async (rule, args, dependencies) => {
  const until = dependencies.clock.now() + MUTE_MS;
  await answerClick(args, await mute(rule, until, clickerOf(args), dependencies));
});
export const handleUnmute = onRule(async (rule, args, dependencies) =>
  answerClick(args, await mute(rule, 0, clickerOf(args), dependencies)),
);
export const handleTry = onRule(async (rule, { respond }, dependencies) =>
  respond({ replace_original: false, ...(await tryOn(rule, dependencies)) }),
);

export const handleNumbersButton: ClickHandler<AlertDependencies> = (args, dependencies) =>
  openNumbers(args.body.trigger_id, clickerOf(args).userId, args, dependencies);

function ruleNamed(name: string, { settings }: AlertDependencies): AlertRule | undefined {
  return settings.rules.find((rule) => rule.name.toLowerCase() === name.trim().toLowerCase());
}

async function withRule<Result>(
  name: string,
  dependencies: AlertDependencies,
  deed: (rule: AlertRule) => Promise<Result>,
) {
  const { rules } = dependencies.settings;
  const rule = name.trim() === '' && rules.length === 1 ? rules[0] : ruleNamed(name, dependencies);
  if (rule !== undefined) return deed(rule);
  const names = rules.map((one) => escapeMrkdwn(one.name, 80)).join(', ');
  return ephemeral(
    names === ''
      ? 'There are no rules for alerts in herald.yml.'
      : `There is no rule “${escapeMrkdwn(name.trim(), 80)}”. There are: ${names}.`,
  );
}

async function listRules(dependencies: AlertDependencies) {
  const { alerts, store, settings, clock } = dependencies;
  const now = clock.now();
  const [states, decisions, numbers] = await Promise.all([
    alerts.ruleStates(),
    store.decisionsSince(now - DAY_MS),
    numbersOf(dependencies),
  ]);
  const unseen = await unseenChannels(dependencies);
  const statuses = settings.rules.map((rule) => {
    const why = unseen.get(rule.channel)?.why;
    return {
      rule,
      state: states.find((state) => state.rule === rule.name),
      ...(why !== undefined && { unseen: why }),
      decisions: decisions.filter((one) => one.rule === rule.name),
    };
  });
  return rulesMessage(statuses, settings, numbers, now);
}

async function numbersOf({ store }: AlertDependencies): Promise<NumbersOnFile> {
  return new Map((await store.numbers()).map(({ userId, number }) => [userId, number]));
}

async function tryOn(rule: AlertRule, dependencies: AlertDependencies) {
  const { settings, slackClock } = dependencies;
  const history = await readHistory(rule.channel, slackClock.now() - DAY_MS, dependencies);
  if (history.state !== 'read') return ephemeral(history.why);
  const tried = tryRule(rule.name, history.events, settings, await numbersOf(dependencies));
  const others = misfits(rule, history.events, tried);
  return tryMessage(rule, tried, others, { count: history.events.length, complete: history.complete });
}

interface By {
  readonly userId: string;
  readonly teamId: string;
}

async function muteFor(rest: string, by: By, dependencies: AlertDependencies) {
  const typed = rest.trim();
  const time = /\s(\d{1,4})\s*([mhd])$/i.exec(typed);
  const [, count, unit] = time ?? [];
  const name = typed.slice(0, time?.index).trimEnd();
  const ms = count === undefined ? MUTE_MS : Number(count) * (UNITS[(unit ?? '').toLowerCase()] ?? 0);
  if (ms <= 0 || ms > LONGEST_MUTE_MS)
    return ephemeral('A rule is muted for at most 7 days, e.g. `/herald alerts mute critical 2h`.');
  const { clock } = dependencies;
  return withRule(name, dependencies, async (rule) =>
    ephemeral(await mute(rule, clock.now() + ms, by, dependencies)),
  );
}

/** Mutes until then, or ends it with 0, and tells the rule's channel who did; silence must have an author. */
async function mute(
  rule: AlertRule,
  until: number,
  by: By,
  dependencies: AlertDependencies,
): Promise<string> {
  const { alerts, directory, client, logger } = dependencies;
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
