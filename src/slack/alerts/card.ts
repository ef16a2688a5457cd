import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { Alert, AlertEvent, AlertHold, AlertStep, PagedPerson } from '../../sends/alerts/alert.ts';
import type { AlertRule } from '../../sends/alerts/rules.ts';
import type { RecipientState, SendReport } from '../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, mention, moment, section } from '../kit/blocks/blocks.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { ONE_RECIPIENT, whyText } from '../kit/cards/words.ts';

export const ACKNOWLEDGE_ACTION = 'alert_acknowledge';

/** So many people of a large group; the rest is a count. */
const PEOPLE_SHOWN = 20;
const SHOWN = 300;
/** Characters of the text that a monitoring tool has below the title. */
const SHOWN_SIGNAL = 2_000;
/** All steps together; the rest of what a message may hold is for its notification and the other blocks. */
const STEPS_TEXT = 8_000;
/** A failure says what happened and what to do. */
const SHOWN_FAILURE = 600;

interface AlertReport {
  readonly alert: Alert;
  /** Undefined once the rule is no longer in herald.yml. */
  readonly rule: AlertRule | undefined;
  readonly sends: ReadonlyMap<string, SendReport>;
}

/** The card in the thread of an alert: whom it went to, when, the outcome, and who has acknowledged it. */
export function alertCard(report: AlertReport): Card {
  const { alert, rule } = report;
  const headline =
    STATES[alert.state] + (rule === undefined ? '' : ` · ${escapeMrkdwn(rule.severity, SHOWN)}`);
  const most = Math.min(LIMITS.sectionText, Math.floor(STEPS_TEXT / alert.steps.length));
  const steps = alert.steps.map((step) => fitted(stepLines(step, report), most));
  const status = statusOf(alert);
  const repeats =
    alert.repeats === 0 ? [] : [`${alert.repeats} more like it have come since; they were not sent.`];
  // Somebody was notified, or will be.
  const concerns = alert.steps.some(({ state }) => state !== 'late' && state !== 'nobody');
  const acknowledge = button(ACKNOWLEDGE_ACTION, 'Acknowledge', alert.id, { style: 'primary' });
  return {
    text: fitted([headline, status, ...repeats, ...steps, `Reference ${alert.id}.`], LIMITS.sectionText),
    blocks: [
      section(`*${headline}*`),
      ...steps.map((step) => section(step)),
      ...(status === '' ? [] : [section(status)]),
      ...repeats.map((text) => context(text)),
      ...(alert.state === 'open' && concerns ? actions([acknowledge]) : []),
      context(`Rule ${escapeMrkdwn(rule?.name ?? alert.rule, SHOWN)} · Reference ${alert.id}`),
    ],
  };
}

const STATES: Readonly<Record<Alert['state'], string>> = {
  open: '🚨 Alert',
  acknowledged: '👀 Acknowledged',
  resolved: '✅ Over',
  deleted: '➖ Withdrawn',
};

/** A Slack user is mentioned, whose id has a digit or nine characters; anybody else, such as UMA, is called by name. */
export function whoOf(by: string): string {
  const [, id = ''] = /^(?:<@)?([UW][A-Z0-9]+)>?$/.exec(by) ?? [];
  return /\d/.test(id) || id.length >= 9 ? mention(id) : escapeMrkdwn(by, SHOWN);
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

export function groupNames(groups: readonly string[]): string {
  return groups.map((group) => `@${escapeMrkdwn(group.replace(/^@/, ''), SHOWN)}`).join(', ');
}

function stepLines(step: AlertStep, report: AlertReport): readonly string[] {
  const what = { alert: 'Flash SMS', escalation: 'Escalation', resolved: 'All clear' }[step.kind];
  const lines = [`*${what}* to ${groupNames(step.groups)}${stepWords(step)}`];
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
  // Herald itself put the id of a Slack user there.
  const named = /^<@[UW][A-Z0-9]+>$/.test(name) ? name : escapeMrkdwn(name, SHOWN);
  const who = `• ${named} ${maskNumber(number)}`;
  if (refusal !== undefined) return `${who}: ➖ ${escapeMrkdwn(refusal, SHOWN_FAILURE)}`;
  if (step.state === 'approval') return who;
  const flash = sendId === undefined ? undefined : sends.get(sendId);
  const followUp = followUpId === undefined ? undefined : sends.get(followUpId);
  const also = followUp === undefined ? '' : ` · SMS: ${outcomeOf(followUp)}`;
  return `${who}: ${flash === undefined ? marked('pending') : outcomeOf(flash)}${also}`;
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

/** Herald's own message in the channel about a signal: what fires or is over, since when, and where it is looked into. */
export function signalCard(events: readonly AlertEvent[]): Card {
  const [first] = events;
  if (first === undefined) throw new Error('A signal has an event at least.');
  const over = events.find(({ kind }) => kind === 'resolved');
  const [title = '', ...rest] = first.text.split('\n');
  const headline = `${over ? '✅' : '🚨'} *${escapeMrkdwn(title, SHOWN)}*`;
  const { link, author, ts } = over ?? first;
  const facts = [
    `From ${escapeMrkdwn(author.source ?? '', SHOWN)}`,
    ...(first === over ? [] : [`since ${moment(first.receivedAt)}`]),
    ...(over ? [`over ${moment(over.receivedAt)}`] : []),
    ...(link ? [`<${escapeMrkdwn(link.replaceAll('|', '%7C'))}|Look into it>`] : []),
    `Reference ${ts}`,
  ].join(' · ');
  const text = rest.join('\n').slice(0, SHOWN_SIGNAL).toWellFormed();
  return {
    text: `${headline} ${facts}`,
    blocks: [section(headline), ...(text === '' ? [] : [quote(text)]), context(facts)],
  };
}
