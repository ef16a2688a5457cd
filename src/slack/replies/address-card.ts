import type { types } from '@slack/bolt';
import type { AddressTable } from '../../messages/address/message.ts';
import type { AddressEvent } from '../../sends/replies/event.ts';
import { LIMITS } from '../connection/limits.ts';
import { context, section } from '../kit/blocks/blocks.ts';
import { masked, whose } from '../kit/cards/answer-control.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { type AnswersOptions, tagged } from './card.ts';

/** Customers of one table: a column each, beside the fields' names, in the width of a channel. */
export const ADDRESSES_SHOWN = 4;
const SHOWN_VALUE = 200;
const SHOWN_NAME = 60;

/** Addresses as a table: a row a field, a column a customer. Numbers are masked. */
export function addressesCard(
  addresses: readonly AddressEvent[],
  table: AddressTable,
  { tag, note, controls = [] }: AnswersOptions,
): Card {
  const fields = [...new Set(addresses.flatMap(({ values }) => values.map(({ name }) => name)))];
  const people = addresses.map(whose);
  const rows = fields
    .slice(0, LIMITS.tableRows - 1)
    .map((name) => [
      titleOf(name, table),
      ...addresses.map(({ values }) => values.find((field) => field.name === name)?.value ?? ''),
    ]);
  const sentence = `🏠 Address from ${people.join(', ')}`;
  const lines = rows.map(
    ([field, ...values]) => `${field}: ${values.map((value) => masked(value, SHOWN_VALUE)).join(' | ')}`,
  );
  return {
    text: tagged(tag, [sentence, ...lines].join('\n'), 2_800),
    blocks: [
      section(tagged(tag, sentence, 500)),
      {
        type: 'table',
        rows: [['Field', ...people], ...rows].map((row) => row.map(cell)),
      } as types.TableBlock,
      ...controls,
      ...(note === undefined ? [] : [context(note)]),
    ],
  };
}

/** A cell of a table may not be empty. */
function cell(value: string): { readonly type: 'raw_text'; readonly text: string } {
  return { type: 'raw_text', text: masked(value, SHOWN_VALUE) || '–' };
}

/** The table's display label; a field that it does not have goes by its own name. */
function titleOf(name: string, table: AddressTable): string {
  const known = Object.hasOwn(table, name) ? table[name]?.label : undefined;
  return known ?? masked(name, SHOWN_NAME);
}
