import { kindOf } from '../../messages/kinds.ts';
import { countryName } from '../../messages/numbers/phone-number.ts';
import { personalTexts } from '../../messages/personalise.ts';
import type { Template } from '../../messages/templates/template.ts';
import { insecureLink, unfilled } from '../../messages/text.ts';
import type { Audience } from '../audience.ts';
import type { FailureGroup } from '../ports.ts';
import type { QuietHoursByCountry } from '../quiet-hours.ts';
import type { OddRows, Send } from '../send.ts';
import type { Recent } from './recent.ts';

/* What a machine can find about a send before people decide. It blocks nothing. The texts in it are untrusted. */

const CAUSES_SHOWN = 5;
const SENDS_NAMED = 3;
const COLUMN = /\{\{[^{}]+\}\}/g;

/** Recipients whom quiet hours hold back until the same moment. */
export interface Held {
  readonly count: number;
  readonly countries: readonly string[];
  /** `10:00 (Asia/Kolkata)` */
  readonly ends: string;
}

/** @param countries how many recipients are of each, `?` for none */
export function heldAt(
  at: number,
  { message, origin }: Pick<Send, 'message' | 'origin'>,
  countries: Readonly<Record<string, number>>,
  quietHours: QuietHoursByCountry,
): readonly Held[] {
  const deferralFor = origin.alert?.urgent ? undefined : quietHours(message, at);
  if (deferralFor === undefined) return [];
  const held = Object.entries(countries).flatMap(([code, count]) => {
    const deferral = deferralFor.in(code === '?' ? undefined : code);
    return deferral && count > 0 ? [{ code, count, ...deferral }] : [];
  });
  const groups = Map.groupBy(held, ({ ends }) => ends);
  return [...groups].map(([ends, group]) => ({
    ends,
    count: group.reduce((sum, { count }) => sum + count, 0),
    countries: group.map(({ code }) => (code === '?' ? 'no country' : countryName(code))),
  }));
}

export interface Judged {
  readonly send: Send;
  readonly template: Template | undefined;
  readonly audience: Pick<Audience, 'counts'> | undefined;
  readonly failures: readonly FailureGroup[];
  readonly held: readonly Held[];
  /** False: the numbers of `held` are extrapolated. */
  readonly exact: boolean;
  readonly recent: Recent;
}

/** A sentence each, the likeliest mistakes first. */
export function warningsOf(judged: Judged): readonly string[] {
  const { send, template } = judged;
  return [
    ...repeated(judged.recent),
    ...different(send),
    ...rows(send.survey?.odd, 'a value that reads oddly'),
    ...typedOddly(send),
    ...rows(send.survey?.insecure, 'a link that is not https'),
    ...insecureIn(send, template),
    ...held(judged),
    ...leftOut(judged),
  ];
}

function repeated({ went, waiting, looked, reached }: Recent): string[] {
  const most = looked > 0 && reached * 2 > looked;
  return [
    ...(went.length > 0 ? [`The same text went out in the last 24 hours: ${some(went)}.`] : []),
    ...(waiting.length > 0 ? [`The same text is asked for by ${some(waiting)}, not begun yet.`] : []),
    ...(most
      ? [
          `Most recipients had a message in the last 24 hours: ${shown(reached)} of ${shown(looked)} that were looked at.`,
        ]
      : []),
  ];
}

function some(ids: readonly string[]): string {
  const more = ids.length > SENDS_NAMED ? [`${ids.length - SENDS_NAMED} more`] : [];
  return [...ids.slice(0, SENDS_NAMED), ...more].join(', ');
}

function rows(found: OddRows | undefined, what: string): string[] {
  if (found === undefined) return [];
  const many = found.count === 1 ? '1 row has' : `${shown(found.count)} rows have`;
  return [`${many} ${what}, such as ${example(found)}.`];
}

function different({ survey }: Send): string[] {
  return (survey?.different ?? []).map((found) => {
    const many = found.count === 1 ? '1 row says' : `${shown(found.count)} rows say`;
    const others = shown((survey?.recipients ?? 0) - found.count);
    return `${many} something else than the other ${others}, such as ${example(found)}.`;
  });
}

