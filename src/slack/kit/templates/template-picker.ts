import type { InputBlock, PlainTextOption } from '@slack/types';
import type { FieldMeta } from '../../../messages/form/form.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { input, option, searchedSelect } from '../blocks/blocks.ts';

/** The path of the field, the id of its block, and the action that Slack asks suggestions for. */
export const TEMPLATE_FIELD = 'template';

/** A select whose options are looked up while somebody types; choosing one, or, where a text will do, none, redraws the form. */
export function templatePicker(meta: FieldMeta, chosen: Template | undefined, optional: boolean): InputBlock {
  const element = searchedSelect(TEMPLATE_FIELD, chosen && templateOption(chosen));
  return input(TEMPLATE_FIELD, meta.label, element, {
    ...(meta.hint && { hint: meta.hint }),
    ...(optional && { optional }),
    dispatch_action: true,
  });
}

/** Label and name; where both do not fit the label is cut, since templates differ by name. */
export function templateOption({ name, label }: Template): PlainTextOption {
  const tail = ` (${name})`;
  const room = LIMITS.optionText - tail.length;
  return option(label === name || room < 8 ? name : truncate(label, room) + tail, name);
}
