import { KINDS } from '../../messages/kinds.ts';
import type { MessageKind } from '../../messages/message.ts';
import { escapeMrkdwn } from '../blocks/escape.ts';
import { COMMANDS } from '../surface.ts';

/** The command that sends a kind. */
export function commandOf(kind: MessageKind): `/${string}` {
  return `/${kind}`;
}

/** What `/sms help` answers: what the command does, how a line is written, and examples. As mrkdwn. */
export function helpText(kind: MessageKind): string {
  const command = commandOf(kind);
  const surface = COMMANDS.find((one) => one.command === command);
  if (surface === undefined) throw new Error(`The command ${command} is not part of the surface.`);
  const line =
    KINDS[kind].templateChannel === undefined
      ? `\`${command} number text\` sends at once: everything after the number is the text, line breaks included.`
      : `\`${command} template number "value" …\` sends at once: one value for each placeholder, in quotes, in the template’s order.`;
  return [
    `*${command}* – ${escapeMrkdwn(surface.description)}.`,
    `\`${command}\` alone opens a form.`,
    line,
    'Whatever is unclear or missing opens the form, filled with what was understood; nothing is sent before you press Send.',
    `Examples:\n${surface.examples.map((example) => `      \`${escapeMrkdwn(example)}\``).join('\n')}`,
  ].join('\n');
}
