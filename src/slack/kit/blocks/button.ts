import type { Button, ConfirmationDialog } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../forms/input-block.ts';

/** What a person is asked once more before a button does what it says. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no?: string;
}

interface ButtonLook {
  readonly style?: 'primary' | 'danger';
  readonly question?: Question;
}

/** A button of a message or a view; its words are plain text. */
export function button(
  actionId: string,
  text: string,
  value: string,
  { style, question }: ButtonLook = {},
): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, LIMITS.buttonText),
    value,
    ...(style ? { style } : {}),
    ...(question ? { confirm: dialog(question, style) } : {}),
  };
}

function dialog(
  { title, text, yes, no = 'Cancel' }: Question,
  style: ButtonLook['style'],
): ConfirmationDialog {
  return {
    title: plainText(title, LIMITS.confirmTitle),
    text: plainText(text, LIMITS.confirmText),
    confirm: plainText(yes, LIMITS.confirmButton),
    deny: plainText(no, LIMITS.confirmButton),
    ...(style ? { style } : {}),
  };
}
