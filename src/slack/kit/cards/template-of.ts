import type { Logger } from '../../../core/logger.ts';
import { templateKeyOf } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { TemplateCatalogue } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { describeError } from '../../connection/api-error.ts';

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
