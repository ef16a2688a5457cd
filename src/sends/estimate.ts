import { CHANNELS, type Channel, KINDS, kindOf, type Message, type MessageKind } from '../messages/kinds.ts';
import { countryOf } from '../messages/numbers/phone-number.ts';
import { createPersonaliser, isSameForAll } from '../messages/personalise.ts';
import type { AudienceRow } from './audience.ts';
import type { Prices } from './settings.ts';

/** How many requests a second a channel starts, and how many recipients one of them may serve. */
export type Pacing = Readonly<
  Record<Channel, { readonly perSecond: number; readonly recipientsPerRequest?: number }>
>;

/** How long sending takes at full pace, in milliseconds. */
export function durationOf(message: Message, recipients: number, pacing: Pacing): number {
  const { perSecond, recipientsPerRequest = 1 } = pacing[KINDS[message.kind].channel];
  const together = isSameForAll(message) ? recipientsPerRequest : 1;
  return (Math.ceil(recipients / together) / perSecond) * 1_000;
}

/** Recipients by country code, `?` for numbers of no country; scaled to `recipients` where `rows` are a sample. */
export function countriesOf(rows: readonly Pick<MeasuredRow, 'number'>[], recipients: number) {
  const groups = Map.groupBy(rows, ({ number }) => countryOf(number) ?? '?');
  return Object.fromEntries<number>(
    [...groups].map(([country, of]) => [country, Math.round((of.length * recipients) / rows.length)]),
  );
}

/** The cost of a recipient depends on these. */
type MeasuredRow = Pick<AudienceRow, 'number' | 'values'>;

export type Estimate = ReturnType<typeof estimate>;

/**
 * How many SMS parts a send takes and what it costs.
 *
 * @param rows all recipients, or a sample
 * @param recipients how many there are: totals are scaled to them
 */
export function estimate(
  message: Message,
  columns: readonly string[],
  rows: readonly MeasuredRow[],
  recipients: number,
  prices: Prices | undefined,
) {
  const scale = rows.length === 0 ? 0 : recipients / rows.length;
  const segmentsOf = (one: Message) => kindOf(one).segments(one);
  const personalised = createPersonaliser(message, columns);
  const parts = rows.map(({ values }) => segmentsOf(personalised(values)) ?? 1);
  const inParts = segmentsOf(message) !== undefined;
  const cost = prices && costOf(message.kind, rows, parts, prices);
  return {
    /** False when it was extrapolated from a sample. */
    exact: rows.length === recipients,
    /** Of SMS and flash SMS. */
    ...(inParts && rows.length > 0 ? { segments: rangeOf(parts, scale) } : {}),
    /** Absent when no country of the recipients has a price. */
    ...(cost ? { cost: { ...cost, amount: cost.amount * scale } } : {}),
  };
}

function rangeOf(parts: readonly number[], scale: number) {
  const total = parts.reduce((sum, count) => sum + count, 0);
  return { fewest: Math.min(...parts), most: Math.max(...parts), total: Math.round(total * scale) };
}

function costOf(kind: MessageKind, rows: readonly MeasuredRow[], parts: readonly number[], prices: Prices) {
  const byCountry: Readonly<Record<string, number>> = prices[CHANNELS[KINDS[kind].channel].pricedAs] ?? {};
  /** Codes of countries without a price, which `amount` leaves out; `?` for numbers of no country. */
  const unpriced = new Set<string>();
  let amount = 0;
  let priced = 0;
  for (const [index, { number }] of rows.entries()) {
    const country = countryOf(number) ?? '?';
    const price = Object.hasOwn(byCountry, country) ? byCountry[country] : undefined;
    if (price === undefined) unpriced.add(country);
    else {
      priced += 1;
      amount += price * (parts[index] ?? 1);
    }
  }
  return priced === 0 ? undefined : { currency: prices.currency, amount, unpriced: [...unpriced].sort() };
}
