import { z } from 'zod';
import { homeBlock, modalBlock } from './blocks.ts';
import { identifier, plainText } from './text.ts';
import { blockTypeOf, countFocused, repeatedIdentifiers } from './uniqueness.ts';
import { checkedAgainst, slackSentence } from './wording.ts';

/** Slack's limits for a view as a whole. Source: https://docs.slack.dev/reference/views/modal-views */
const VIEW_BLOCKS_MAX = 100;
/** Bytes of the view's JSON; above it Slack answers `view_too_large`. */
const VIEW_BYTES_MAX = 250 * 1024;
/** Title, submit and close of a modal. */
const MODAL_LABEL_MAX = 24;
const PRIVATE_METADATA_MAX = 3000;

const viewFields = {
  private_metadata: z.string().max(PRIVATE_METADATA_MAX).optional(),
  callback_id: identifier.or(z.literal('')).optional(),
  external_id: identifier.or(z.literal('')).optional(),
};

const modalView = z.strictObject({
  type: z.literal('modal'),
  title: plainText(MODAL_LABEL_MAX),
  submit: plainText(MODAL_LABEL_MAX).optional(),
  close: plainText(MODAL_LABEL_MAX).optional(),
  blocks: z.array(modalBlock).max(VIEW_BLOCKS_MAX),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  ...viewFields,
});

const homeView = z.strictObject({
  type: z.literal('home'),
  blocks: z.array(homeBlock).max(VIEW_BLOCKS_MAX),
  ...viewFields,
});

const anyView = z.discriminatedUnion('type', [modalView, homeView]);

/**
 * What Slack would refuse in a modal or Home view, as sentences that name the place, e.g.
 * `must be less than 25 characters [json-pointer:/view/title/text]`. Empty: Slack would show it.
 */
export function validateView(view: unknown): string[] {
  const prefix = '/view';
  const problems = checkedAgainst(anyView, view, prefix);
  if (typeof view !== 'object' || view === null) return problems;
  const { blocks, submit, type } = view as Record<string, unknown>;
  const blockList: unknown[] = Array.isArray(blocks) ? blocks : [];
  problems.push(...repeatedIdentifiers(blockList, `${prefix}/blocks`));
  if (type === 'modal' && submit === undefined && blockList.some((block) => blockTypeOf(block) === 'input')) {
    problems.push(slackSentence('missing required field: submit (the view has an input block)', [], prefix));
  }
  if (countFocused(blockList) > 1) {
    problems.push(slackSentence('only one element may have focus_on_load', ['blocks'], prefix));
  }
  const bytes = Buffer.byteLength(JSON.stringify(view));
  if (bytes > VIEW_BYTES_MAX) {
    problems.push(
      slackSentence(`view_too_large: ${bytes} bytes, no more than ${VIEW_BYTES_MAX} allowed`, [], prefix),
    );
  }
  return problems;
}
