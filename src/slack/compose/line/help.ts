import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';

/** A person types this to get a kind's form: a slash command, followed by a word for the kinds that are built. */
export function commandOf(kind: MessageKind): `/${string}` {
  return whatBuilds(kind) ? `/${KINDS[kind].channel} ${kind}` : `/${kind}`;
}

/** Answers `/sms help`: says what the command does and how a line is written, and gives examples. As mrkdwn. */
export function helpText(kind: MessageKind): string {
  const name = commandOf(kind);
  const { command, templateChannel, textPath, channel } = KINDS[kind];
  if ('builds' in command) {
    return [
      `*${name}* – ${command.builds}`,
      `\`${name}\` opens the form; \`${name} number text\` opens it with both filled in. Nothing is sent before you press Send.`,
      `A template that is called “${kind}” is still sent by its line, with its number and values, or chosen in the form of \`/${channel}\`.`,
    ].join('\n');
  }
  const lines = [
    textPath &&
      `\`${name} number text\` sends at once: everything after the number is the text, line breaks included.`,
    templateChannel &&
      `\`${name} template number "value" …\` sends at once: one value for each placeholder, in quotes, in the template’s order.`,
    command.takesGroups &&
      `\`${name} @group text\` goes to whoever of an on-call group is on call now, or to a saved list; \`@"Two words"\` where its name has spaces.`,
  ];
  return [
    `*${name}* – ${escapeMrkdwn(command.description)}.`,
    `\`${name}\` alone opens a form.`,
    ...lines.filter((line) => typeof line === 'string'),
    ...buildersOf(kind).map((one) => `\`${commandOf(one)}\` builds ${whatBuilds(one)}`),
    'Whatever is unclear or missing opens the form, filled with what was understood; nothing is sent before you press Send.',
    `Examples:\n${command.examples.map((example) => `      \`${escapeMrkdwn(example)}\``).join('\n')}`,
  ].join('\n');
}

/** What a kind is that is made in a form out of parts, instead of a template or a text; undefined for others. */
export function whatBuilds(kind: MessageKind): string | undefined {
  const { command } = KINDS[kind];
  return 'builds' in command ? command.builds : undefined;
}

/** Kinds that are built, by the word of their name after this kind's command. */
export function buildersOf(kind: MessageKind): readonly MessageKind[] {
  return MESSAGE_KINDS.filter((one) => whatBuilds(one) && KINDS[one].channel === kind);
}

export function valuesWithText(kind: MessageKind, text: string): FormValues {
  const { textPath = [] } = KINDS[kind];
  if (text === '') return {};
  const [root = '', ...rest] = textPath;
  return { [root]: rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), text) };
}
