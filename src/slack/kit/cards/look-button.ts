import type { Button } from '@slack/types';
import type { Message } from '../../../messages/kinds.ts';
import type { Failure } from '../../../sends/outcome.ts';
import { type TemplateKey, templateAtFault } from '../../../sends/templates/store.ts';
import { button } from '../blocks/blocks.ts';

/** “Look at the template”, where the service's code says that catalogue and service do not agree on it. */
export function templateButtons(message: Message, failure: Failure | undefined): Button[] {
  const fault = templateAtFault(message, failure);
  return fault === undefined
    ? []
    : [button(LOOK_ACTION, 'Look at the template', writeDoubted(fault.key, fault.code))];
}

export function writeKey({ channel, name }: TemplateKey): string {
  return `${channel}/${name}`;
}

/** A button's value where a result leads to its template: `chatapp/order_update 132000`. */
export function writeDoubted(key: TemplateKey, code: string): string {
  return `${writeKey(key)} ${code}`;
}

export const LOOK_ACTION = 'template_look';
