import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { Alert, AlertHold, AlertStep, PagedPerson } from '../../sends/alerts/alert.ts';
import type { AlertReport } from '../../sends/alerts/ports.ts';
import type { AlertRule } from '../../sends/alerts/rules.ts';
import type { RecipientState, SendReport } from '../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, mention, moment, section } from '../kit/blocks/blocks.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { ONE_RECIPIENT, whyText } from '../kit/cards/words.ts';

export const ACKNOWLEDGE_ACTION = 'alert_acknowledge';

/** Of a large group; the rest is a count. */
const PEOPLE_SHOWN = 20;
const SHOWN = 300;
/** All steps together; the rest of what a message may hold is for its notification and the other blocks. */
const STEPS_TEXT = 8_000;
/** A failure says what happened and what to do. */
const SHOWN_FAILURE = 600;

/** The card in the thread of an alert: whom it went to, when, the outcome, and who has acknowledged it. */
export function alertCard(report: AlertReport): Card {
  const { alert, rule } = report;
  const headline = headlineOf(report);
  const most = Math.min(LIMITS.sectionText, Math.floor(STEPS_TEXT / alert.steps.length));
  const steps = alert.steps.map((step) => fitted(stepLines(step, report), most));
  const status = statusOf(alert);
  const repeats =
    alert.repeats === 0 ? [] : [`${alert.repeats} more like it have come since; they were not sent.`];
  const acknowledge = button(ACKNOWLEDGE_ACTION, 'Acknowledge', alert.id, { style: 'primary' });
  return {
    text: fitted([headline, status, ...repeats, ...steps, `Reference ${alert.id}.`], LIMITS.sectionText),
    blocks: [
      section(`*${headline}*`),
      ...steps.map((step) => section(step)),
      ...(status === '' ? [] : [section(status)]),
      ...repeats.map((text) => context(text)),
      ...(alert.state === 'open' && isAcknowledgeable(alert) ? actions([acknowledge]) : []),
      context(`Rule ${escapeMrkdwn(rule?.name ?? alert.rule, SHOWN)} · Reference ${alert.id}`),
    ],
  };
}

/** Somebody was notified, or will be. */
function isAcknowledgeable({ steps }: Alert): boolean {
  return steps.some(({ state }) => state !== 'late' && state !== 'nobody');
}

function headlineOf({ alert, rule }: AlertReport): string {
  const severity = rule === undefined ? '' : ` · ${escapeMrkdwn(rule.severity, SHOWN)}`;
  const words = {
    open: `🚨 Alert${severity}`,
    acknowledged: `👀 Acknowledged${severity}`,
    resolved: `✅ Over${severity}`,
    deleted: `➖ Withdrawn${severity}`,
  } as const;
  return words[alert.state];
}

/** A Slack user is mentioned; anybody else is called by name. */
export function whoOf(by: string): string {
  const [, userId] = /^(?:<@)?([UW][A-Z0-9]+)>?$/.exec(by) ?? [];
  return userId === undefined ? escapeMrkdwn(by, SHOWN) : mention(userId);
}

function statusOf({ state, ended, steps }: Alert): string {
  if (ended === undefined) return '';
  const by = ended.by === undefined ? '' : ` by ${whoOf(ended.by)}`;
  const at = moment(ended.at);
  const stopped = steps.some(({ state: one }) => one === 'cancelled') ? ' Nobody else is notified.' : '';
  if (state === 'acknowledged') return `Acknowledged${by}, ${at}.${stopped}`;
  if (state === 'resolved') return `Its source says that it is over, ${at}.${stopped}`;
  return `The message was deleted or its rule removed, ${at}.${stopped}`;
}

function stepLines(step: AlertStep, report: AlertReport): readonly string[] {
  const groups = step.groups.map((group) => `@${escapeMrkdwn(group.replace(/^@/, ''), SHOWN)}`).join(', ');
  const what = { alert: 'Flash SMS', escalation: 'Escalation', resolved: 'All clear' }[step.kind];
  const lines = [`*${what}* to ${groups}${stepWords(step)}`];
  if (step.note !== undefined) lines.push(escapeMrkdwn(step.note, SHOWN_FAILURE));
  const { withoutNumber = [] } = step;
  if (withoutNumber.length > 0)
    lines.push(`No number on file for ${withoutNumber.map(mention).join(', ')}: /herald alerts numbers.`);
  if ((step.uncovered ?? []).length > 0)
    lines.push('Nobody in the group is on call now, so everybody in it was notified.');
  if (step.state !== 'nobody' && step.state !== 'late' && step.state !== 'held') {
    lines.push(...step.people.slice(0, PEOPLE_SHOWN).map((person) => personLine(person, step, report)));
    if (step.people.length > PEOPLE_SHOWN) lines.push(`… and ${step.people.length - PEOPLE_SHOWN} more`);
  }
  return lines;
}

