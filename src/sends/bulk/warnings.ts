import { withoutColumns } from '../../messages/columns.ts';
import { kindOf } from '../../messages/kinds.ts';
import { countryName } from '../../messages/numbers/phone-number.ts';
import { personalTexts } from '../../messages/personalise.ts';
import { DROPPED_IN_INDIA, type FreeText } from '../../messages/sms/free-text.ts';
import type { Template } from '../../messages/templates/template.ts';
import { insecureLink, unfilled } from '../../messages/text.ts';
import type { Audience } from '../audience.ts';
import type { FailureGroup } from '../ports.ts';
import type { QuietHoursByCountry } from '../quiet-hours.ts';
import type { OddRows, Send } from '../send.ts';
import { markSentence, type Warning } from '../templates/mark.ts';

/* Warnings that a machine can find about a send before people decide. They block nothing. The texts in them are untrusted. */

const CAUSES_SHOWN = 5;

/** Recipients whom quiet hours hold back until the same moment. */
type Held = ReturnType<typeof heldAt>[number];

/** @param countries how many recipients are of each, `?` for none */
export function heldAt(
  at: number,
  { message, origin }: Pick<Send, 'message' | 'origin'>,
  countries: Readonly<Record<string, number>>,
  quietHours: QuietHoursByCountry,
) {
  const deferralFor = origin.alert?.urgent ? undefined : quietHours(message, at);
  if (deferralFor === undefined) return [];
  const held = Object.entries(countries).flatMap(([code, count]) => {
    const deferral = deferralFor.in(code === '?' ? undefined : code);
    return deferral && count > 0 ? [{ code, count, ...deferral }] : [];
  });
  const groups = Map.groupBy(held, ({ ends }) => ends);
  return [...groups].map(([ends, group]) => ({
    /** `10:00 (Asia/Kolkata)` */
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
  /** Recipients by country code, `?` for none. */
  readonly countries: Readonly<Record<string, number>>;
  readonly freeText?: FreeText | undefined;
  /** Recipients whom quiet hours hold. */
  readonly held: readonly Held[];
  /** False: the numbers of `countries` and `held` are extrapolated. */
  readonly exact: boolean;
  /** The one of its template, at the service. */
  readonly mark: Warning | undefined;
}

/** A sentence each, the likeliest mistakes first. */
export function warningsOf(judged: Judged): readonly string[] {
  const { send, template } = judged;
  return [
    ...(judged.mark === undefined ? [] : [markSentence(judged.mark)]),
    ...dropped(judged),
    ...different(send),
    ...rows(send.survey?.odd, 'a value that reads oddly'),
    ...typedOddly(send),
    ...rows(send.survey?.insecure, 'a link that is not https'),
    ...insecureIn(send, template),
    ...openMedia(send),
    ...held(judged),
  ];
}

/** A text is known to the operators by its template. Where any text is allowed, nobody asks for one. */
function dropped({ send, countries, freeText = 'allowed' }: Judged): string[] {
  const { templateChannel, templateName } = kindOf(send.message);
  const isFree = templateChannel === 'sms' && templateName(send.message) === undefined;
  return isFree && freeText !== 'allowed' && countries.IN ? [DROPPED_IN_INDIA] : [];
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
  const found = personalTexts(message).flatMap((text) => unfilled(withoutColumns(text, '')) ?? []);
  return found.length === 0 ? [] : [`“${found[0]}” stands in the message as it was typed.`];
}

function insecureIn({ message }: Send, template: Template | undefined): string[] {
  const kind = kindOf(message);
  const texts = [kind.text(message, template) ?? '', ...kind.attachments(message).map(({ value }) => value)];
  const link = texts.map(insecureLink).find((found) => found !== undefined);
  return link === undefined ? [] : [`A link is not https: ${link.slice(0, 200)}`];
}

function openMedia({ survey }: Send): string[] {
  return (survey?.openMedia ?? []).map(
    (label) => `${label}: Herald could not see what the link leads to. Open it before you approve.`,
  );
}

function held({ send, held: groups, exact }: Judged): string[] {
  const all = recipientsOf(send);
  return groups.map(({ count, countries, ends }) => {
    const who =
      count === all ? `all ${shown(all)}` : `${exact ? '' : 'about '}${shown(count)} of ${shown(all)}`;
    return `Quiet hours hold ${who} people until ${ends}: ${countries.join(', ')}.`;
  });
}

/** How many rows were left out, when the list was read and when the send was asked for, and why; undefined for none. */
export function leftOutFor({ audience, failures }: Pick<Judged, 'audience' | 'failures'>) {
  const { duplicate = 0, opted_out = 0, invalid = 0 } = audience?.counts ?? {};
  const skipped = failures.filter(({ state }) => state === 'skipped');
  const causes = new Map<string, number>();
  const add = (what: string, count: number) => count > 0 && causes.set(what, (causes.get(what) ?? 0) + count);
  add(invalid === 1 ? 'wrong number' : 'wrong numbers', invalid);
  add('twice', duplicate);
  add('opted out', opted_out);
  for (const { count, failure } of skipped)
    add(failure.short ?? `(${failure.what.replace(/\.$/, '')})`, count);
  if (causes.size === 0) return undefined;
  const count = [...causes.values()].reduce((sum, one) => sum + one, 0);
  const named = [...causes].slice(0, CAUSES_SHOWN).map(([what, many]) => `${shown(many)} ${what}`);
  const more = causes.size > CAUSES_SHOWN ? ['…'] : [];
  return { count, why: [...named, ...more].join(', ') };
}

/** The same in a line. */
export function leftOut(judged: Pick<Judged, 'audience' | 'failures'>): string | undefined {
  const left = leftOutFor(judged);
  return left && `${shown(left.count)} ${left.count === 1 ? 'row' : 'rows'} left out: ${left.why}`;
}

/**
 * When a send goes out that is approved now.
 *
 * @param what the send in a few words, at the beginning of a sentence
 * @param missing approvals that it needs, this one included
 */
export function startText(
  send: Send,
  about: Pick<Judged, 'held' | 'exact'> & { readonly what: string; readonly missing: number },
): string {
  const { what, missing, held: groups, exact } = about;
  const { message, startAt } = send;
  const more = missing - 1;
  const others = more > 0 ? ` once ${more} more ${more === 1 ? 'person has' : 'people have'} approved` : '';
  if (startAt !== undefined)
    return `${what} goes out at the time shown${others && `,${others}`}; approved later, it waits until somebody resumes it. ${heldText(send, groups, exact, 'then')}`.trim();
  if (others === '' && groups.length > 0) return `${what}: ${heldText(send, groups, exact, 'at once')}`;
  const isHeld = others !== '' && kindOf(message).quietHoursType(message) !== undefined;
  return `${what} goes out${others || ' at once'}${isHeld ? ', unless quiet hours hold it then' : ''}.`;
}

function heldText(send: Send, groups: readonly Held[], exact: boolean, when: string): string {
  const all = recipientsOf(send);
  const free = groups.reduce((left, { count }) => left - count, all);
  const about = exact ? '' : 'about ';
  const waits = groups.map(({ count, ends }) =>
    count === all
      ? `all ${shown(all)} wait until ${ends}`
      : `${about}${shown(count)} ${count === 1 ? 'waits' : 'wait'} until ${ends}`,
  );
  const parts =
    free > 0 ? [`${about}${shown(free)} ${free === 1 ? 'goes' : 'go'} out ${when}`, ...waits] : waits;
  return groups.length === 0 ? '' : `${parts.join('; ')}.`;
}

export function recipientsOf({ recipientCount, counts }: Pick<Send, 'recipientCount' | 'counts'>): number {
  return recipientCount - counts.skipped;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
