import { expect, it } from 'vitest';
import { compile, insertInto, valuesOf } from '../../src/store/sql.ts';

it('numbers each named parameter once, in the words of each database', () => {
  const text = 'SELECT :b::text, :a FROM t WHERE a = :a AND at = :at';
  expect(compile(text, 'postgres')).toEqual({
    text: 'SELECT $1::text, $2 FROM t WHERE a = $2 AND at = $3',
    names: ['b', 'a', 'at'],
  });
  expect(compile('a = :a OR b = :a', 'sqlite')).toEqual({ text: 'a = ?1 OR b = ?1', names: ['a'] });
});

it('takes values by name, and refuses a statement one of whose values was forgotten', () => {
  const compiled = compile(insertInto('t', { a: 1, b: 2 }), 'sqlite');
  expect(compiled.text).toBe('INSERT INTO t (a, b) VALUES (?1, ?2)');
  expect(valuesOf(compiled, { b: undefined, a: 1, c: 3 })).toEqual([1, undefined]);
  expect(() => valuesOf(compiled, { a: 1 })).toThrow('No value was given for :b');
});
