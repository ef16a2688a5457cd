import type { Logger } from '../../core/logger.ts';
import type { Message } from '../../messages/message.ts';
import type { Template } from '../../messages/template.ts';
import type { TemplateCatalogue } from '../../sends/ports.ts';
import { describeError } from '../connection/describe-error.ts';

/** The template of a message. The catalogue only makes a card nicer: without it the template's name is shown. */
export async function templateOf(
  message: Message,
  catalogue: TemplateCatalogue,
  logger: Logger,
): Promise<Template | undefined> {
  if (message.kind !== 'chatapp' && message.kind !== 'rcs') return undefined;
  try {
    return await catalogue.find(message.kind, message.templateName);
  } catch (error) {
    logger.error({ error: describeError(error) }, 'the template catalogue could not be read');
    return undefined;
  }
}
