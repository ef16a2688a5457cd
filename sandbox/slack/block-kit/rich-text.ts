import { z } from 'zod';
import { identifier, linkUrl, textOfLength } from './text.ts';

/**
 * The rich_text block and its parts.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
  })
  .optional();

const slackId = textOfLength(255);
const text = z.strictObject({ type: z.literal('text'), text: textOfLength(12_000), style });
const link = z.strictObject({
  type: z.literal('link'),
  url: linkUrl,
  text: textOfLength(3000).optional(),
  unsafe: z.boolean().optional(),
  style,
});

const inline = z.discriminatedUnion('type', [
  text,
  link,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({
    type: z.literal('color'),
    value: z.string().regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour as #RRGGBB' }),
    style,
  }),
  z.strictObject({ type: z.literal('channel'), channel_id: slackId, style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: textOfLength(1000),
    url: linkUrl.optional(),
    fallback: textOfLength(1000).optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: textOfLength(255),
    unicode: textOfLength(255).optional(),
    url: linkUrl.optional(),
    style,
  }),
  z.strictObject({ type: z.literal('team'), team_id: slackId, style }),
  z.strictObject({ type: z.literal('user'), user_id: slackId, style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: slackId, style }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });
const list = z.strictObject({
  type: z.literal('rich_text_list'),
  style: z.enum(['bullet', 'ordered']),
  elements: z.array(section).min(1),
  indent: z.int().min(0).max(8).optional(),
  offset: z.int().min(0).optional(),
  border,
});
const quote = z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border });
const preformatted = z.strictObject({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(z.discriminatedUnion('type', [text, link])),
  border,
  language: textOfLength(255).optional(),
});

export const richTextBlock = z.strictObject({
  type: z.literal('rich_text'),
  block_id: identifier.optional(),
  elements: z.array(z.discriminatedUnion('type', [section, list, quote, preformatted])).min(1),
});
