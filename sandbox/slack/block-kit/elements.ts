import { z } from 'zod';
import { confirmationDialog, hasOneImageSource, imageSourceFields, ONE_IMAGE_SOURCE } from './composition.ts';
import { identifier, openedUrl, plainText, textOfLength } from './text.ts';

/**
 * Buttons and images.
 * Source: https://docs.slack.dev/reference/block-kit/block-elements
 */

const BUTTON_TEXT_MAX = 75;
const accessibilityLabel = textOfLength(75).optional();
const buttonStyle = z.enum(['primary', 'danger']).optional();

/** Text 75 characters, value 2,000, address 3,000. */
export const button = z.strictObject({
  type: z.literal('button'),
  action_id: identifier.optional(),
  text: plainText(BUTTON_TEXT_MAX),
  value: textOfLength(2000).optional(),
  url: openedUrl.optional(),
  style: buttonStyle,
  confirm: confirmationDialog.optional(),
  accessibility_label: accessibilityLabel,
});

/** Messages only. */
export const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  action_id: identifier.optional(),
  text: plainText(BUTTON_TEXT_MAX),
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: openedUrl,
      customizable_input_parameters: z
        .array(z.strictObject({ name: textOfLength(255), value: z.unknown() }))
        .optional(),
    }),
  }),
  style: buttonStyle,
  accessibility_label: accessibilityLabel,
});

/** An image inside another block. */
export const imageElement = z
  .strictObject({ type: z.literal('image'), alt_text: textOfLength(2000), ...imageSourceFields })
  .refine(hasOneImageSource, ONE_IMAGE_SOURCE);

const feedbackChoice = z.strictObject({
  text: plainText(BUTTON_TEXT_MAX),
  value: textOfLength(2000),
  accessibility_label: accessibilityLabel,
});

export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: identifier.optional(),
  positive_button: feedbackChoice,
  negative_button: feedbackChoice,
});

export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  action_id: identifier.optional(),
  icon: z.literal('trash'),
  text: plainText(BUTTON_TEXT_MAX),
  value: textOfLength(2000).optional(),
  accessibility_label: accessibilityLabel,
  visible_to_user_ids: z.array(textOfLength(255)).min(1).optional(),
  confirm: confirmationDialog.optional(),
});