/** As many whole lines as `most` characters hold: what Slack reads as one, such as a moment, is not cut in two. */
function fitted(lines: readonly string[], most: number): string {
  const kept: string[] = [];
  let length = 2;
  for (const line of lines.filter((one) => one !== '')) {
    length += line.length + 1;
    if (length > most) return [...kept, '…'].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

function stepWords({ state, dueAt, at = dueAt, sendId, people, note }: AlertStep): string {
  switch (state) {
    case 'waiting':
      return `, ${moment(dueAt)}, unless somebody acknowledges`;
    case 'cancelled':
      // Otherwise the note says why.
      return note === undefined ? ': not needed any more' : '';
    case 'nobody':
      return ': nobody of it has a number on file. Nothing was sent.';
    case 'late':
      return ': too late. Nothing was sent.';
    case 'held':
      return ': held, because the rule or its people reached their limit for the hour. Nothing was sent.';
    case 'approval':
      return `, ${moment(at)}: ${people.length} people are more than an alert may reach without approval, so it waits for approval as ${sendId ?? ''}`;
    default:
      return `, ${moment(at)}`;
  }
}

function personLine(
  { name, number, refusal, sendId, followUpId }: PagedPerson,
  step: AlertStep,
  { sends }: AlertReport,
): string {
  const who = `• ${nameOf(name)} ${maskNumber(number)}`;
  if (refusal !== undefined) return `${who}: ➖ ${escapeMrkdwn(refusal, SHOWN_FAILURE)}`;
  if (step.state === 'approval') return who;
  const flash = sendId === undefined ? undefined : sends.get(sendId);
  const followUp = followUpId === undefined ? undefined : sends.get(followUpId);
  const also = followUp === undefined ? '' : ` · SMS: ${outcomeOf(followUp)}`;
  return `${who}: ${flash === undefined ? marked('pending') : outcomeOf(flash)}${also}`;
}

/** A person who is named by a Slack user is mentioned: the id was put there by Herald. */
function nameOf(name: string): string {
  return /^<@[UW][A-Z0-9]+>$/.test(name) ? name : escapeMrkdwn(name, SHOWN);
}

function outcomeOf({ recipient }: SendReport): string {
  const { state, failure, settledAt } = recipient;
  const at = settledAt === undefined ? '' : `, ${moment(settledAt)}`;
  const why = failure === undefined ? '' : ` ${whyText(failure, SHOWN_FAILURE)}`;
  const code = failure?.code === undefined ? '' : ` (code ${escapeMrkdwn(failure.code, SHOWN)})`;
  return `${marked(state)}${at}${code}${why}`;
}

function marked(state: RecipientState): string {
  const { mark, words } = ONE_RECIPIENT[state];
  return `${mark} ${words}`;
}

/** In the channel, once: a rule has sent as many as it may. */
export function holdCard(rule: AlertRule, hold: AlertHold): Card {
  const name = escapeMrkdwn(rule.name, SHOWN);
  const text = `✋ The rule ${name} has reached its limit of ${rule.capPerHour} alerts an hour. More are held until ${moment(hold.until)}: they stay in this channel and in the record, and nobody is notified. A digest follows.`;
  return {
    text: `${text} Reference ${hold.id}-hold.`,
    blocks: [section(text), context(`Reference ${hold.id}-hold`)],
  };
}

/** In the channel, once, when the hold is over: what it held. */
export function digestCard(rule: AlertRule, hold: AlertHold): Card {
  const name = escapeMrkdwn(rule.name, SHOWN);
  const counted = Object.entries(hold.titles).toSorted(([, one], [, other]) => other - one);
  const others = hold.count - counted.reduce((sum, [, count]) => sum + count, 0);
  const lines = counted.map(([title, count]) => `• ${count} × ${literalMrkdwn(title, 120)}`);
  if (others > 0) lines.push(`• ${others} × something else`);
  const were = hold.count === 1 ? '1 alert was' : `${hold.count} alerts were`;
  const text = `📋 ${were} held by the rule ${name} since ${moment(hold.since)}. Nobody was sent a flash SMS for:`;
  return {
    text: `${text}\n${lines.join('\n')}\nReference ${hold.id}-digest.`,
    blocks: [section(text), section(lines.join('\n')), context(`Reference ${hold.id}-digest`)],
  };
}