function example({ row, column, value }: OddRows): string {
  const which = value.trim() === '' ? 'nothing' : `“${value}”`;
  return `${which} in row ${shown(row)}, column “${column}”`;
}

function typedOddly({ message }: Send): string[] {
  const found = personalTexts(message).flatMap((text) => unfilled(text.replaceAll(COLUMN, '')) ?? []);
  return found.length === 0 ? [] : [`“${found[0]}” stands in the message as it was typed.`];
}

function insecureIn({ message }: Send, template: Template | undefined): string[] {
  const kind = kindOf(message);
  const texts = [kind.text(message, template) ?? '', ...kind.attachments(message).map(({ value }) => value)];
  const link = texts.map(insecureLink).find((found) => found !== undefined);
  return link === undefined ? [] : [`A link is not https: ${link.slice(0, 200)}`];
}

function held({ send, held: groups, exact }: Judged): string[] {
  const all = recipientsOf(send);
  return groups.map(({ count, countries, ends }) => {
    const who =
      count === all ? `all ${shown(all)}` : `${exact ? '' : 'about '}${shown(count)} of ${shown(all)}`;
    return `Quiet hours hold ${who} recipients until ${ends}: ${countries.join(', ')}.`;
  });
}

/** What was left out by cause, when the list was read and when the send was asked for; none for nobody. */
export function leftOut({ audience, failures }: Pick<Judged, 'audience' | 'failures'>): string[] {
  const { duplicate = 0, opted_out = 0, invalid = 0 } = audience?.counts ?? {};
  const causes = [
    { count: duplicate, what: duplicate === 1 ? 'duplicate' : 'duplicates' },
    { count: opted_out, what: 'opted out' },
    { count: invalid, what: 'invalid' },
    ...failures
      .filter(({ state }) => state === 'skipped')
      .map(({ count, failure }) => ({ count, what: `(${failure.what.replace(/\.$/, '')})` })),
  ].filter(({ count }) => count > 0);
  if (causes.length === 0) return [];
  const count = causes.reduce((sum, cause) => sum + cause.count, 0);
  const told = causes.slice(0, CAUSES_SHOWN).map((cause) => `${shown(cause.count)} ${cause.what}`);
  const more = causes.length > CAUSES_SHOWN ? ['…'] : [];
  return [
    `${shown(count)} ${count === 1 ? 'row is' : 'rows are'} left out: ${[...told, ...more].join(', ')}.`,
  ];
}

/**
 * When a send starts that is approved now.
 *
 * @param missing approvals that it needs, this one included
 */
export function startText(
  send: Send,
  { missing, held: groups, exact }: Pick<Judged, 'held' | 'exact'> & { readonly missing: number },
): string {
  const { message, startAt } = send;
  const more = missing - 1;
  const others = more > 0 ? ` once ${more} more ${more === 1 ? 'person has' : 'people have'} approved` : '';
  if (startAt !== undefined)
    return `It starts at the time shown${others && `,${others}`}; approved later, it waits until somebody resumes it. ${heldText(send, groups, exact, 'then')}`.trim();
  if (others === '') return heldText(send, groups, exact, 'at once') || 'It starts at once.';
  const quiet =
    kindOf(message).quietHoursType(message) === undefined ? '' : ', unless quiet hours hold it then';
  return `It starts${others}${quiet}.`;
}

function heldText(send: Send, groups: readonly Held[], exact: boolean, when: string): string {
  if (groups.length === 0) return '';
  const all = recipientsOf(send);
  const free = groups.reduce((left, { count }) => left - count, all);
  const about = exact ? '' : 'about ';
  const waits = groups.map(({ count, ends }) =>
    count === all ? `all ${shown(all)} wait until ${ends}` : `${about}${shown(count)} wait until ${ends}`,
  );
  const parts = free > 0 ? [`${about}${shown(free)} go out ${when}`, ...waits] : waits;
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function recipientsOf({ recipientCount, counts }: Pick<Send, 'recipientCount' | 'counts'>): number {
  return recipientCount - counts.skipped;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
