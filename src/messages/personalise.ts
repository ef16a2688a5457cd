import type { AddressValues } from './address-fields.ts';
import type { FlashMessage, Message, SmsMessage } from './message.ts';
import { measureSms } from './sms-segments.ts';
import { isBlank } from './text.ts';

/** `{{column}}` in a value that a person typed for many recipients; spaces around the name are ignored. */
const COLUMN = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** The columns that a text uses, in order of appearance, each once. */
export function columnsUsed(text: string): readonly string[] {
  return [...new Set([...text.matchAll(COLUMN)].map((match) => match[1] ?? ''))];
}

/** A text of a message that may hold `{{column}}`, at the form path where it was typed. */
export interface PersonalField {
  readonly path: string;
  readonly text: string;
}

/** Every text of a message that may hold `{{column}}`: its values for the recipient, or its words themselves. */
export function personalFields(message: Message): readonly PersonalField[] {
  const paramsOf = (params: readonly string[]) =>
    params.map((text, index) => ({ path: `params.${index}`, text }));
  const field = (path: string, text: string | undefined) => (text === undefined ? [] : [{ path, text }]);
  switch (message.kind) {
    case 'chatapp':
      return paramsOf(message.params);
    case 'rcs':
      return paramsOf(message.params ?? []);
    case 'sms':
    case 'flash':
      return field('text', message.text);
    case 'interactive':
      return [
        ...field(
          'interactive.header.text',
          message.header?.type === 'text' ? message.header.text : undefined,
        ),
        ...field('interactive.body.text', message.body),
        ...field('interactive.footer.text', message.footer),
      ];
    case 'address':
      return [
        ...field('body.text', message.body),
        ...Object.entries(message.values).flatMap(([name, text]) => field(`values.${name}`, text)),
      ];
  }
}

/** The texts alone. */
export function personalTexts(message: Message): readonly string[] {
  return personalFields(message).map(({ text }) => text);
}

/** True when every recipient gets the same words, so that one bulk SMS request can carry many. */
export function isSameForAll(message: Message): boolean {
  return personalTexts(message).every((text) => columnsUsed(text).length === 0);
}

/** The text with every `{{column}}` that the row has replaced, once: what a value brings in is not read again. */
export function fillColumns(text: string, columns: readonly string[], values: readonly string[]): string {
  return text.replaceAll(COLUMN, (typed, name: string) => values[columns.indexOf(name)] ?? typed);
}

/**
 * The message as one recipient gets it. A column that the row does not have stays as it was typed, so that a
 * mistake is seen; `sends` refuses such rows before anything is sent.
 */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  const fill = (text: string) => fillColumns(text, columns, values);
  switch (message.kind) {
    case 'chatapp':
      return { ...message, params: message.params.map(fill) };
    case 'rcs':
      return message.params === undefined ? message : { ...message, params: message.params.map(fill) };
    case 'sms':
    case 'flash':
      return withText(message, fill(message.text));
    case 'interactive':
      return {
        ...message,
        ...(message.header?.type === 'text'
          ? { header: { ...message.header, text: fill(message.header.text) } }
          : {}),
        body: fill(message.body),
        ...(message.footer === undefined ? {} : { footer: fill(message.footer) }),
      };
    case 'address':
      return { ...message, body: fill(message.body), values: filledIn(message.values, fill) };
  }
}

/** A value that is empty in a row is left out: the customer fills it in. */
function filledIn(values: AddressValues, fill: (text: string) => string): AddressValues {
  const filled = Object.entries(values).map(([name, text]) => [name, fill(text)] as const);
  return Object.fromEntries(filled.filter(([, text]) => !isBlank(text)));
}

/** A name in another script makes a text need Unicode that did not before. */
function withText<Text extends SmsMessage | FlashMessage>(message: Text, text: string): Text {
  if (text === message.text) return message;
  return { ...message, text, unicode: measureSms(text).encoding === 'UCS-2' };
}
