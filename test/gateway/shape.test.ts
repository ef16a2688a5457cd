import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/gateway/json.ts';
import { compileShape, type ShapeValues } from '../../src/gateway/shape.ts';
import { table } from '../table.ts';

const RULES = { allowed: ['to', 'text', 'list', 'code', 'flag'], required: [] };

function fill(shape: unknown, values: ShapeValues): JsonValue {
  const compiled = compileShape(shape, RULES);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return compiled.value.fill(values);
}

function problems(shape: unknown, rules = RULES) {
  const compiled = compileShape(shape, rules);
  return compiled.ok ? [] : compiled.error;
}

describe('filling', () => {
  it.each(table`
keeps a list a list | { "to": "{{list}}" } | { "list": ["a", "b"] } | { "to": ["a", "b"] }
a list at the top | [{ "to": "{{to}}" }, "{{code}}"] | { "to": "1" } | [{ "to": "1" }]
a list of nothing | ["{{to}}"] | {} | []
keeps a number a number | { "unicode": "{{flag}}" } | { "flag": 0 } | { "unicode": 0 }
keeps an empty list and an empty text | { "a": "{{list}}", "b": "{{text}}" } | { "list": [], "text": "" } | { "a": [], "b": "" }
allows blanks inside the braces | { "a": "{{ text }}" } | { "text": "x" } | { "a": "x" }
writes into longer text | { "a": "tel:{{to}};{{code}}!" } | { "to": "+65", "code": 7 } | { "a": "tel:+65;7!" }
joins a list inside longer text | { "a": "[{{list}}]" } | { "list": ["1", "2"] } | { "a": "[1,2]" }
drops what has no value | { "a": "{{text}}", "b": 1 } | {} | { "b": 1 }
drops longer text without its value | { "a": "x{{text}}", "b": 1 } | {} | { "b": 1 }
drops objects left empty | { "language": { "code": "{{code}}" }, "b": 1 } | {} | { "b": 1 }
drops lists left empty | { "content": [{ "params": "{{list}}" }], "b": 1 } | {} | { "b": 1 }
keeps objects that say something else | { "header": { "type": "image", "link": "{{text}}" } } | {} | { "header": { "type": "image" } }
keeps empty objects and lists of the shape | { "a": {}, "b": [] } | {} | { "a": {}, "b": [] }
keeps fixed values | { "a": [1, true, null, "x"] } | {} | { "a": [1, true, null, "x"] }
fills each value once | { "a": "{{text}}", "b": "x{{text}}" } | { "text": "{{to}}", "to": "1" } | { "a": "{{to}}", "b": "x{{to}}" }`)(
    '%s',
    (_name, shape = '', values = '', body = '') => {
      expect(fill(JSON.parse(shape), JSON.parse(values))).toEqual(JSON.parse(body));
    },
  );

  it('takes no value that is inherited', () => {
    expect(fill({ a: '{{text}}' }, Object.create({ text: 'inherited' }))).toEqual({});
  });

  it('can be filled many times without remembering', () => {
    const compiled = compileShape({ a: ['{{text}}'] }, RULES);
    if (!compiled.ok) throw new Error('must compile');
    expect([
      compiled.value.fill({ text: '1' }),
      compiled.value.fill({}),
      compiled.value.fill({ text: '2' }),
    ]).toEqual([{ a: ['1'] }, {}, { a: ['2'] }]);
  });

  it('knows its placeholders, its keys and which required values are missing', () => {
    const compiled = compileShape(
      { to: '{{to}}', deep: [{ text: 'x{{text}}' }] },
      { allowed: ['to', 'text', 'list'], required: ['text', ['to', 'list']] },
    );
    if (!compiled.ok) throw new Error('must compile');
    const { names, keys, missing } = compiled.value;
    expect([[...names], [...keys], missing({ to: '1' }), missing({ to: '1', text: '' })]).toEqual([
      ['to', 'text'],
      ['to', 'deep', 'text'],
      ['text'],
      [],
    ]);
  });
});

describe('problems', () => {
  const known = '{{to}}, {{text}}, {{list}}, {{code}}, {{flag}}';
  const said = (shape: unknown, rules = RULES) =>
    problems(shape, rules).map(({ path, message }) => `${JSON.stringify(path)} ${message}`);

  it.each(table`
neither an object nor a list | "{{to}}" | [] A body must be an object of field names and values, or a list; write one.
no value | null | [] A body must be an object of field names and values, or a list; write one.
an unknown placeholder in a list | { "a": { "b": ["{{number}}"] } } | ["a","b",0] {{number}} is no placeholder of this body; use one of ${known}.
an unknown placeholder in a text | { "c": "x {{who}} y" } | ["c"] {{who}} is no placeholder of this body; use one of ${known}.
a broken placeholder | { "a": "{{to" } | ["a"] "{{" opens a placeholder that is not complete; write one of ${known}.
a placeholder as a key | { "{{to}}": 1 } | ["{{to}}"] A placeholder can stand for a value only; write the field name out.
a key that every object inherits | { "__proto__": { "admin": true } } | ["__proto__"] "__proto__" cannot be a field name; rename or remove it.
another one, deeper | { "a": { "constructor": 1 } } | ["a","constructor"] "constructor" cannot be a field name; rename or remove it.`)(
    '%s',
    (_name, shape = '', expected = '') => {
      expect(said(JSON.parse(shape))).toEqual([expected]);
    },
  );

  it('values that are not JSON, all at once', () => {
    const sentence = 'This is no JSON value; use text, a number, true, false, null, a list or an object.';
    expect(said({ a: new Date(0), b: Number.NaN, c: undefined })).toEqual([
      `["b"] ${sentence}`,
      `["c"] ${sentence}`,
    ]);
  });

  it('a body too deep, as one that leads in circles, is refused without harm', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    const place = JSON.stringify(['a', ...Array(16).fill(0)]);
    expect(said({ a: circle })).toEqual([
      `${place} A body may be nested 16 levels deep at most; make it flatter.`,
    ]);
  });

  it('a required placeholder that is not used', () => {
    const required = ['text', 'code', ['to', 'list']] as never;
    expect(said({ a: '{{text}}' }, { ...RULES, required })).toEqual([
      '[] The body must carry {{code}}; add it as a value.',
      '[] The body must carry {{to}} or {{list}}; add it as a value.',
    ]);
  });
});
