import type { InputBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KINDS,
  kindOf,
  MESSAGE_KINDS,
  type Message,
  type MessageKind,
} from '../../../../src/messages/kinds.ts';
import { parseSubmission } from '../../../../src/messages/parse-submission.ts';
import type { Template } from '../../../../src/messages/templates/template.ts';
import { formBlocks, type Leaf, leavesOf } from '../../../../src/slack/kit/forms/form-blocks.ts';
import { putAt, valueAt } from '../../../../src/slack/kit/forms/path.ts';
import { previewBlocks } from '../../../../src/slack/kit/forms/preview-blocks.ts';
import { type FormValues, readState, type StateValues } from '../../../../src/slack/kit/forms/read-state.ts';
import {
  addressFormIn,
  addressFormSg,
  buttonForm,
  IN_NUMBER,
  listForm,
  SG_NUMBER,
} from '../../../messages/interactive-samples.ts';
import { LINKED } from '../../../messages/linked.ts';
import { CONTEXT, RCS_TEMPLATES, TEMPLATES } from '../../../messages/samples.ts';

/*
 * What a form holds comes back from Slack as it was, whatever was typed: value → blocks → state → value, for the form of
 * every kind and template.
 */

const RUNS = 40;
type Values = Record<string, unknown>;

/** A form with values that keep every rule, to be varied. */
interface Case {
  readonly kind: MessageKind;
  readonly template?: Template;
  readonly values: Values;
}

const LINK = 'https://acme.test/a.png';
const SMS = { to: IN_NUMBER, sender: 'ACMEIN', text: 'Hello', type: 'TRANS' };
const TEMPLATED: readonly Case[] = [...Object.values(TEMPLATES), ...Object.values(RCS_TEMPLATES)].map(
  (template) => ({
    kind: template.channel,
    template,
    values: {
      template: template.name,
      to: IN_NUMBER,
      from: '+919876543210',
      botId: 'acme-bot',
      type: 'PRETRANS',
      otp: '481516',
      language: 'en',
      params: template.placeholders.map(() => 'Asha'),
      header: { link: LINK.replace('png', template.variant === 'video' ? 'mp4' : 'png'), filename: 'a.pdf' },
      content: Array.from({ length: template.cards }, () => ({ fileUrl: LINK })),
    },
  }),
);
const CASES: readonly Case[] = [
  ...TEMPLATED,
  { kind: 'sms', values: SMS },
  { kind: 'flash', values: SMS },
  ...[buttonForm(), listForm()].map((values) => ({ kind: 'interactive' as const, values })),
  ...[addressFormIn(), addressFormSg()].map((values) => ({ kind: 'address' as const, values })),
  ...(['interactive', 'address'] as const).flatMap((kind) =>
    LINKED[kind].map((message) => ({
      kind,
      values: { ...kindOf(message).formValues(message), to: numberFor(message) },
    })),
  ),
];

/** An address is asked of somebody in its country. */
function numberFor(message: Message): string {
  return message.kind === 'address' && message.country === 'SG' ? SG_NUMBER : IN_NUMBER;
}

function formOf({ kind, template }: Case, entered: unknown) {
  return KINDS[kind].form({ ...CONTEXT, ...(template && { template }), entered });
}

/** What Slack says when the form is submitted untouched: every input as it was shown. */
function untouched(blocks: readonly InputBlock[]): StateValues {
  return Object.fromEntries(
    blocks.map(({ block_id: id = '', element }) => {
      const shown = element as { type: string; action_id: string } & Record<string, unknown>;
      const { initial_value: value = null, initial_option, initial_options = [] } = shown;
      const state = {
        type: shown.type,
        value,
        selected_option: initial_option,
        selected_options: initial_options,
      };
      return [id, { [shown.action_id]: state }];
    }),
  ) as StateValues;
}

const throughSlack = (one: Case, values: unknown) =>
  readState(untouched(formBlocks(formOf(one, values), { values })));

/** No name between colons: Slack hands emoji on so, and they come back as characters. */
const typed = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      '  a  ',
      'a\nb',
      '<!channel> & <b>',
      '{{name}}',
      '{{1}}',
      '0',
      '-1',
      'null',
      '__proto__',
      '=1+1',
    ),
  )
  .filter((text) => text.isWellFormed() && !text.includes(':'));

function valueFor({ kind, options }: Leaf): fc.Arbitrary<unknown> {
  if (kind === 'choice') return fc.constantFrom(...options);
  if (kind === 'choices') return fc.uniqueArray(fc.constantFrom(...options), { minLength: 1 });
  if (kind === 'number') return fc.integer();
  return typed;
}

/** The case with some of its fields changed; at most one in three, so that many keep the form's rules. */
function varied(one: Case): fc.Arbitrary<Values> {
  const leaves = leavesOf(formOf(one, one.values));
  return fc
    .tuple(...leaves.map((leaf) => fc.option(valueFor(leaf), { freq: 3 })))
    .chain((values) => fc.nat({ max: leaves.length }).map((from) => ({ values, from })))
    .map(({ values, from }) => {
      const changed = structuredClone(one.values);
      for (const [index, value] of values.entries())
        if (value !== null && index >= from) putAt(changed, leaves[index]?.path ?? '', value);
      return changed;
    });
}

const nameOf = ({ kind, template, values }: Case, place: number) =>
  `${kind} ${template?.variant ?? JSON.stringify(valueAt(values, 'interactive.type') ?? place)}`;

describe.each(CASES.map((one, place) => ({ name: `${place}: ${nameOf(one, place)}`, one })))(
  '$name',
  ({ one }) => {
    it('holds what was typed, in every field', () => {
      fc.assert(
        fc.property(varied(one), (values) => {
          const back = throughSlack(one, values);
          for (const { path, kind, options, meta } of leavesOf(formOf(one, values))) {
            const given = valueAt(values, path) ?? meta.initial ?? null;
            const held = kind === 'choice' && !options.includes(String(given)) ? null : given;
            expect([path, valueAt(back, path)]).toEqual([path, held === '' ? null : held]);
          }
        }),
        { numRuns: RUNS },
      );
    });

    it('is told of every field that its preview shows', () => {
      const shown = (values: FormValues) => JSON.stringify(previewBlocks(one.kind, one.template, values));
      const untold = leavesOf(formOf(one, one.values)).filter(({ path, kind, options, meta }) => {
        const given = valueAt(one.values, path) ?? meta.initial;
        const other = structuredClone(one.values);
        const value = kind === 'text' ? `${given ?? ''}9` : options.find((option) => option !== given);
        putAt(other, path, kind === 'choices' ? [value] : value);
        return !meta.affectsPreview && !meta.reshapes && shown(other) !== shown(one.values);
      });
      expect(untold.map(({ path }) => path)).toEqual([]);
    });

    it('gives the message again that was made of it', () => {
      let messages = 0;
      fc.assert(
        fc.property(varied(one), (values) => {
          const context = { ...CONTEXT, ...(one.template && { template: one.template }) };
          const first = parseSubmission(one.kind, context, throughSlack(one, values));
          if (!first.ok) return;
          messages += 1;
          const { message, to } = first.value;
          const again = { ...kindOf(message).formValues(message), to, otp: valueAt(values, 'otp') };
          expect(parseSubmission(one.kind, context, throughSlack(one, again))).toEqual(first);
        }),
        { numRuns: RUNS },
      );
      expect(messages).toBeGreaterThan(0);
    });
  },
);

it('is asked of every kind', () => {
  expect([...new Set(CASES.map(({ kind }) => kind))].toSorted()).toEqual(MESSAGE_KINDS.toSorted());
});
