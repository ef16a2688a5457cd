import type { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { columnNamed, columnsUsed } from './columns.ts';
import type { FormContext } from './form/form.ts';
import type { PersonalField } from './kinds/kind.ts';
import { isSender, KINDS, kindOf, type Message, type MessageKind } from './kinds.ts';
import type { Msisdn } from './numbers/phone-number.ts';
import { personalFields } from './personalise.ts';
import type { Issue } from './submission.ts';

const SENDER_IS_RECIPIENT = 'This is the number that sends the message. Enter the recipient’s number.';

export interface Submission {
  readonly message: Message;
  readonly to: Msisdn;
}

/** Parses a form into a valid message and its number. Each broken rule is an issue at the path of its field. */
export function parseSubmission(
  kind: MessageKind,
  context: FormContext,
  value: unknown,
): Result<Submission, readonly Issue[]> {
  const parsed = KINDS[kind].form({ ...context, entered: value }).safeParse(value);
  if (!parsed.success) return fail(issuesOf(parsed.error));
  const { message, to } = parsed.data;
  if (to === undefined) return fail([{ path: 'to', message: 'Enter the phone number of the recipient.' }]);
  const problem = isSender(to, message) ? SENDER_IS_RECIPIENT : kindOf(message).rowProblem(message, to);
  const issues = [...unfilledIssues(message), ...(problem ? [{ path: 'to', message: problem }] : [])];
  return issues.length === 0 ? ok({ message, to }) : fail(issues);
}

/**
 * Parses a form for many recipients, whose `value` has no `to`. Personal values may contain `{{column}}`, others must not.
 * One-time passwords are refused, because they are for one person.
 *
 * @param columns of the list, if known: values may use only these
 */
export function parseBulkMessage(
  kind: MessageKind,
  context: FormContext & { readonly recipients: NonNullable<FormContext['recipients']> },
  value: unknown,
  columns?: readonly string[],
): Result<Message, readonly Issue[]> {
  const parsed = KINDS[kind].form({ ...context, entered: value }).safeParse(value);
  if (!parsed.success) return fail(issuesOf(parsed.error));
  const { message } = parsed.data;
  const issues = [
    ...passwordIssues(message),
    ...sameForAllIssues(message),
    ...(columns === undefined ? [] : unknownColumnIssues(message, columns)),
  ];
  return issues.length === 0 ? ok(message) : fail(issues);
}

function issuesOf(error: z.ZodError): readonly Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const { path, message } = issue;
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    return paths.map((broken) => ({ path: broken.join('.'), message }));
  });
}

/** Taken over from a message to a list, `{{column}}` would stand on one person's phone as it is. */
function unfilledIssues(message: Message): Issue[] {
  return personalFields(message).flatMap(({ path, text }) =>
    columnsUsed(text).map((column) => ({
      path,
      message: `Only a list fills in “{{${column}}}”, and this goes to one number. Write the value here.`,
    })),
  );
}

function passwordIssues(message: Message): Issue[] {
  const { needsSecret, passwordPath: path = '' } = kindOf(message);
  if (!needsSecret(message)) return [];
  return [
    { path, message: 'A one-time password is for one person: it cannot be sent to a list. Choose another.' },
  ];
}

/** What its kind does not fill in for each row is the same for everyone: links, names, what can be tapped. */
function sameForAllIssues(message: Message): Issue[] {
  const personal = new Set(personalFields(message).map(({ path }) => path));
  return textsIn(kindOf(message).formValues(message)).flatMap(({ path, text }) => {
    const [column] = personal.has(path) ? [] : columnsUsed(text);
    if (column === undefined) return [];
    const sentence = `This is the same for every recipient, so “{{${column}}}” cannot stand here. Write it out.`;
    return [{ path, message: sentence }];
  });
}

function textsIn(value: unknown, ...path: readonly string[]): PersonalField[] {
  if (typeof value === 'string') return [{ path: path.join('.'), text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, ...path, key));
}

function unknownColumnIssues(message: Message, columns: readonly string[]): Issue[] {
  return personalFields(message).flatMap(({ path, text }) =>
    columnsUsed(text)
      .filter((column) => !columns.includes(column))
      .map((column) => ({ path, message: unknownColumn(column, columns) })),
  );
}

const COLUMNS_NAMED = 10;

function unknownColumn(column: string, columns: readonly string[]): string {
  if (columns.length === 0) return `The list has numbers only, so “{{${column}}}” cannot be filled in.`;
  const meant = columnNamed(column, columns);
  if (meant !== undefined) return `The list has no column “${column}”. Write {{${meant}}}.`;
  const some = columns.slice(0, COLUMNS_NAMED).map((one) => `{{${one}}}`);
  const more = columns.length > COLUMNS_NAMED ? ` and ${columns.length - COLUMNS_NAMED} more` : '';
  return `The list has no column “${column}”. It has ${some.join(', ')}${more}.`;
}
