import { isDeepStrictEqual } from 'node:util';
import { type Placeholder, ruleHint } from './placeholder.ts';
import type { Template } from './template.ts';

const NOTHING = 'none';

/** What only templates of SMS have. */
export const SMS_FACTS = [
  ['Type', 'type'],
  ['DLT template id', 'dltTemplateId'],
  ['DLT entity id', 'entityId'],
] as const;

/** In what a template differs from how it was before, in the order of its form; empty when in nothing. */
export function templateDifferences(before: Template, after: Template) {
  const facts: readonly (readonly [string, (template: Template) => string])[] = [
    ['Kind', ({ variant }) => variant],
    ['Label', ({ label }) => label],
    ['Languages', ({ languages }) => languages.join(', ') || NOTHING],
    ...SMS_FACTS.map(
      ([what, key]) =>
        [what, (template: Template) => (template.channel === 'sms' && template[key]) || NOTHING] as const,
    ),
    ['Sample text', ({ text }) => text ?? NOTHING],
    ['Cards', ({ cards }) => String(cards)],
    ...Array.from(
      { length: Math.max(before.placeholders.length, after.placeholders.length) },
      (_none, index) =>
        [
          `{{${index + 1}}}`,
          ({ placeholders }: Template) => describePlaceholder(placeholders[index]),
        ] as const,
    ),
  ];
  return facts.flatMap(([what, read]) =>
    read(before) === read(after) ? [] : [{ what, before: read(before), after: read(after) }],
  );
}

/** A placeholder in one line: its name, an example, and its rule. */
export function describePlaceholder(placeholder: Placeholder | undefined): string {
  if (placeholder === undefined) return NOTHING;
  const { name, example, optional } = placeholder;
  const rule = ruleHint(placeholder);
  return [
    `${name}${example === undefined ? '' : `, e.g. ${example}`}.`,
    ...(rule === undefined ? [] : [rule]),
    ...(optional ? ['May stay empty.'] : []),
  ].join(' ');
}

/** True when both say the same, whatever order their keys are in. */
export function sameTemplate(one: Template, other: Template): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Without keys that hold nothing: stored templates do not have them. */
function plain(template: Template): unknown {
  return JSON.parse(JSON.stringify(template));
}
