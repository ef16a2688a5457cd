import type { types } from '@slack/bolt';
import { type AlertDecision, DECISION_WORDS, type RuleState } from '../../sends/alerts/alert.ts';
import type { Misfit, TriedMessage } from '../../sends/alerts/dry-run.ts';
import type { onCallAt } from '../../sends/alerts/plan.ts';
import type { AlertRule, AlertSettings } from '../../sends/alerts/rules.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, mention, moment, section } from '../kit/blocks/blocks.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import { people as peopleIn } from '../kit/cards/words.ts';
import { ephemeral } from '../kit/clicks/answering.ts';
import type { EphemeralMessage } from '../kit/clicks/arguments.ts';
import { groupNames } from './card.ts';

export const MUTE_ACTION = 'alert_rule_mute';
export const UNMUTE_ACTION = 'alert_rule_unmute';
export const TRY_ACTION = 'alert_rule_try';
export const NUMBERS_ACTION = 'alert_numbers';

/** How long the button mutes for. */
export const MUTE_MS = 60 * 60_000;

/** Two blocks a rule, and what stands around them, in one message. */
const RULES_SHOWN = 20;
const TRIED_SHOWN = 15;
const MISFITS_SHOWN = 10;
const SHOWN = 150;

export interface RuleStatus {
  readonly rule: AlertRule;
  readonly state: RuleState | undefined;
  /** A sentence: why Herald does not see its channel. */
  readonly unseen: string | undefined;
  readonly decisions: readonly { readonly what: AlertDecision['what']; readonly count: number }[];
  /** Who is on call now, for each way to notify somebody: first the rule's own. */
  readonly onCall: readonly (ReturnType<typeof onCallAt> & Pick<AlertRule, 'notify'>)[];
}

export function rulesMessage(
  statuses: readonly RuleStatus[],
  { senders }: Pick<AlertSettings, 'senders'>,
  now: number,
): EphemeralMessage {
  if (statuses.length === 0)
    return ephemeral(
      'There are no rules for alerts. Whoever runs Herald can write some in herald.yml, under alerts.',
    );
  const shown = statuses.slice(0, RULES_SHOWN);
  const noSender =
    senders.length === 0 ? [section('⛔ herald.yml has no SMS sender for alerts: nothing can be sent.')] : [];
  const blocks = shown.flatMap((status) => ruleBlocks(status, now));
  const more = statuses.length - shown.length;
  const names = statuses.map(({ rule }) => escapeMrkdwn(rule.name, SHOWN)).join(', ');
  return ephemeral(`${statuses.length} rules for alerts: ${names}.`.slice(0, LIMITS.sectionText), [
    ...noSender,
    ...blocks,
    ...(more > 0 ? [context(`… and ${more} more rules in herald.yml`)] : []),
    ...actions([button(NUMBERS_ACTION, 'Numbers on file', 'numbers')]),
  ]);
}

function ruleBlocks({ rule, state, unseen, decisions, onCall }: RuleStatus, now: number): types.KnownBlock[] {
  const muted = state?.muted !== undefined && state.muted.until > now ? state.muted : undefined;
  const hold = state?.holds?.find(({ until }) => until > now);
  const problems = [...(unseen === undefined ? [] : [unseen]), ...onCall.flatMap(groupProblems)];
  const { at } = state?.expected ?? {};
  const lastSign = at === undefined ? 'none came yet' : `the last came ${moment(at)}`;
  const lines = [
    `${problems.length > 0 ? '⛔' : muted ? '🔇' : '✅'} *${escapeMrkdwn(rule.name, SHOWN)}* · <#${rule.channel}> · ${escapeMrkdwn(rule.severity, SHOWN)}`,
    `Flash SMS to ${groupNames(rule.notify)}: ${peopleIn(onCall[0]?.people.length ?? 0)} now`,
    ...(rule.expect === undefined
      ? []
      : [`Expects a sign of life every ${rule.expect.everyMs / 1_000} s; ${lastSign}`]),
    ...rule.escalate.map(
      ({ afterMinutes, notify }) => `Unacknowledged after ${afterMinutes} min: ${groupNames(notify)}`,
    ),
    ...problems.map((problem) => `⛔ ${problem}`),
    ...(muted ? [`🔇 Muted until ${moment(muted.until)} by ${mention(muted.by)}`] : []),
    ...(hold ? [`✋ ${hold.count} held until ${moment(hold.until)}`] : []),
    `Last 24 hours: ${decisions.map(({ what, count }) => `${count} ${DECISION_WORDS[what]}`).join(' · ') || 'nothing'}`,
  ];
  const mute = muted
    ? button(UNMUTE_ACTION, 'Unmute', rule.name)
    : button(MUTE_ACTION, 'Mute for an hour', rule.name);
  return [
    section(lines.join('\n').slice(0, LIMITS.sectionText)),
    // Buttons of different rules differ by their block.
    ...actions([button(TRY_ACTION, 'Try on the last 24 hours', rule.name), mute]),
  ];
}

