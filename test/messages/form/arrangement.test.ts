import { describe, expect, it } from 'vitest';
import { type Arrangeable, arrange, entryControls } from '../../../src/messages/form/arrangement.ts';

const parts: Arrangeable = { help: '', roots: ['a'], controls: () => [], blank: (path) => ({ at: path }) };

it('adds to a list, and opens a group, that nothing leads to yet', () => {
  expect(arrange({}, { does: 'add', path: 'a.b.list' }, parts)).toEqual({
    a: { b: { list: [{ at: 'a.b.list' }] } },
  });
  expect(arrange({ a: null }, { does: 'open', path: 'a.group' }, parts)).toEqual({
    a: { group: { at: 'a.group' } },
  });
});

it.each(['remove', 'up', 'down'] as const)('leaves a form alone where there is nothing to %s', (does) => {
  const entered = { a: { list: [1] } };
  expect(arrange(entered, { does, path: 'a.other.0' }, parts)).toBe(entered);
  expect(arrange(entered, { does, path: 'a.list.7' }, parts)).toEqual(entered);
  expect(arrange({}, { does, path: 'a.b' }, parts)).toEqual({});
});

it('moves nothing where something is opened', () => {
  const entered = { list: ['first', 'second'] };
  for (const does of ['open', 'add'] as const)
    expect(arrange(entered, { does, path: 'list.1' }, parts)).toEqual(entered);
});

describe('an entry of a list', () => {
  const entered = { a: { list: ['first', 'second', 'third'] } };
  const after = (does: 'remove' | 'up' | 'down', place: number) =>
    arrange(entered, { does, path: `a.list.${place}` }, parts);

  it.each([
    ['remove', 1, ['first', 'third']],
    ['up', 2, ['first', 'third', 'second']],
    ['up', 0, ['first', 'second', 'third']],
    ['down', 0, ['second', 'first', 'third']],
    ['down', 2, ['first', 'second', 'third']],
  ] as const)('%s %i', (does, place, list) => {
    expect(after(does, place)).toEqual({ a: { list } });
    expect(entered).toEqual({ a: { list: ['first', 'second', 'third'] } });
  });

  it('is added behind those that are there', () => {
    expect(arrange(entered, { does: 'add', path: 'a.list' }, parts)).toEqual({
      a: { list: ['first', 'second', 'third', { at: 'a.list' }] },
    });
  });

  it.each([
    [0, 1, 1, []],
    [0, 1, 0, ['remove: Remove row 1']],
    [0, 3, 1, ['down: Move row 1 down', 'remove: Remove row 1']],
    [1, 3, 1, ['up: Move row 2 up', 'down: Move row 2 down', 'remove: Remove row 2']],
    [2, 3, 3, ['up: Move row 3 up']],
  ] as const)(
    'at place %i of %i, of which %i must be, can be moved and removed so',
    (place, count, fewest, said) => {
      const controls = entryControls('a.rows', place, count, `row ${place + 1}`, fewest);
      expect(controls.map(({ does, label }) => `${does}: ${label}`)).toEqual(said);
      expect(controls.every(({ path }) => path === `a.rows.${place}`)).toBe(true);
    },
  );
});

it('removes a group, and opens nothing inside what is no group', () => {
  const entered = { a: { group: { at: 1 }, text: 'typed', none: null } };
  expect(arrange(entered, { does: 'remove', path: 'a.group' }, parts)).toEqual({
    a: { text: 'typed', none: null },
  });
  expect(arrange(entered, { does: 'open', path: 'a.text.inner' }, parts)).toBe(entered);
  expect(arrange(entered, { does: 'remove', path: 'a.none.inner' }, parts)).toBe(entered);
  for (const does of ['up', 'down'] as const)
    expect(arrange(entered, { does, path: 'a.group' }, parts)).toEqual(entered);
});
