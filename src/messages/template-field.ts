import { fail, ok } from '../core/result.ts';
import { type FormContext, optional, readText, required, sequence } from './form.ts';
import { TEXT_MAX_CHARACTERS } from './limits.ts';
import type { Placeholder, Template } from './template.ts';

const META = { label: 'Template', hint: 'Type to search by name, label or text.' } as const;
const MISSING = 'Choose a template.';

/**
 * The leaf `template` where no template is known: nothing passes. What was named there is no longer in the
 * catalogue, or was never.
 */
export function unknownTemplateField() {
  return required(META, MISSING, (name) =>
    fail(`The template “${name}” is not in the catalogue (any more). Choose another one.`),
  );
}

/** The leaf `template` where one is known: the name submitted must be that one's. */
export function templateField(template: Template) {
  return optional({ ...META, initial: template.name }, (name) =>
    name === template.name ? ok(name) : fail('Another template was chosen meanwhile. Choose it again.'),
  );
}

/** One leaf a placeholder, in template order; only a placeholder that says so may stay empty. */
export function paramFields({ label, placeholders }: Template, { recipients }: FormContext) {
  const count = placeholders.length;
  const values = count === 0 ? 'no values' : count === 1 ? '1 value' : `${count} values`;
  return sequence(
    placeholders.map((placeholder) => paramField(placeholder, recipients === 'many-unfilled')),
    `The template “${label}” takes ${values}.`,
  );
}

function paramField({ name, example, optional: neverNeeded }: Placeholder, fillsLater: boolean) {
  const meta = {
    label: name,
    maxLength: TEXT_MAX_CHARACTERS,
    affectsPreview: true,
    ...(example === undefined ? {} : { placeholder: example }),
  };
  const read = readText(name);
  return neverNeeded || fillsLater
    ? optional(meta, read)
        .transform((value) => value ?? '')
        .meta(meta)
    : required(meta, `Enter a value for “${name}”.`, read);
}
