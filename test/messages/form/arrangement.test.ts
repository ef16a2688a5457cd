import { expect, it } from 'vitest';
import { type Arrangeable, arrange } from '../../../src/messages/form/arrangement.ts';

const parts: Arrangeable = { roots: ['a'], controls: () => [], blank: (path) => ({ at: path }) };

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
