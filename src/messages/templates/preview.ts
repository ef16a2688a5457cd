import { columnsUsed } from '../columns.ts';
import { linkLines } from '../form/link.ts';
import { read, typed } from '../form/partial-values.ts';
import { isBlank, withLineFeeds } from '../text.ts';
import { fillPlaceholders } from './placeholder.ts';
import type { Template } from './template.ts';

export const HIDDEN_PASSWORD = '••••••';

/**
 * The template's sample text with each `{{n}}` replaced by the nth value. What is missing shows as ⟨name⟩. A value
 * that itself contains `{{n}}` is left alone. A template without sample text shows its values by name.
 */
export function renderTemplate(template: Template, params: readonly unknown[]): string {
  const { placeholders, text } = template;
  const shown = (index: number): string => {
    const value = params[index];
    const placeholder = placeholders[index];
    if (typeof value === 'string' && !isBlank(value)) return withLineFeeds(value);
    if (value === '' && placeholder?.optional) return '';
    return `⟨${placeholder?.name ?? `value ${index + 1}`}⟩`;
  };
  if (text !== undefined) return fillPlaceholders(text, shown);
  const values = placeholders.map(({ name }, index) => `${name}: ${shown(index)}`);
  return [template.label, ...values].join('\n');
}

/** The text of a template message; only its values when the template has left the catalogue. */
export function renderValues(template: Template | undefined, values: readonly string[]): string {
  return template === undefined
    ? values.map((value, index) => `{{${index + 1}}} ${value}`).join('\n')
    : renderTemplate(template, values);
}

/** What the form of a template message shows, with its media as lines above the text. Never throws. */
export function previewTemplate(
  channel: Template['channel'],
  template: Template | undefined,
  value: unknown,
): string {
  if (template?.channel !== channel) return '';
  return [...mediaLines(template, value), body(template, value)].join('\n');
}

function body(template: Template, value: unknown): string {
  if (template.variant === 'otp')
    return renderTemplate(template, [typed(read(value, 'otp')) && HIDDEN_PASSWORD]);
  const params = read(value, 'params');
  return renderTemplate(template, Array.isArray(params) ? params : []);
}

function mediaLines(template: Template, value: unknown): string[] {
  switch (template.variant) {
    case 'document':
      return [`[Document: ${typed(read(value, 'header', 'filename')) ?? '⟨file name⟩'}]`];
    case 'image':
    case 'video':
      return linkLines(template.variant, typed(read(value, 'header', 'link')));
    case 'carousel-images':
      return Array.from({ length: template.cards }, (_card, index) => {
        const link = typed(read(value, 'content', index, 'fileUrl')) ?? '⟨link⟩';
        return `[Card ${index + 1}: ${link}]`;
      });
    default:
      return [];
  }
}

/** A template message in one line: its label, and its values when they are the same for all recipients. */
export function templateInShort(
  name: string,
  template: Template | undefined,
  values: readonly string[],
): string {
  const sameForAll = values.every((value) => columnsUsed(value).length === 0);
  return [template?.label ?? name, sameForAll ? values.join(', ') : ''].filter(Boolean).join(': ');
}
