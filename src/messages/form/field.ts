import type { z } from 'zod';

/**
 * How a field is shown. Attached to its schema with `.meta(field({...}))`; `slack/kit/forms` turns every such leaf into an
 * input block whose `block_id` is the field's path.
 */
export interface FieldMeta {
  /** E.g. "Campaign name". Slack: at most 2000 characters. */
  readonly label: string;
  /** A sentence under the input: the rule, in words. */
  readonly hint?: string;
  /** Grey text inside the empty input. Slack: at most 150 characters. */
  readonly placeholder?: string;
  /** A text of several lines. */
  readonly multiline?: boolean;
  /** Labels for the values of an enum, by value. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** What the input holds when the form opens. */
  readonly initial?: string;
  /** The schema's limit, for Slack's input. */
  readonly maxLength?: number;
  /** True when the preview depends on this field, so that the input dispatches on change. */
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
