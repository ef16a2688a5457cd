import { LATE } from '../../../core/within.ts';
import type { MessageKind } from '../../../messages/kinds.ts';
import type { CommandArguments } from '../../kit/clicks/arguments.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';
import { buildersOf } from './builders.ts';
import { handleComposeCommand } from './command.ts';

/**
 * A send command, of which `interactive` and `address` may be the first word: they open their forms. A template may be
 * called so, too: its own line, with more words, is then still its own.
 */
export async function handleSendCommand(
  kind: MessageKind,
  args: CommandArguments,
  compose: Compose,
): Promise<void> {
  const built = builderIn(kind, args.command.text);
  if (built === undefined || (await isTemplateLine(kind, built, compose)))
    return handleComposeCommand(kind, args, compose);
  const command = { ...args.command, text: built.rest };
  return handleComposeCommand(built.builder, { ...args, command }, compose);
}

interface BuilderLine {
  readonly builder: MessageKind;
  readonly rest: string;
}

function builderIn(kind: MessageKind, text: string): BuilderLine | undefined {
  const [, word = '', rest = ''] = /^\s*(\S+)([\s\S]*)$/u.exec(text) ?? [];
  const builder = buildersOf(kind).find((one) => one === word.toLowerCase());
  return builder && { builder, rest: rest.trim() };
}

async function isTemplateLine(
  kind: MessageKind,
  { builder, rest }: BuilderLine,
  compose: Compose,
): Promise<boolean> {
  if (rest === '' || rest.toLowerCase() === 'help') return false;
  const template = await findTemplate(kind, builder, compose);
  return template !== LATE && template !== undefined;
}
