import { KINDS } from '../../messages/kinds.ts';
import type { MessageKind } from '../../messages/message.ts';
import { escapeMrkdwn } from '../blocks/escape.ts';
import { COMMANDS } from '../surface.ts';
import { BUILDERS, type BuilderKind, isBuilder } from './builders.ts';

/** What a person types to get a kind's form: a slash command, followed by a word for the kinds that are built. */
export function commandOf(kind: MessageKind): `/${string}` {
  return isBuilder(kind) ? `/${KINDS[kind].channel} ${kind}` : `/${kind}`;
}

/** What `/sms help` answers: what the command does, how a line is written, and examples. As mrkdwn. */
export function helpText(kind: MessageKind): string {
  return isBuilder(kind) ? builderHelp(kind) : commandHelp(kind);
}

function builderHelp(kind: BuilderKind): string {
  const command = commandOf(kind);
  return [
    `*${command}* – ${WHAT_IS_BUILT[kind]}`,
    `\`${command}\` opens the form; \`${command} number text\` opens it with both filled in. Nothing is sent before you press Send.`,
    `A template that is called “${kind}” is still sent by its line, with its number and values, or chosen in the form of \`/${KINDS[kind].channel}\`.`,
  ].join('\n');
}

const WHAT_IS_BUILT: Readonly<Record<BuilderKind, string>> = {
  interactive: 'a message with up to three reply buttons, or a list of up to ten rows.',
  address: 'a form that asks a customer in India or Singapore for an address.',
};

function commandHelp(kind: MessageKind): string {
  const command = commandOf(kind);
  const surface = COMMANDS.find((one) => one.command === command);
  if (surface === undefined) throw new Error(`The command ${command} is not part of the surface.`);
  const line =
    KINDS[kind].templateChannel === undefined
      ? `\`${command} number text\` sends at once: everything after the number is the text, line breaks included.`
      : `\`${command} template number "value" …\` sends at once: one value for each placeholder, in quotes, in the template’s order.`;
  const built = BUILDERS.filter((builder) => KINDS[builder].channel === kind);
  return [
    `*${command}* – ${escapeMrkdwn(surface.description)}.`,
    `\`${command}\` alone opens a form.`,
    line,
    ...(kind === 'flash'
      ? [
          `\`${command} @group text\` goes to whoever of an on-call group is on call now, or to a saved list; \`@"Two words"\` where its name has spaces.`,
        ]
      : []),
    ...built.map((builder) => `\`${commandOf(builder)}\` builds ${WHAT_IS_BUILT[builder]}`),
    'Whatever is unclear or missing opens the form, filled with what was understood; nothing is sent before you press Send.',
    `Examples:\n${surface.examples.map((example) => `      \`${escapeMrkdwn(example)}\``).join('\n')}`,
  ].join('\n');
}
