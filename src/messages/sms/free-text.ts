import type { Template } from '../templates/template.ts';

/** What becomes of an SMS that somebody writes without a template: `sms.freeText` of herald.yml. */
export const FREE_TEXT = ['allowed', 'asks', 'refused'] as const;
export type FreeText = (typeof FREE_TEXT)[number];

export const DROPPED_IN_INDIA =
  'Operators in India drop an SMS whose text is not registered with them, and nobody is notified.';

/** The template that says a text in most words of its own, at least half of it, and its values. White space is all alike. */
export function templateSaying(text: string, templates: readonly Template[]) {
  const wanted = plain(text);
  const found = templates.flatMap((template) => {
    const parts = plain(template.text ?? '').split(/\{\{ ?(\d{1,3}) ?\}\}/);
    const own = parts.filter((_part, index) => index % 2 === 0).join('').length;
    const params = own * 2 < wanted.length ? undefined : valuesIn(wanted, parts);
    return params ? [{ template, params, own }] : [];
  });
  return found.toSorted((one, other) => other.own - one.own)[0];
}

/** @param parts words of a template, and between them the numbers of its placeholders */
function valuesIn(text: string, [first = '', ...parts]: readonly string[]): readonly string[] | undefined {
  const values: string[] = [];
  let at = text.startsWith(first) ? first.length : text.length + 1;
  for (let place = 0; place < parts.length; place += 2) {
    const words = parts[place + 1] ?? '';
    const end = place + 2 < parts.length ? text.indexOf(words, at + 1) : text.length - words.length;
    const [index, value] = [Number(parts[place]) - 1, text.slice(at, end)];
    const isOther = (values[index] ?? value) !== value;
    if (end <= at || isOther || !text.startsWith(words, end)) return undefined;
    values[index] = value;
    at = end + words.length;
  }
  return at === text.length ? values : undefined;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
