import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { kindOf, type Message } from '../../src/messages/kinds.ts';
import { MESSAGES } from './messages.ts';

/* What each kind answers when it is asked about a message, whole, in kind-answers.txt; what it has nothing to say to is left out. */

/** The fields that are others than before. */
function changedFrom(before: Message, after: Message) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Message>;
  const changes = [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return Object.fromEntries(changes.map((key) => [key, after[key] ?? 'gone']));
}

/** One line for each value, at its path; lists of texts stay together. */
function linesOf(value: unknown, path: string): readonly string[] {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || (Array.isArray(value) && value.every((one) => typeof one === 'string')))
    return value === undefined ? [] : [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, one]) => linesOf(one, `${path}.${key}`));
}

/** Nothing where it is as it mostly is. */
function unless(usual: unknown, value: unknown): unknown {
  return isDeepStrictEqual(value, usual) ? undefined : value;
}

function answersTo([what, message, template]: (typeof MESSAGES)[number]): string {
  const kind = kindOf(message);
  const fillIn = kind.personaliser(
    message,
    (text) =>
      ([name = '']) =>
        text.replace('{{name}}', name),
  );
  const attached = kind
    .attachments(message)
    .map(({ label, value, media }) => [label, value, ...(media ? [media.type, media.path] : [])]);
  const text = kind.text(message, template);
  const answers = {
    facts: Object.fromEntries(kind.facts(message).map(({ label, value }) => [label, value])),
    attached: unless([], attached),
    buttonLines: kind.buttonLines?.(message),
    inShort: kind.inShort(message, template),
    templateName: kind.templateName(message),
    personal: unless(
      [],
      kind.personalFields(message).map(({ path, text }) => [path, text]),
    ),
    filledIn: unless({}, changedFrom(message, fillIn(['Asha']))),
    filledInWithNothing: unless({}, changedFrom(message, fillIn(['']))),
    form: kind.formValues(message),
    withoutWords: unless({}, changedFrom(message, kind.withoutWords(message))),
    withoutSecret: unless({}, changedFrom(message, kind.withoutSecret(message))),
    needsSecret: unless(false, kind.needsSecret(message)),
    secret: kind.secretOf(message),
    quietHoursType: kind.quietHoursType(message),
    segments: kind.segments(message),
  };
  const lines = Object.entries(answers).flatMap(([name, value]) => linesOf(value, name));
  const shown = text === undefined ? ['(no text)'] : text.split('\n').map((line) => JSON.stringify(line));
  return [what, ...shown, ...lines, ''].join('\n');
}

it('answers about messages as kind-answers.txt says', () => {
  const answers = MESSAGES.map(answersTo).join('\n');
  expect(answers).toBe(readFileSync(join(import.meta.dirname, 'kind-answers.txt'), 'utf8'));
});
