import type { Button, StaticSelect } from '@slack/types';
import { maskPhoneNumbers } from '../../../core/secrets-in-text.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { StoredCustomerEvent } from '../../../sends/replies/ports.ts';
import { showInvisible } from '../../connection/escape.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { button, option, select } from '../blocks/blocks.ts';

/** Opens the form of a message to a customer; carries the id of the event that it answers, never a number. */
export const ANSWER_ACTION = 'answer_customer';

/** A button where one customer can be answered, a choice where several can, those who wrote first. */
export function answerControl(events: readonly StoredCustomerEvent[]): (Button | StaticSelect)[] {
  const newest = new Map(events.map((one) => [one.event.from, one]));
  const [first, ...others] = [...newest.values()]
    .filter(({ event, optedOut }) => event.from !== undefined && !optedOut)
    .toSorted((one, other) => Number(other.askedAt !== undefined) - Number(one.askedAt !== undefined));
  if (first === undefined) return [];
  if (others.length === 0) return [button(ANSWER_ACTION, 'Answer', String(first.id))];
  const options = [first, ...others]
    .slice(0, LIMITS.selectOptions)
    .map((one) => option(saidBy(one), String(one.id)));
  return [select(ANSWER_ACTION, options, undefined, 'Answer…')];
}

function saidBy({ event }: StoredCustomerEvent): string {
  const said = wordsOf(event);
  return said === undefined ? whose(event) : `${whose(event)}: ${masked(said, LIMITS.optionText)}`;
}

/** Names the customer, masked. */
export function whose({ from }: Pick<StoredCustomerEvent['event'], 'from'>): string {
  return from === undefined ? 'a customer' : maskNumber(from);
}

/** Finds what the customer wrote or tapped. */
export function wordsOf(event: StoredCustomerEvent['event']): string | undefined {
  if (event.kind === 'text') return event.text;
  return event.kind === 'reply' ? event.title : undefined;
}

/** Foreign text in plain text: what is invisible is shown, and numbers are masked. */
export function masked(untrusted: string, most: number): string {
  return truncate(maskPhoneNumbers(showInvisible(untrusted)), most);
}
