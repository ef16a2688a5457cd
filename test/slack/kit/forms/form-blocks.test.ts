import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import { field } from '../../../../src/messages/form/form.ts';
import { modal } from '../../../../src/slack/kit/blocks/blocks.ts';
import { type FormOptions, formBlocks, initialValues } from '../../../../src/slack/kit/forms/form-blocks.ts';
import { outline } from '../../outline.ts';
import { textsOf } from '../../texts-of.ts';

/** Slack itself, as far as the sandbox knows its rules: no form may show what Slack would refuse. */
function shown(schema: z.ZodType, options?: FormOptions) {
  const blocks = formBlocks(schema, options);
  const text = (words: string) => ({ type: 'plain_text', text: words });
  expect(validateView({ type: 'modal', title: text('T'), submit: text('S'), blocks })).toEqual([]);
  return blocks;
}

const text = z.string().meta(field({ label: 'Text' }));
const outlined = (schema: z.ZodType, options?: FormOptions) =>
  outline({ ...modal({ title: 'T', submit: 'S', blocks: formBlocks(schema, options) }) });

describe('one leaf', () => {
  test('a text, with all that its meta says', async () => {
    const schema = z.object({
      to: z.string().meta(
        field({
          label: 'To',
          hint: 'One number.',
          placeholder: '+91…',
          initial: '+65',
          affectsPreview: true,
          maxLength: 20,
        }),
      ),
    });
    await expect(outlined(schema)).toMatchFileSnapshot('golden/text.txt');
  });

  test('several lines; a URL; a number; a choice; several choices', async () => {
    const schema = z.object({
      text: z.string().meta(field({ label: 'Text', multiline: true })),
      link: z.string().meta(field({ label: 'Link', initial: 'https://a.example' })),
      count: z.number().meta(field({ label: 'Count', initial: '3' })),
      type: z.enum(['A', 'B']).meta(field({ label: 'Type', optionLabels: { A: 'First' }, initial: 'A' })),
      groups: z.array(z.enum(['x', 'y'])).meta(field({ label: 'Groups' })),
    });
    await expect(outlined(schema, { values: { groups: ['y'] } })).toMatchFileSnapshot('golden/leaves.txt');
  });
});

describe('the walk', () => {
  const words = field({ label: 'Leaf' });
  const read = z
    .string()
    .optional()
    .transform((value) => value ?? '');
  const prepared = z.preprocess((value) => value || undefined, z.string());
  test.each<[string, z.ZodType, boolean]>([
    ['a string', z.string().meta(words), true],
    ['an optional', z.string().optional().meta(words), false],
    ['an optional around its words', z.string().meta(words).optional(), false],
    ['an optional that is read', read.meta(words), false],
    ['a required one behind a preprocess', prepared.meta(words), true],
  ])('%s must be filled: %#', (_name, leafSchema, required) => {
    const [block] = shown(z.object({ a: leafSchema }));
    expect(block?.optional ?? false).toBe(!required);
  });

  test.each([
    ['a value no input stands for', z.date().meta(words), 'cannot ask for a value of type date'],
    ['a field without words', z.string(), 'asks for “a” without words'],
  ])('%s is a bug, and says so', (_name, leaf, why) => {
    expect(() => formBlocks(z.object({ a: leaf }))).toThrow(why);
  });
});

describe('what Slack could not hold', () => {
  const long = '👩‍👩‍👧‍👦'.repeat(400);

  test('words are cut with an ellipsis, and no character is cut in two', () => {
    const schema = z.object({
      a: z
        .enum(['x', 'y'])
        .meta(field({ label: long, hint: long, placeholder: long, optionLabels: { x: long } })),
    });
    const texts = textsOf(shown(schema)).split('\n');
    expect(texts.filter((words) => /^(?:👩‍👩‍👧‍👦){6,}…$/u.test(words))).toHaveLength(4);
    expect(texts.filter((words) => !words.endsWith('…'))).toEqual(['y']);
  });

  const limited = z.string().meta(field({ label: 'A', maxLength: 5 }));
  const choice = z.enum(['x']).meta(field({ label: 'A' }));
  test.each<[string, z.ZodType, string, object]>([
    ['a value that fits is shown', text, 'x'.repeat(3000), { initial_value: 'x'.repeat(3000) }],
    ['a longer one is never cut, but left out', text, 'x'.repeat(3001), { initial_value: undefined }],
    ['nor is half a character ever made a whole one', text, 'Hi \ud83d', { initial_value: undefined }],
    [
      'one over the field’s own limit is shown whole, for its sentence to come when it is submitted',
      ...([limited, 'too long', { initial_value: 'too long', max_length: 8 }] as const),
    ],
    ['a choice that is not offered is left open', choice, 'gone', { initial_option: undefined }],
  ])('%s', (_name, leaf, value, expected) => {
    const [block] = shown(z.object({ a: leaf }), { values: { a: value } });
    const element: Record<string, unknown> = { ...block?.element };
    for (const [key, wanted] of Object.entries(expected)) expect(element[key]).toBe(wanted);
  });

  test('more than a hundred choices come in groups', () => {
    const values = Array.from({ length: 250 }, (_none, index) => `v${index}`);
    const [block] = shown(z.object({ a: z.enum(values).meta(field({ label: 'A' })) }), {
      values: { a: 'v249' },
    });
    const element = block?.element as unknown as {
      option_groups: { label: { text: string }; options: unknown[] }[];
      initial_option: object;
    };
    expect(element.option_groups.map((group) => [group.label.text, group.options.length])).toEqual([
      ['1 to 100', 100],
      ['101 to 200', 100],
      ['201 to 250', 50],
    ]);
    expect(element.initial_option).toMatchObject({ value: 'v249' });
  });
});

test('what is known wins over what a field would hold; what is omitted is not shown; suffixes are the caller’s', () => {
  const schema = z.object({
    template: text,
    to: z.string().meta(field({ label: 'To', initial: '+91' })),
    params: z.tuple([text]),
    header: z.object({ link: text }),
  });
  const blocks = shown(schema, {
    values: { to: '', params: ['Asha'] },
    omit: ['template', 'header'],
    suffixOf: (path) => (path.startsWith('params') ? 'order~1' : undefined),
  });
  expect(
    blocks.map((block) => [block.block_id, (block.element as { initial_value?: string }).initial_value]),
  ).toEqual([
    ['to', undefined],
    ['params.0:order~1', 'Asha'],
  ]);
});

test('initial values come as one nested value', () => {
  const begun = z.string().meta(field({ label: 'Begun', initial: 'x' }));
  const schema = z.object({
    from: z.enum(['a', 'b']).meta(field({ label: 'From', initial: 'b' })),
    to: text,
    header: z.object({ type: begun }),
    list: z.tuple([text, begun]),
  });
  const list: unknown[] = [];
  list[1] = 'x';
  expect(initialValues(schema)).toEqual({ from: 'b', header: { type: 'x' }, list });
});
