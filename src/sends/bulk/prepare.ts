import { columnsUsed } from '../../messages/columns.ts';
import { kindOf, type Message } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { personalise, personalTexts } from '../../messages/personalise.ts';
import { valueProblem } from '../../messages/templates/placeholder.ts';
import type { Template } from '../../messages/templates/template.ts';
import { textProblem } from '../../messages/text.ts';
import type { AudienceRow } from '../audience.ts';
import type { Failure } from '../outcome.ts';
import type { NewRecipient } from '../ports.ts';

/** Columns that the message uses and the audience lacks. */
export function missingColumns(message: Message, columns: readonly string[]): readonly string[] {
  return personalTexts(message)
    .flatMap(columnsUsed)
    .filter((column) => !columns.includes(column));
}

/** A row as a recipient; `skipped` when its message breaks a rule of the kind or would go to its own sender. */
export function recipientFrom(
  { row, number, values }: AudienceRow,
  message: Message,
  columns: readonly string[],
  template: Template | undefined,
): NewRecipient {
  const skipped = problemOf(personalise(message, columns, values), number, template);
  return { row, number, values, ...(skipped && { skipped }) };
}

function problemOf(message: Message, number: Msisdn, template: Template | undefined): Failure | undefined {
  if ('from' in message && message.from === number) return unfit('The recipient is the sender.');
  for (const [index, text] of personalTexts(message).entries()) {
    const placeholder = template?.placeholders[index];
    const label = placeholder === undefined ? 'The text' : `The value for “${placeholder.name}”`;
    if (text.trim() === '' && placeholder?.optional !== true) return unfit(`${label} is empty in this row.`);
    const problem = textProblem(text, { label, lineBreaks: true });
    if (problem !== undefined) return unfit(problem);
    const broken = placeholder && text.trim() !== '' ? valueProblem(placeholder, text) : undefined;
    if (broken !== undefined) return unfit(broken);
  }
  const problem = kindOf(message).rowProblem(message, number);
  return problem === undefined ? undefined : unfit(problem);
}

function unfit(what: string): Failure {
  return { what, next: 'Correct the row and send to it again.', scope: 'recipient' };
}
