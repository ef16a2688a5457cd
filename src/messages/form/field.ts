import type { z } from 'zod';

/**
 * What a form needs to know of a field besides its schema. Attached to a schema with `.meta(field({...}))`; the
 * form engine in `slack/forms` walks the schema and turns every leaf into an input block whose `block_id` is
 * the field's path.
 */
export interface FieldMeta {
  /** The field's own word: "Template", "To", "Campaign name". Slack: at most 2000 characters. */
  readonly label: string;
  /** A sentence under the input: the rule, in words. */
  readonly hint?: string;
  /** Grey text inside the empty input. Slack: at most 150 characters. */
  readonly placeholder?: string;
  /** How it is typed; by default an enum is a select and a string a single line. */
  readonly input?: 'line' | 'multiline' | 'select' | 'url' | 'number';
  /** Labels for the values of an enum, by value. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** What the input holds when the form opens. */
  readonly initial?: string;
  /** Most characters the input takes; the schema's own limit, said once more to Slack's input. */
  readonly maxLength?: number;
  /** True when the form may show a preview that depends on this field: the input dispatches on change. */
  readonly affectsPreview?: boolean;
  /** True when other fields come and go with this one's value. */
  readonly reshapes?: boolean;
}

/** Types the argument of `.meta()`; zod keeps it and gives it back by `schema.meta()`. */
export function field(meta: FieldMeta): FieldMeta & Record<string, unknown> {
  return { ...meta };
}

/**
 * A kind's form: the object schema whose keys are the form paths, and which parses to a `Draft`.
 *
 * To walk it: a schema that carries a `FieldMeta` is a leaf, whatever it is made of, and may be left empty when it
 * accepts undefined; objects and tuples lead on; of a pipe, follow the input, or the output where the input is a
 * bare transform (the step that makes empty inputs absent).
 */
export type FormSchema<Output> = z.ZodType<Output>;
