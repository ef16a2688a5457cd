import { expect, test } from 'vitest';
import { columnsUsed } from '../../../src/messages/columns.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { createSurvey } from '../../../src/sends/bulk/survey.ts';
import type { NewRecipient } from '../../../src/sends/ports.ts';
import type { Survey } from '../../../src/sends/send.ts';

const NUMBER = '+919812345670' as Msisdn;
const LEFT_OUT = { what: 'It opted out.', next: 'Nothing.', scope: 'recipient' } as const;

function sms(text: string): Message {
  return { kind: 'sms', sender: 'ACMEIN', text, type: 'PROMO', unicode: false };
}

/** Looks at recipients in rows from 2, in batches as the lists come, with the columns of the text and of `more`. */
function surveyOf(text: string, recipients: readonly Partial<NewRecipient>[], ...more: readonly string[]) {
  const survey = createSurvey(sms(text), [...columnsUsed(text), ...more]);
  const all = recipients.map((one, index) => ({ row: index + 2, number: NUMBER, values: [], ...one }));
  for (let from = 0; from < all.length; from += 1_000) survey.look(all.slice(from, from + 1_000));
  return survey.result();
}

const texts = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_none, index) => ({ values: [text(index)] }));
const rowsOf = ({ rows }: Survey) => rows.map(({ row }) => row);

