import type { Button } from '@slack/types';
import type { Logger } from '../../../core/logger.ts';
import { type Message, templateKeyOf } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Failure } from '../../../sends/outcome.ts';
import type { TemplateCatalogue } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { keyOf, templateAtFault } from '../../../sends/templates/store.ts';
import { describeError } from '../../connection/api-error.ts';
import { button } from '../blocks/blocks.ts';

/**
 * The template of a send in the words that it was asked for with; of a send that did not keep them, in those of today.
 * The catalogue only makes a card nicer: without it the template's name is shown.
 */
export async function templateOf(
  { message, template }: Pick<Send, 'message' | 'template'>,
  catalogue: TemplateCatalogue,
  logger: Logger,
): Promise<Template | undefined> {
  if (template !== undefined) return template;
  const key = templateKeyOf(message);
  if (key === undefined) return undefined;
  try {
    return await catalogue.find(key.channel, key.name);
  } catch (error) {
    logger.error({ error: describeError(error) }, 'the template catalogue could not be read');
    return undefined;
  }
}

export const LOOK_ACTION = 'template_look';

/**
 * “Look at the template”, where the service's code says that catalogue and service do not agree on it. Carries template and code:
 * `chatapp/order_update 132000`.
 */
export function templateButtons(message: Message, failure: Failure | undefined): Button[] {
  const fault = templateAtFault(message, failure);
  return fault === undefined
    ? []
    : [button(LOOK_ACTION, 'Look at the template', `${keyOf(fault.key)} ${fault.code}`)];
}
