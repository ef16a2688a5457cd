import { z } from 'zod';

/**
 * Text as Block Kit knows it. Lengths are counted in UTF-16 code units, the strictest reading of "characters":
 * what passes here passes Slack however it counts.
 * Source: https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 */

/** A string of at most `max` characters, at least one unless `min` says otherwise, without lone surrogates. */
export function textOfLength(max: number, min = 1): z.ZodString {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((value) => value.isWellFormed(), {
      error: 'must be well-formed Unicode (it has a lone surrogate)',
    });
}

/** The longest text that any text object may carry. */
const TEXT_OBJECT_MAX = 3000;

/** A `plain_text` object of at most `max` characters. */
export function plainText(max: number = TEXT_OBJECT_MAX) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: textOfLength(max),
    emoji: z.boolean().optional(),
  });
}

/** A `mrkdwn` object of at most `max` characters. `emoji` belongs to plain_text only. */
export function mrkdwn(max: number = TEXT_OBJECT_MAX) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: textOfLength(max),
    verbatim: z.boolean().optional(),
  });
}

/** Either kind of text object, of at most `max` characters. */
export function anyText(max: number = TEXT_OBJECT_MAX) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);
}

const IDENTIFIER_MAX = 255;

/** A `block_id`, `action_id`, `callback_id` or `external_id`: at most 255 characters. */
export const identifier = textOfLength(IDENTIFIER_MAX);

/** An address that a browser opens or loads, at most 3,000 characters. */
export const webUrl = textOfLength(3000).regex(/^[a-z][a-z0-9+.-]*:\S+$/i, { error: 'must be a valid URL' });

/** An https address, as video blocks demand. */
export const httpsUrl = textOfLength(3000).regex(/^https:\/\/\S+$/i, { error: 'must be an https URL' });