test('a text that is the same for all has no count, and recipients from all over the list', () => {
  const survey = surveyOf('Hello', Array(10_001).fill({}));
  expect(survey).toEqual({ recipients: 10_001, countries: { IN: 10_001 }, rows: expect.anything() });
  const rows = rowsOf(survey);
  expect([rows[0], rows.at(-1), rows.length]).toEqual([2, 10_002, 5]);
  // From all over the list: no two of them are far apart, and none are neighbours.
  const gaps = rows.slice(1).map((row, index) => row - (rows[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(4_000);
  expect(Math.min(...gaps)).toBeGreaterThan(1_000);
});

test('different texts are counted, and the shortest and the longest are among those shown', () => {
  const lines = texts(5_000, (index) => `Text number ${String(index % 1_234).padStart(4, '0')}`);
  lines[777] = { values: ['Hi'] };
  lines[4_321] = { values: ['Call +91 98123 45670 and tell them your one-time password.'] };
  const survey = surveyOf('{{text}}', lines);
  expect(survey.texts).toEqual({ count: 1_236, more: false });
  expect(survey.rows.filter(({ why }) => why !== undefined)).toEqual([
    { row: 779, why: 'shortest' },
    { row: 4_323, why: 'longest', alike: 1 },
  ]);
  expect(rowsOf(survey)).toEqual(rowsOf(survey).toSorted((a, b) => a - b));
  expect(rowsOf(survey)).toHaveLength(7);
});

test('what is counted is what recipients read, not the columns that make it', () => {
  const lines = [{ values: ['a', 'bc'] }, { values: ['ab', 'c'] }, { values: ['x', 'y'] }];
  expect(surveyOf('{{one}}{{two}}', lines).texts).toEqual({ count: 2, more: false });
});

test('who is left out is neither counted nor shown', () => {
  const lines = [{ values: ['no'], skipped: LEFT_OUT }, { values: ['Asha'] }, { values: ['Mei'] }];
  const survey = surveyOf('Hello {{name}}', [...lines, { values: ['no'], skipped: LEFT_OUT }]);
  expect(survey).toEqual({
    recipients: 2,
    countries: { IN: 2 },
    texts: { count: 2, more: false },
    rows: [
      { row: 3, why: 'longest' },
      { row: 4, why: 'shortest' },
    ],
  });
});

test('texts of one length have neither a shortest nor a longest', () => {
  expect(surveyOf('{{text}}', texts(3, String)).rows).toEqual([{ row: 2 }, { row: 3 }, { row: 4 }]);
});

test('of very many texts only so many are told apart, in bounded memory', () => {
  const lines = texts(150_000, (index) => `Text ${index}`);
  expect(surveyOf('{{text}}', lines).texts).toEqual({ count: 100_000, more: true });
});

test('recipients are counted by country, those of no country too', () => {
  const numbers = [NUMBER, NUMBER, '+6591234567', '+16502530000', '+14165550123', '+88312345678'] as Msisdn[];
  const lines = numbers.map((number) => ({ number }));
  expect(surveyOf('Hello', lines).countries).toEqual({ IN: 2, SG: 1, US: 1, CA: 1, '?': 1 });
});

test('rows with odd values and links that are not https are counted, in columns that are used only', () => {
  const lines = [
    { values: ['Asha', 'http://a.test', '#N/A'] },
    { values: ['null', 'https://b.test', ''] },
    { values: ['{name}', `http://${'c'.repeat(99)}`, ''] },
    { values: ['#REF!', '', ''], skipped: LEFT_OUT },
  ];
  const survey = surveyOf('{{name}}: {{link}}', lines, 'note');
  expect(survey.odd).toEqual({ count: 2, row: 3, column: 'name', value: 'null' });
  expect(survey.insecure).toEqual({ count: 2, row: 2, column: 'link', value: 'http://a.test' });
});

const NAMES = ['Asha', 'Ravi Kumar', 'Mei', 'Mary Ann Smith', 'Arun', 'Lakshmi', 'Chen Wei', 'Noor'];
const nameOf = (index: number) => `${NAMES[index % NAMES.length]}${'ab'[index % 2]}${index % 7}`;
const ORDER = (index: number) => `Your order ${index} of ${nameOf(index)} is on its way to you`;
const TRICK = 'You owe us 500 rupees, pay now to Kumar by Friday';

test('one row of thousands that says something else is found, wherever it stands', () => {
  for (const at of [0, 1, 1_777, 2_999]) {
    const lines = texts(3_000, ORDER);
    lines[at] = { values: [TRICK] };
    const survey = surveyOf('{{text}}', lines);
    expect(survey.different).toEqual([{ count: 1, row: at + 2, column: 'text', value: TRICK.slice(0, 40) }]);
    expect(survey.rows.filter(({ alike }) => alike !== undefined)).toMatchObject([{ row: at + 2, alike: 1 }]);
  }
});

test('a name that is a whole message is found among names, and names alone say nothing else', () => {
  const lines = texts(3_000, nameOf);
  expect(surveyOf('Hello {{name}}', lines).different).toBeUndefined();
  lines[1_234] = { values: ['Asha, call +91 98123 45670 and tell them your code'] };
  expect(surveyOf('Hello {{name}}', lines).different).toMatchObject([{ count: 1, row: 1_236 }]);
});

test('of a few texts the rare ones are counted, each with its first row', () => {
  const said = (index: number) =>
    index % 25 < 4 ? 'Your parcel is lost' : index === 24 ? 'Your parcel is here' : 'Your parcel is late';
  const survey = surveyOf('{{text}}', texts(3_000, said));
  expect(survey.different).toEqual([{ count: 481, row: 26, column: 'text', value: 'Your parcel is here' }]);
  const alike = survey.rows.flatMap((row) => (row.alike === undefined ? [] : [[row.row, row.alike]]));
  expect(alike).toEqual([
    [2, 480],
    [26, 1],
  ]);
});

test('cities, of which none is rare, say nothing else', () => {
  const city = (index: number) => ['Delhi', 'Pune', 'Delhi', 'Mumbai'][index % 4] as string;
  expect(surveyOf('In {{city}}', texts(3_000, city)).different).toBeUndefined();
});

test('where many rows differ much, the most different still stand first, of every column', () => {
  const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ');
  const word = (index: number, at: number) =>
    `${words[(index * (at + 3)) % 10]}${'abcdefgh'[(index >> at) % 8]}`;
  const long = (index: number) => Array.from({ length: 8 }, (_none, at) => word(index, at)).join(' ');
  const trick = `${TRICK} or we close your account and tell the police where you live and work today`;
  const lines = Array.from({ length: 3_000 }, (_none, index) => ({
    values: [index === 2_000 ? trick : long(index), index === 55 ? TRICK : nameOf(index)],
  }));
  const survey = surveyOf('{{text}} {{name}}', lines);
  expect(survey.different?.map(({ row, column }) => [row, column])).toEqual([
    [2_002, 'text'],
    [57, 'name'],
  ]);
  expect(survey.rows.length).toBeLessThanOrEqual(13);
});
