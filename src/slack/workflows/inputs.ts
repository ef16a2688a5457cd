import { z } from 'zod';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';

/** What a workflow leaves open comes as null, empty or not at all; what it gives, in Slack's notation. */
const text = z
  .string()
  .nullish()
  .transform((value) => typedText(slackPieces(value ?? '')).trim());

const common = {
  user_context: z.looseObject({ id: z.string().min(1) }),
  channel: z.string().min(1),
  to: text,
  sender: text,
  stop_on_failure: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
};

/**
 * The inputs of "Send a template message", as `feature.ts` declares them. Texts come trimmed, and empty where the
 * workflow gives none; what they must be is for the form of the message to say.
 */
export const templateInputs = z.object({
  ...common,
  template: text,
  kind: text,
  values: text,
});

/** The inputs of "Send flash SMS". */
export const flashInputs = z.object({ ...common, text });

export type CommonInputs = Pick<z.output<typeof flashInputs>, keyof typeof common>;
export type TemplateInputs = z.output<typeof templateInputs>;
export type FlashInputs = z.output<typeof flashInputs>;
