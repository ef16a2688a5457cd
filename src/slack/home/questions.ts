import type { KnownBlock } from '@slack/types';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { StoredCustomerEvent } from '../../sends/replies/ports.ts';
import { header, moment, section } from '../kit/blocks/blocks.ts';
import { shown } from '../kit/cards/words.ts';

/** Questions older than this are left to those who remember them. */
export const QUESTIONS_MS = 30 * 24 * 60 * 60_000;
/** More than anybody answers at a sitting. */
export const MOST_QUESTIONS = 200;
export const SHOWN_QUESTIONS = 8;

/** What customers wrote and nobody has answered. */
export interface Questions {
  readonly count: number;
  /** The newest, with links to where they stand. */
  readonly newest: readonly { readonly question: StoredCustomerEvent; readonly link?: string | undefined }[];
}

/** How many wait, and a way to each of the newest; nothing where none does. */
export function questionBlocks({ count, newest }: Questions): KnownBlock[] {
  if (count === 0) return [];
  const some = `${shown(count)}${count < MOST_QUESTIONS ? '' : ' or more'}`;
  const lines = newest.map(({ question: { event, askedAt = 0 }, link }) =>
    [
      `✍️ ${event.from === undefined ? 'A customer' : maskNumber(event.from)}`,
      moment(askedAt),
      ...(link === undefined ? [] : [`<${link}|Open>`]),
    ].join(' · '),
  );
  const left = count > newest.length ? ['… and older ones, once these are answered'] : [];
  return [header(`Waiting for an answer: ${some}`), section([...lines, ...left].join('\n'))];
}
