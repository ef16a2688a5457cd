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

/** A text that is shown: of blanks alone it is as good as empty. */
export function shownText(max: number) {
  return textOfLength(max).refine((text) => text === '' || text.trim() !== '', {
    error: 'must be more than 0 characters',
  });
}

/** The longest text that any text object may carry. */
const TEXT_OBJECT_MAX = 3000;

/** A `plain_text` object of at most `max` characters. */
export function plainText(max: number = TEXT_OBJECT_MAX) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: shownText(max),
    emoji: z.boolean().optional(),
  });
}

/** A `mrkdwn` object of at most `max` characters. `emoji` belongs to plain_text only. */
export function mrkdwn(max: number = TEXT_OBJECT_MAX) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: shownText(max),
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

/** An address of one of these schemes, at most 3,000 characters. */
function addressOf(schemes: readonly string[], error: string) {
  const fits = (value: string) =>
    !/\s/.test(value) && URL.canParse(value) && schemes.includes(new URL(value).protocol);
  return textOfLength(3000).refine(fits, { error });
}

const INVALID_URL = 'invalid url';

/** What Slack loads itself: a picture. */
export const loadedUrl = addressOf(['http:', 'https:'], INVALID_URL);

/** What opens when somebody clicks. */
export const openedUrl = addressOf(['http:', 'https:', 'slack:'], INVALID_URL);

/** A link within rich text, where people write to and call somebody as well. */
export const linkUrl = addressOf(['http:', 'https:', 'slack:', 'mailto:', 'tel:'], INVALID_URL);

/** An https address, as video blocks demand. */
export const httpsUrl = addressOf(['https:'], 'must be an https URL');
