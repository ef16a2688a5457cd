import type { AddressValues } from './address/fields.ts';
import type { FlashMessage, InteractiveMessage, Message, SmsMessage } from './message.ts';
import { measureSms } from './sms/segments.ts';
import { isBlank } from './text.ts';

/** `{{column}}` in a value that a person typed for many recipients; spaces around the name are ignored. */
const COLUMN = /\{\{([^{}]+)\}\}/g;

function nameIn([, between = '']: RegExpExecArray): string {
  return between.trim();
}

/** The columns that a text uses, in order of appearance, each once. */
export function columnsUsed(text: string): readonly string[] {
  return [...new Set([...text.matchAll(COLUMN)].map(nameIn))];
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

/** Makes a text out of one row's values. */
type TextOf = (values: readonly string[]) => string;

/** Reads a text's `{{column}}` once, for any number of rows. */
function compileText(text: string, columns: readonly string[]): TextOf {
  const places = [...text.matchAll(COLUMN)].map((match) => ({
    typed: match[0],
    from: match.index,
    column: columns.indexOf(nameIn(match)),
  }));
  if (places.length === 0) return () => text;
  return (values) => {
    let filled = '';
    let end = 0;
    for (const { typed, from, column } of places) {
      filled += text.slice(end, from) + (values[column] ?? typed);
      end = from + typed.length;
    }
    return filled + text.slice(end);
  };
}

/** The text with every `{{column}}` that the row has replaced, once: what a value brings in is not read again. */
export function fillColumns(text: string, columns: readonly string[], values: readonly string[]): string {
  return compileText(text, columns)(values);
}

/**
 * Reads a message once and makes it for any number of rows, each as its recipient gets it. A column that a row does
 * not have stays as it was typed, so that a mistake is seen; `sends` refuses such rows before anything is sent.
 */
export function createPersonaliser(
  message: Message,
  columns: readonly string[],
): (values: readonly string[]) => Message {
  const compile = (text: string) => compileText(text, columns);
  switch (message.kind) {
    case 'chatapp': {
      const params = message.params.map(compile);
      return (values) => ({ ...message, params: params.map((text) => text(values)) });
    }
    case 'rcs': {
      const params = message.params?.map(compile);
      if (params === undefined) return () => message;
      return (values) => ({ ...message, params: params.map((text) => text(values)) });
    }
    case 'sms':
    case 'flash': {
      const text = compile(message.text);
      return (values) => withText(message, text(values));
    }
    case 'interactive':
      return interactivePersonaliser(message, compile);
    case 'address': {
      const body = compile(message.body);
      const texts = Object.entries(message.values).map(([name, text]) => [name, compile(text)] as const);
      return (values) => ({ ...message, body: body(values), values: filledIn(texts, values) });
    }
  }
}

/** The message as one recipient gets it; for many, see `createPersonaliser`. */
export function personalise(
  message: Message,
  columns: readonly string[],
  values: readonly string[],
): Message {
  return createPersonaliser(message, columns)(values);
}

function interactivePersonaliser(
  message: InteractiveMessage,
  compile: (text: string) => TextOf,
): (values: readonly string[]) => Message {
  const { header, footer } = message;
  const body = compile(message.body);
  const headerText = header?.type === 'text' ? compile(header.text) : undefined;
  const footerText = footer === undefined ? undefined : compile(footer);
  return (values) => ({
    ...message,
    ...(headerText === undefined ? {} : { header: { type: 'text', text: headerText(values) } }),
    body: body(values),
    ...(footerText === undefined ? {} : { footer: footerText(values) }),
  });
}

/** A value that is empty in a row is left out: the customer fills it in. */
function filledIn(
  texts: readonly (readonly [name: string, text: TextOf])[],
  values: readonly string[],
): AddressValues {
  const filled = texts.map(([name, text]) => [name, text(values)] as const);
  return Object.fromEntries(filled.filter(([, text]) => !isBlank(text)));
}

/** A name in another script makes a text need Unicode that did not before. */
function withText<Text extends SmsMessage | FlashMessage>(message: Text, text: string): Text {
  if (text === message.text) return message;
  return { ...message, text, unicode: measureSms(text).encoding === 'UCS-2' };
}
