import { createHash } from 'node:crypto';
import type { Template } from '../../../messages/templates/template.ts';

const FINGERPRINT_LENGTH = 8;

/**
 * Names a template as it is defined now, e.g. `order_update~1a2b3c4d`. It is the suffix of the blocks of the
 * template's own fields: another template, or another definition of the same one, never inherits a value, and a
 * submitted form tells for which definition it was filled in.
 */
export function templateMark(template: Template): string {
  const definition = JSON.stringify([
    template.channel,
    template.variant,
    template.placeholders,
    template.languages,
    template.cards,
    template.text ?? null,
  ]);
  const fingerprint = createHash('sha256').update(definition).digest('hex').slice(0, FINGERPRINT_LENGTH);
  return `${template.name}~${fingerprint}`;
}

/** True when the mark is of this template, in this or another definition. */
export function isMarkOf(mark: string | undefined, template: Template): boolean {
  return mark?.slice(0, mark.lastIndexOf('~')) === template.name;
}