function groupProblems({ notify, people, uncovered, withoutNumber }: RuleStatus['onCall'][number]): string[] {
  const missing = withoutNumber.map(mention).join(', ');
  return [
    ...(people.length === 0 ? [`Nobody in ${groupNames(notify)} has a number.`] : []),
    ...(missing === '' ? [] : [`No number on file for ${missing}.`]),
    ...(uncovered.length === 0
      ? []
      : [`Nobody in ${groupNames(uncovered)} is on call now: everybody in it is notified.`]),
  ];
}

export function tryMessage(
  rule: AlertRule,
  tried: readonly TriedMessage[],
  others: readonly Misfit[],
  read: { readonly count: number; readonly complete: boolean },
): EphemeralMessage {
  const counts = [...Map.groupBy(tried, ({ what }) => what)];
  const summary = counts.map(([what, { length }]) => `${length} ${DECISION_WORDS[what]}`).join(' · ');
  const name = escapeMrkdwn(rule.name, SHOWN);
  const incomplete = read.complete ? '' : ' There are more; these are the newest.';
  const opening = `*${name}*, tried on ${read.count} messages of the last 24 hours in <#${rule.channel}>.${incomplete} Nothing was sent.`;
  const verdict = summary === '' ? 'It matches none of them.' : `It would have come to: ${summary}.`;
  const sent = tried.filter(({ what }) => what === 'sent');
  const shown = sent
    .slice(0, TRIED_SHOWN)
    .map(({ event, texts, people }) => [
      context(`${moment(event.receivedAt)}, to ${peopleIn(people)}:`),
      quote(texts[0]?.slice(0, 700) || ' '),
    ]);
  const more = sent.length - shown.length;
  return ephemeral(`${opening} ${verdict}`, [
    section(`${opening}\n${verdict}`),
    ...shown.flat(),
    ...(more > 0 ? [context(`… and ${more} more flash SMS`)] : []),
    ...misfitBlocks(others),
    context('Escalations are not counted: nobody knows when somebody would have acknowledged.'),
  ]);
}

/** Names who posted what did not fit, by all that `from` of a rule takes, so that it can be corrected. */
function misfitBlocks(others: readonly Misfit[]): types.KnownBlock[] {
  if (others.length === 0) return [];
  const lines = others.slice(0, MISFITS_SHOWN).map(({ author, isSource, count }) => {
    const { source, appId, botId, userId, name } = author;
    const ids = [
      ...(source === undefined ? [] : [`source “${escapeMrkdwn(source, 80)}”`]),
      ...(name === undefined ? [] : [`“${escapeMrkdwn(name, 80)}”`]),
      ...(appId === undefined ? [] : [`app \`${escapeMrkdwn(appId, 20)}\``]),
      ...(botId === undefined ? [] : [`bot \`${escapeMrkdwn(botId, 20)}\``]),
      ...(userId === undefined ? [] : [`user ${mention(userId)} \`${escapeMrkdwn(userId, 20)}\``]),
    ];
    const why = isSource ? 'its text does not fit' : 'not among the sources (`from`)';
    return `• ${count} × ${ids.join(' · ') || 'nobody that Slack names'}: ${why}`;
  });
  const more = others.length - lines.length;
  const rest = more > 0 ? [`… and ${more} more senders`] : [];
  return [section(['*Did not fit*', ...lines, ...rest].join('\n').slice(0, LIMITS.sectionText))];
}
