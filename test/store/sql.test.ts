import { expect, it } from 'vitest';
import { compile, insertInto, sql, textOf, valuesOf } from '../../src/store/sql.ts';

it('numbers each named parameter once, in the words of each database', () => {
  const text = 'SELECT :b::text, :a FROM t WHERE a = :a AND at = :at';
  expect(compile(text, 'postgres')).toEqual({
    text: 'SELECT $1::text, $2 FROM t WHERE a = $2 AND at = $3',
    names: ['b', 'a', 'at'],
  });
  expect(compile('a = :a OR b = :a', 'sqlite')).toEqual({ text: 'a = ?1 OR b = ?1', names: ['a'] });
});

it('asks for lists, locks and the greater of two in the words of each database', () => {
  const text =
    'SELECT greatest(a, 1) FROM t WHERE a IN (:as...) AND b NOT IN (:bs...) FOR UPDATE SKIP LOCKED';
  expect(compile(text, 'postgres').text).toBe(
    'SELECT greatest(a, 1) FROM t WHERE a = ANY ($1) AND b <> ALL ($2) FOR UPDATE SKIP LOCKED',
  );
  expect(compile(text, 'sqlite').text).toBe(
    'SELECT max(a, 1) FROM t WHERE a IN (SELECT value FROM json_each(?1)) AND b NOT IN (SELECT value FROM json_each(?2))',
  );
});

it('puts parts together that differ', () => {
  const part = { sqlite: 'name', postgres: 'lower(name)' };
  const text = sql`SELECT * FROM t WHERE ${part} = ${':name'}`;
  expect(textOf(text, 'sqlite')).toBe('SELECT * FROM t WHERE name = :name');
  expect(textOf(text, 'postgres')).toBe('SELECT * FROM t WHERE lower(name) = :name');
});

it('takes values by name, and refuses a statement one of whose values was forgotten', () => {
  const compiled = compile(insertInto('t', { a: 1, b: 2 }), 'sqlite');
  expect(compiled.text).toBe('INSERT INTO t (a, b) VALUES (?1, ?2)');
  expect(valuesOf(compiled, { b: undefined, a: 1, c: 3 })).toEqual([1, undefined]);
  expect(() => valuesOf(compiled, { a: 1 })).toThrow('No value was given for :b');
});

it('gives every spelling of a number where a statement asks for them', () => {
  const compiled = compile('SELECT 1 FROM t WHERE id = :id AND number IN (:spellings...)', 'postgres');
  const values = (number: string | undefined) => valuesOf(compiled, { id: 1, number });
  expect(values('+525512345678')).toEqual([1, ['+525512345678', '+5215512345678']]);
  expect(values('+919812345678')).toEqual([1, ['+919812345678']]);
});
