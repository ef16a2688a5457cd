import { columnsUsed } from '../../messages/columns.ts';
import { isSender, kindOf, type Message, templateKeyOf } from '../../messages/kinds.ts';
import { createPersonaliser, personalFields, personalTexts, readingOf } from '../../messages/personalise.ts';
import { valueProblem } from '../../messages/templates/field.ts';
import type { Template } from '../../messages/templates/template.ts';
import { isBlank, textProblem } from '../../messages/text.ts';
import type { AudienceRow } from '../audience.ts';
import type { Failure } from '../outcome.ts';
import type { NewRecipient, TemplateCatalogue } from '../ports.ts';

/** Columns that the message uses and the audience lacks. */
export function missingColumns(message: Message, columns: readonly string[]): readonly string[] {
  return personalTexts(message)
    .flatMap(columnsUsed)
    .filter((column) => !columns.includes(column));
}

/** The template of a message as it is in the catalogue now; undefined when there is none. */
export async function findTemplate(
  { catalogue }: { readonly catalogue: Pick<TemplateCatalogue, 'find'> },
  message: Message,
): Promise<Template | undefined> {
  const key = templateKeyOf(message);
  return key && catalogue.find(key.channel, key.name);
}

/**
 * Makes recipients of rows, reading the message once; `skipped` when its message breaks a rule of the kind, lacks
 * something from the list, or would go to its own sender.
 */
export function recipientMaker(
  message: Message,
  columns: readonly string[],
  template: Template | undefined,
  startAt: number,
): (row: AudienceRow) => NewRecipient {
  const personalised = createPersonaliser(message, columns);
  const fields = personalFields(message).map(({ path, text }, index) => {
    const placeholder = template?.placeholders[index];
    return {
      path,
      placeholder,
      label: placeholder === undefined ? 'The text' : `The value for “${placeholder.name}”`,
      used: columnsUsed(text).map((column) => ({ column, at: columns.indexOf(column) })),
    };
  });

  function problemOf(
    { number, values }: AudienceRow,
    filled: Message,
  ): Pick<Failure, 'what' | 'short'> | undefined {
    if (isSender(number, filled)) return { what: 'The recipient is the sender.', short: 'the sender itself' };
    const texts = new Map(personalFields(filled).map(({ path, text }) => [path, text]));
    for (const { path, placeholder, label, used } of fields) {
      const text = texts.get(path);
      // An address without a value there: the customer is asked for it.
      if (text === undefined) continue;
      if (placeholder?.optional !== true) {
        const empty = used.find(({ at }) => isBlank(values[at] ?? ''));
        const without = empty?.column ?? placeholder?.name ?? 'a text';
        if (isBlank(text)) return { what: `${label} is empty in this row.`, short: `without “${without}”` };
        if (empty !== undefined)
          return { what: `The column “${without}” is empty in this row.`, short: `without “${without}”` };
      }
      const problem =
        textProblem(text, { label, lineBreaks: true }) ??
        (template && placeholder && !isBlank(text) ? valueProblem(template, placeholder, text) : undefined);
      if (problem !== undefined) return { what: problem };
    }
    const what = kindOf(filled).rowProblem(filled, number);
    return what === undefined ? undefined : { what };
  }

  return ({ row, number, values }) => {
    const listed = { row, number, values };
    const filled = personalised(values);
    const problem = problemOf(listed, filled);
    if (problem === undefined) return { ...listed, reading: readingOf(filled, template, startAt) };
    const next = 'Correct the row and send to it again.';
    return { ...listed, skipped: { ...problem, next, scope: 'recipient' } };
  };
}
