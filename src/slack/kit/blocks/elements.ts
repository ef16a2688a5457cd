import type {
  ActionsBlock,
  ActionsBlockElement,
  ExternalSelect,
  PlainTextInput,
  PlainTextOption,
  StaticSelect,
} from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { isShowable, plainText } from '../forms/input-block.ts';

/** A row of buttons and menus; no block where there are none. */
export function actions(elements: readonly ActionsBlockElement[], blockId?: string): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', ...(blockId && { block_id: blockId }), elements: [...elements] }];
}

interface TextLook {
  readonly multiline?: true;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** What it holds at first; left out where Slack would refuse it. */
  readonly initial?: unknown;
}

export function textInput(actionId: string, look: TextLook = {}): PlainTextInput {
  const { multiline, maxLength, placeholder, initial } = look;
  return {
    type: 'plain_text_input',
    action_id: actionId,
    ...(multiline && { multiline }),
    ...(maxLength && { max_length: maxLength }),
    ...(placeholder && { placeholder: plainText(placeholder, LIMITS.placeholder) }),
    ...(isShowable(initial) && { initial_value: initial }),
  };
}

/** A menu of choices, of which the one with the value `chosen` is chosen at first. */
export function select(actionId: string, options: PlainTextOption[], chosen?: unknown): StaticSelect {
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...(initial && { initial_option: initial }),
  };
}

/** A menu whose choices are looked up while somebody types. */
export function searchedSelect(actionId: string, initial?: PlainTextOption): ExternalSelect {
  return {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    ...(initial && { initial_option: initial }),
  };
}
