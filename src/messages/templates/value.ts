import { columnsUsed, fillColumns } from '../columns.ts';
import { type Placeholder, placeholderProblem } from './placeholder.ts';
import type { Template } from './template.ts';

/** More than the chat-app platform takes in a row. */
const MANY_SPACES = / {5}/;

/** Which rule a value of a template breaks, its placeholder's or its platform's, in one sentence; undefined when none. */
export function valueProblem(
  template: Pick<Template, 'channel'>,
  placeholder: Placeholder,
  value: string,
): string | undefined {
  return spacingProblem(template, placeholder, value) ?? placeholderProblem(placeholder, value);
}

/** The chat-app platform refuses a message with such a value, wherever the template puts it. */
export function spacingProblem(
  { channel }: Pick<Template, 'channel'>,
  { name }: Placeholder,
  value: string,
): string | undefined {
  if (channel !== 'chatapp') return undefined;
  const used = columnsUsed(value);
  const text = fillColumns(
    value,
    used,
    used.map(() => '…'),
  );
  const found = /[\r\n\u2028\u2029]/u.test(text)
    ? 'a line break'
    : text.includes('\t')
      ? 'a tab'
      : MANY_SPACES.test(text)
        ? 'more than four spaces in a row'
        : undefined;
  return (
    found &&
    `“${name}” has ${found}: the chat app refuses such a value. Write it on one line, with single spaces.`
  );
}
