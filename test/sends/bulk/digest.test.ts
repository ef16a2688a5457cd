import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import { digestFor } from '../../../src/sends/bulk/facts.ts';
import { LINKED } from '../../messages/linked.ts';
import { TEMPLATES } from '../../messages/samples.ts';
import { taken } from '../audiences/setting.ts';

/* What an approval covers: another digest for any other message, template, list, sender or time, and for nothing else. */

const RUNS = 500;

interface Covered {
  readonly message: Message;
  readonly startAt?: number | undefined;
  readonly recipientCount: number;
  readonly audience: { readonly digest: string; readonly columns: readonly string[] };
  readonly template?: object | undefined;
  readonly note?: string | undefined;
}

const digestOf = ({ audience, template, ...send }: Covered) =>
  digestFor(send as never, audience as never, template as never);

/** JSON only: whatever a message or a template may hold. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '","', '{"a":1}', 'null'),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom(...Object.values(LINKED).flat()),
  fc.record({
    kind: fc.constant('sms' as const),
    sender: text,
    text,
    type: fc.constantFrom('TRANS' as const, 'PROMO' as const),
    unicode: fc.boolean(),
  }),
);
const covered: fc.Arbitrary<Covered> = fc.record(
  {
    message,
    startAt: fc.integer({ min: 0, max: 3 }),
    recipientCount: fc.integer({ min: 1, max: 3 }),
    audience: fc.record({
      digest: fc.constantFrom('a', 'b', 'ab'),
      columns: fc.array(text, { maxLength: 3 }),
    }),
    template: fc.oneof(
      fc.constantFrom(...Object.values(TEMPLATES)),
      fc.dictionary(text, text, { maxKeys: 2 }),
    ),
    note: text,
  },
  { requiredKeys: ['message', 'recipientCount', 'audience'] },
);

/** Every leaf of a value, with a way to change it. */
function changes(value: unknown, put: (changed: unknown) => unknown): readonly unknown[] {
  if (typeof value === 'string') return [put(`${value} `), put(value === '' ? 'x' : value.slice(1))];
  if (typeof value === 'number') return [put(value + 1)];
  if (typeof value === 'boolean') return [put(!value)];
  if (Array.isArray(value))
    return [
      put([...value, 'more']),
      ...value.flatMap((item, index) => changes(item, (changed) => put(value.with(index, changed)))),
    ];
  return Object.entries(value ?? {}).flatMap(([key, item]) => [
    put(Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name !== key))),
    ...changes(item, (changed) => put({ ...(value as object), [key]: changed })),
  ]);
}

/** The same with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reordered(item)]),
  );
}

it('changes with every single value of what is approved', () => {
  fc.assert(
    fc.property(covered, (one) => {
      const before = digestOf(one);
      const others = changes(one, (changed) => changed).filter((other) => {
        const { message: words, audience } = other as Partial<Covered>;
        return words !== undefined && audience?.digest !== undefined && audience.columns !== undefined;
      }) as Covered[];
      for (const other of others) expect(digestOf(other)).not.toBe(before);
    }),
    { numRuns: RUNS },
  );
});

it('is the same for what is the same, whatever order the keys come in', () => {
  fc.assert(
    fc.property(covered, (one) => {
      expect(digestOf(reordered(one) as Covered)).toBe(digestOf(one));
      expect(digestOf({ ...one, startAt: one.startAt, template: one.template })).toBe(digestOf(one));
    }),
    { numRuns: RUNS },
  );
});

it('lets no text move from one place into the next', () => {
  const [first] = Object.values(LINKED).flat();
  const of = (...columns: string[]) =>
    digestOf({ message: first as Message, recipientCount: 1, audience: { digest: 'a', columns } });
  for (const joined of ['a,b', 'a","b', '"a","b"']) expect(of(joined)).not.toBe(of('a', 'b'));
});

it('covers every cell of the list, its place and its number', async () => {
  const cell = fc.constantFrom('a', 'b', 'ab', 'a b', '', '","', '[');
  const number = fc.constantFrom('+919812345678', '+919812345679', '+919812345680');
  const rows = fc.array(fc.tuple(number, cell, cell), { minLength: 1, maxLength: 3 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const csv = (list: readonly (readonly string[])[]) =>
    ['phone,one,two', ...list.map((cells) => cells.map(quoted).join(','))].join('\n');
  await fc.assert(
    fc.asyncProperty(rows, rows, async (one, other) => {
      const [first, second] = [await taken(csv(one)), await taken(csv(other))];
      const isSame = JSON.stringify(first.rows) === JSON.stringify(second.rows);
      expect(first.audience.digest === second.audience.digest).toBe(isSame);
    }),
    { numRuns: 40 },
  );
});
