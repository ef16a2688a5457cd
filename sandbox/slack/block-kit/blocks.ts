import { z } from 'zod';
import { hasOneImageSource, imageSourceFields, ONE_IMAGE_SOURCE } from './composition.ts';
import { button, feedbackButtons, iconButton, imageElement, workflowButton } from './elements.ts';
import { modalOnlyInputs, typedInputs } from './inputs.ts';
import { richTextBlock } from './rich-text.ts';
import { accessoryChoosers, choosers, overflow } from './selects.ts';
import { dataTableBlock, dataVisualizationBlock, tableBlock } from './tables.ts';
import {
  anyText,
  httpsUrl,
  identifier,
  loadedUrl,
  mrkdwn,
  openedUrl,
  plainText,
  shownText,
  textOfLength,
} from './text.ts';

/**
 * Every block, and which surface takes which.
 * Source: https://docs.slack.dev/reference/block-kit/blocks
 */

const blockId = { block_id: identifier.optional() };

const actionsBlock = z.strictObject({
  type: z.literal('actions'),
  ...blockId,
  elements: z
    .array(z.discriminatedUnion('type', [button, workflowButton, overflow, ...choosers]))
    .min(1)
    .max(25),
});

const contextBlock = z.strictObject({
  type: z.literal('context'),
  ...blockId,
  elements: z
    .array(z.discriminatedUnion('type', [plainText(), mrkdwn(), imageElement]))
    .min(1)
    .max(10),
});

const contextActionsBlock = z.strictObject({
  type: z.literal('context_actions'),
  ...blockId,
  elements: z
    .array(z.discriminatedUnion('type', [feedbackButtons, iconButton]))
    .min(1)
    .max(5),
});

const dividerBlock = z.strictObject({ type: z.literal('divider'), ...blockId });

const headerBlock = z.strictObject({ type: z.literal('header'), ...blockId, text: plainText(150) });

const imageBlock = z
  .strictObject({
    type: z.literal('image'),
    ...blockId,
    alt_text: textOfLength(2000),
    title: plainText(2000).optional(),
    ...imageSourceFields,
  })
  .refine(hasOneImageSource, ONE_IMAGE_SOURCE);

const inputFields = {
  type: z.literal('input'),
  ...blockId,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
};
const inputBlock = z.strictObject({
  ...inputFields,
  element: z.discriminatedUnion('type', [...typedInputs, ...choosers]),
});
const modalInputBlock = z.strictObject({
  ...inputFields,
  element: z.discriminatedUnion('type', [...typedInputs, ...modalOnlyInputs, ...choosers]),
});

const sectionBlock = z
  .strictObject({
    type: z.literal('section'),
    ...blockId,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: z
      .discriminatedUnion('type', [button, workflowButton, overflow, imageElement, ...accessoryChoosers])
      .optional(),
    expand: z.boolean().optional(),
  })
  .refine((section) => section.text !== undefined || section.fields !== undefined, {
    error: 'must have text or fields',
  });

const videoBlock = z.strictObject({
  type: z.literal('video'),
  ...blockId,
  alt_text: textOfLength(2000),
  title: plainText(199),
  video_url: httpsUrl,
  thumbnail_url: loadedUrl,
  title_url: httpsUrl.optional(),
  author_name: textOfLength(49).optional(),
  provider_name: textOfLength(255).optional(),
  provider_icon_url: loadedUrl.optional(),
  description: plainText(199).optional(),
});

const markdownBlock = z.strictObject({
  type: z.literal('markdown'),
  ...blockId,
  text: shownText(12_000),
});

/** Modals only. */
const alertBlock = z.strictObject({
  type: z.literal('alert'),
  ...blockId,
  text: anyText(200),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});

const cardBlock = z
  .strictObject({
    type: z.literal('card'),
    ...blockId,
    hero_image: imageElement.optional(),
    icon: imageElement.optional(),
    slack_icon: z.strictObject({ type: z.literal('icon'), name: textOfLength(255) }).optional(),
    title: anyText(150).optional(),
    subtitle: anyText(150).optional(),
    body: anyText(200).optional(),
    actions: z.array(button).min(1).max(3).optional(),
  })
  .refine((card) => Boolean(card.hero_image ?? card.title ?? card.actions ?? card.body), {
    error: 'must have at least one of hero_image, title, actions and body',
  })
  .refine((card) => card.icon === undefined || card.slack_icon === undefined, {
    error: 'must have no more than one of icon and slack_icon',
  });

const carouselBlock = z.strictObject({
  type: z.literal('carousel'),
  ...blockId,
  elements: z.array(cardBlock).min(1).max(10),
});

const containerBlock = z
  .strictObject({
    type: z.literal('container'),
    ...blockId,
    title: plainText(150).optional(),
    rich_text_title: richTextBlock.optional(),
    subtitle: anyText(150).optional(),
    icon: imageElement.optional(),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
    child_blocks: z
      .array(
        z.discriminatedUnion('type', [
          actionsBlock,
          contextBlock,
          dividerBlock,
          headerBlock,
          imageBlock,
          inputBlock,
          richTextBlock,
          sectionBlock,
          tableBlock,
          videoBlock,
        ]),
      )
      .min(1)
      .max(10),
  })
  .refine((container) => container.title !== undefined || container.rich_text_title !== undefined, {
    error: 'must have title or rich_text_title',
  });

const taskStatus = z.enum(['pending', 'in_progress', 'complete', 'error']);
const taskCardBlock = z.strictObject({
  type: z.literal('task_card'),
  ...blockId,
  task_id: textOfLength(255),
  title: textOfLength(3000),
  details: richTextBlock.optional(),
  output: richTextBlock.optional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: openedUrl, text: textOfLength(3000) }))
    .optional(),
  status: taskStatus,
});

const planBlock = z.strictObject({
  type: z.literal('plan'),
  ...blockId,
  title: textOfLength(3000),
  tasks: z.array(taskCardBlock).optional(),
});

const everywhere = [
  actionsBlock,
  containerBlock,
  contextBlock,
  dividerBlock,
  headerBlock,
  imageBlock,
  richTextBlock,
  sectionBlock,
  videoBlock,
] as const;

/** `file` blocks are absent on purpose: Slack shows them in history, and refuses them from an app. */
export const messageBlock = z.discriminatedUnion('type', [
  ...everywhere,
  inputBlock,
  cardBlock,
  carouselBlock,
  contextActionsBlock,
  dataTableBlock,
  dataVisualizationBlock,
  markdownBlock,
  planBlock,
  tableBlock,
  taskCardBlock,
]);

export const modalBlock = z.discriminatedUnion('type', [...everywhere, modalInputBlock, alertBlock]);

export const homeBlock = z.discriminatedUnion('type', [
  ...everywhere,
  inputBlock,
  cardBlock,
  carouselBlock,
  dataTableBlock,
]);
