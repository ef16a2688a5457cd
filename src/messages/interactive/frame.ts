import { given } from '../../core/given.ts';
import type { TextOf } from '../columns.ts';
import { group, optional, readText, required } from '../form/form.ts';
import { imageNote, MEDIA_LABELS, mediaAttachment } from '../form/link.ts';
import { type Attachment, fact, type PersonalField, REMOVED_WORDS } from '../kinds/kind.ts';
import { INTERACTIVE_BODY_MAX_CHARACTERS, INTERACTIVE_FOOTER_MAX_CHARACTERS } from '../limits.ts';
import { headerFields, readHeaderText } from './header.ts';
import type { Frame, InteractiveHeader } from './message.ts';
import { atMost } from './plain-title.ts';
import type { InteractiveStructure } from './structure.ts';

const BODY = 'Body';
const FOOTER = 'Footer';

/** Text over several lines; emoji and markdown are welcome. */
const readBody = readText(BODY, atMost(INTERACTIVE_BODY_MAX_CHARACTERS));
const readFooter = readText(FOOTER, atMost(INTERACTIVE_FOOTER_MAX_CHARACTERS));

/** The groups `body: {text}` and `footer: {text?}`, and `header` as `headerFields` has it. */
export function frameFields(structure: Pick<InteractiveStructure, 'type' | 'header'>) {
  const body = required(
    {
      label: BODY,
      multiline: true,
      hint: `1 to ${INTERACTIVE_BODY_MAX_CHARACTERS} characters; an emoji counts as two or more. Markdown is welcome.`,
      affectsPreview: true,
    },
    'Enter the text of the message.',
    readBody,
  );
  const footer = optional(
    {
      label: FOOTER,
      hint: `At most ${INTERACTIVE_FOOTER_MAX_CHARACTERS} characters; an emoji counts as two or more.`,
      affectsPreview: true,
    },
    readFooter,
  );
  return {
    header: headerFields(structure),
    body: group({ text: body }),
    footer: group({ text: footer }),
  };
}

/** The message's part of a form whose fields are sound. */
export function frameOf(fields: {
  readonly header: InteractiveHeader | undefined;
  readonly body: { readonly text: string };
  readonly footer: { readonly text?: string | undefined };
}): Frame {
  return given({ header: fields.header, body: fields.body.text, footer: fields.footer.text });
}

/** The way back from `frameOf`. */
export function frameValues({ header, body, footer }: Frame) {
  return { header: headerValues(header), body: { text: body }, footer: { text: footer } };
}

function headerValues(header: InteractiveHeader | undefined): object {
  if (header === undefined) return { type: 'none' };
  if (header.type === 'text') return header;
  const { type, media, ...name } = header;
  return { type, [type]: { ...media, ...name } };
}

/** The texts that may differ from recipient to recipient. */
const TEXTS = [
  { path: 'header.text', read: readHeaderText, of: ({ header }: Frame) => textOf(header) },
  { path: 'body.text', read: readBody, of: ({ body }: Frame) => body },
  { path: 'footer.text', read: readFooter, of: ({ footer }: Frame) => footer },
] as const;

function textOf(header: InteractiveHeader | undefined): string | undefined {
  return header?.type === 'text' ? header.text : undefined;
}

/** @param prefix of the frame's paths in its form, with a dot at the end, or empty */
export function frameTexts(frame: Frame, prefix: string): readonly PersonalField[] {
  return TEXTS.flatMap(({ path, of }) => {
    const text = of(frame);
    return text === undefined ? [] : [{ path: `${prefix}${path}`, text }];
  });
}

/** Why a frame made out of one row of a list breaks a rule; undefined when it keeps them. */
export function frameProblem(frame: Frame): string | undefined {
  for (const { of, read } of TEXTS) {
    const text = of(frame);
    const judged = text === undefined ? undefined : read(text);
    if (judged?.ok === false) return judged.error;
  }
  return undefined;
}

export function framePersonaliser(
  { header, body, footer }: Frame,
  compile: (text: string) => TextOf,
): (values: readonly string[]) => Frame {
  const bodyOf = compile(body);
  const title = textOf(header);
  const headerOf = title === undefined ? undefined : compile(title);
  const footerOf = footer === undefined ? undefined : compile(footer);
  return (values) => ({
    ...given({ header: headerOf === undefined ? header : { type: 'text' as const, text: headerOf(values) } }),
    body: bodyOf(values),
    ...given({ footer: footerOf?.(values) }),
  });
}

/** Titles of buttons and rows stay, because answers are counted by them. */
export function withoutFrameWords<M extends Frame>({ header: _header, footer: _footer, ...rest }: M) {
  return { ...rest, body: REMOVED_WORDS };
}

export function frameAttachments({ header }: Frame): readonly Attachment[] {
  if (header === undefined || header.type === 'text') return [];
  const { media, type } = header;
  const file = fact('File name', type === 'document' ? header.filename : undefined);
  if ('id' in media) return [{ label: `${MEDIA_LABELS[type]} id`, value: media.id }, ...file];
  return [
    mediaAttachment(type, media.link),
    ...fact('Check', type === 'image' ? imageNote(media.link) : undefined),
    ...fact('Provider', media.provider?.name),
    ...file,
  ];
}
