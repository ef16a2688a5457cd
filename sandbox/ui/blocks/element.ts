import type { ComponentType, VNode } from 'preact';
import { html } from '../html.ts';
import { Button, OverflowMenu } from './button.ts';
import { ChoiceList } from './choice-list.ts';
import type { ControlProps } from './control.ts';
import { DateTimeInput } from './date-time.ts';
import { FileInput } from './file-input.ts';
import { addressOf, Picture } from './picture.ts';
import { elementId, useScope } from './scope.ts';
import { Select } from './select.ts';
import { RichTextInput, TextInput } from './text-input.ts';
import type { Block, Element, Value } from './types.ts';

const CONTROLS: Readonly<Record<string, ComponentType<ControlProps>>> = {
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  rich_text_input: RichTextInput,
  static_select: Select,
  external_select: Select,
  users_select: Select,
  channels_select: Select,
  conversations_select: Select,
  multi_static_select: Select,
  multi_external_select: Select,
  multi_users_select: Select,
  multi_channels_select: Select,
  multi_conversations_select: Select,
  radio_buttons: ChoiceList,
  checkboxes: ChoiceList,
  datepicker: DateTimeInput,
  timepicker: DateTimeInput,
  datetimepicker: DateTimeInput,
  file_input: FileInput,
};

/** One element of a section, an actions or an input block. */
export function BlockElement({
  element,
  block,
  describedBy,
}: {
  element: Element;
  block: Block;
  describedBy?: string | undefined;
}): VNode {
  const scope = useScope();
  const blockId = block.block_id ?? '';
  const actionId = element.action_id ?? '';
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return html`<${Button} element=${element} blockId=${blockId} />`;
    case 'overflow':
      return html`<${OverflowMenu} element=${element} blockId=${blockId} />`;
    case 'image':
      return html`<${Picture} url=${element.image_url ?? addressOf(element.slack_file)} alt=${element.alt_text}
        className="accessory-image" />`;
  }
  const Control = CONTROLS[element.type];
  if (!Control) return html`<${NotShown} what=${`element "${element.type}"`} />`;

  const isInput = block.type === 'input';
  const dispatches = !isInput || block.dispatch_action === true;
  const onValue: ControlProps['onValue'] = (value: Value, when) => {
    scope.setValue(blockId, actionId, value);
    if (dispatches && when !== 'kept') scope.dispatch(blockId, actionId, value);
  };
  return html`<${Control} element=${element} blockId=${blockId} id=${elementId(scope, blockId, actionId)}
    value=${scope.values[blockId]?.[actionId]} labelled=${isInput} dispatches=${dispatches} 
    clearable=${isInput && block.optional === true}
    invalid=${blockId in scope.errors} describedBy=${describedBy} onValue=${onValue} />`;
}

/** Says so instead of leaving a hole. */
export function NotShown({ what }: { what: string }): VNode {
  return html`<span class="not-shown">This page cannot show the ${what}.</span>`;
}
