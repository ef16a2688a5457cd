import { addressText } from './address/preview.ts';
import { read, typed } from './form/partial-values.ts';
import { formValues } from './form-values.ts';
import { interactiveText, spaceLeft } from './interactive/preview.ts';
import type { AddressMessage, InteractiveMessage, MessageKind } from './message.ts';
import { segmentsLine } from './sms/segments.ts';
import { fillPlaceholders } from './templates/placeholders.ts';
import type { Template } from './templates/template.ts';
import { isBlank, withLineFeeds } from './text.ts';

/** Stands for a one-time password wherever a person other than the recipient could read it. */
export const HIDDEN_PASSWORD = '••••••';

/** What the recipient will read, as far as it is known. */
export interface Preview {
  /** Untrusted text with line breaks; empty when there is nothing to show yet. */
  readonly text: string;
  /** SMS and flash SMS: parts, characters and encoding, in one line. */
  readonly segments?: string;
  /** Interactive messages: what each field has room for yet, in one line. */
  readonly spaceLeft?: string;
}

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

/**
 * The preview of a form in whatever state it is: works on incomplete and on wrong input, and never throws. A
 * one-time password shows as dots.
 *
 * @param value the form's value as read so far, by form paths
 */
export function previewText(kind: MessageKind, template: Template | undefined, value: unknown): Preview {
  if (kind === 'sms' || kind === 'flash') {
    const entered = read(value, 'text');
    const text = typeof entered === 'string' ? withLineFeeds(entered) : '';
    return isBlank(text) ? { text: '' } : { text, segments: segmentsLine(text) };
  }
  if (kind === 'interactive') return { text: interactiveText(value), spaceLeft: spaceLeft(value) };
  if (kind === 'address') return { text: addressText(value) };
  if (template?.channel !== kind) return { text: '' };
  return { text: [...mediaLines(template, value), body(template, value)].join('\n') };
}

/** A message that is made of no template, as its recipient reads it. */
export function messagePreview(message: InteractiveMessage | AddressMessage): string {
  return previewText(message.kind, undefined, formValues(message)).text;
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
      return [`[Image: ${typed(read(value, 'header', 'link')) ?? '⟨link⟩'}]`];
    case 'carousel-images':
      return Array.from({ length: template.cards }, (_card, index) => {
        const link = typed(read(value, 'content', index, 'fileUrl')) ?? '⟨link⟩';
        return `[Card ${index + 1}: ${link}]`;
      });
    default:
      return [];
  }
}
