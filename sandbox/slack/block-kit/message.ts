import { z } from 'zod';
import { asList, asObject } from '../block-identity.ts';
import { messageBlock } from './blocks.ts';
import { blockTypeOf, countFocused, repeatedIdentifiers, visibleTextLength } from './uniqueness.ts';
import { checkedAgainst, slackSentence } from './wording.ts';

/** Slack's limits for a message as a whole. Sources: chat.postMessage's and the blocks' documentation. */
const MESSAGE_BLOCKS_MAX = 50;
/** Characters of all text in the blocks together; above it Slack answers `msg_blocks_too_long`. */
const MESSAGE_BLOCKS_TEXT_MAX = 12_000;
/** Characters of `text`; above it chat.postMessage answers `msg_too_long`. */
const MESSAGE_TEXT_MAX = 40_000;
/** Attachments of one message. */
const ATTACHMENTS_MAX = 100;
const TABLES_MAX = 1;
const CHARTS_MAX = 2;

const blocksOfMessage = z.array(messageBlock).max(MESSAGE_BLOCKS_MAX);

/** A message's own fields that carry content; every other argument of the method is left alone. */
const messageContent = z.object({
  text: z
    .string()
    .max(MESSAGE_TEXT_MAX)
    .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode (it has a lone surrogate)' })
    .optional(),
  blocks: blocksOfMessage.optional(),
  attachments: z
    .array(z.object({ blocks: blocksOfMessage.optional() }))
    .max(ATTACHMENTS_MAX)
    .optional(),
});

/**
 * What Slack would refuse in a message's content, as sentences that name the place, e.g.
 * `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`. Empty: Slack would post it.
 *
 * @param payload the arguments of chat.postMessage, chat.update or a response_url: `text`, `blocks`,
 *   `attachments` (and whatever else, unread)
 */
export function validateMessage(payload: unknown): string[] {
  const problems = checkedAgainst(messageContent, payload);
  if (typeof payload !== 'object' || payload === null) return problems;
  const { text, blocks, attachments } = payload as Record<string, unknown>;
  if (isBlank(text) && !hasItems(blocks) && !showsAttachment(attachments)) {
    problems.push(slackSentence('no_text: must have text, blocks or attachments', []));
  }
  if (Array.isArray(blocks)) problems.push(...problemsAcrossBlocks(blocks, '/blocks'));
  if (Array.isArray(attachments)) {
    attachments.forEach((attachment: unknown, index) => {
      const inner = (attachment as { blocks?: unknown } | null)?.blocks;
      if (Array.isArray(inner)) problems.push(...problemsAcrossBlocks(inner, `/attachments/${index}/blocks`));
    });
  }
  return problems;
}

function problemsAcrossBlocks(blocks: unknown[], prefix: string): string[] {
  const problems = repeatedIdentifiers(blocks, prefix);
  const count = (type: string) => blocks.filter((block) => blockTypeOf(block) === type).length;
  if (count('table') > TABLES_MAX) problems.push(slackSentence('only one table allowed', [], prefix));
  if (count('data_visualization') > CHARTS_MAX) {
    problems.push(slackSentence('no more than 2 data_visualization blocks allowed', [], prefix));
  }
  if (countFocused(blocks) > 0) problems.push(slackSentence('focus_on_load is for views only', [], prefix));
  const length = visibleTextLength(blocks);
  if (length > MESSAGE_BLOCKS_TEXT_MAX) {
    const problem = `msg_blocks_too_long: ${length} characters of text, no more than ${MESSAGE_BLOCKS_TEXT_MAX} allowed`;
    problems.push(slackSentence(problem, [], prefix));
  }
  return problems;
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

const ATTACHMENT_CONTENT = [
  'fallback',
  'text',
  'pretext',
  'title',
  'author_name',
  'footer',
  'image_url',
  'thumb_url',
];

/** Whether any attachment has something to show; one that has nothing is no content. */
function showsAttachment(attachments: unknown): boolean {
  return asList(attachments).some((one) => {
    const attachment = asObject(one);
    return (
      ATTACHMENT_CONTENT.some((key) => !isBlank(attachment[key])) ||
      hasItems(attachment.blocks) ||
      hasItems(attachment.fields)
    );
  });
}
