import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { TextOf } from '../columns.ts';
import { field, group, optional, optionalChoice, readLine, readText, required } from '../form/form.ts';
import {
  fileNameField,
  IMAGE_HINT,
  imageNote,
  LINK_HINT,
  MEDIA_LABELS,
  mediaAttachment,
  readImageLink,
  readLink,
} from '../form/link.ts';
import { type Attachment, fact, type PersonalField, REMOVED_WORDS } from '../kinds/kind.ts';
import {
  INTERACTIVE_BODY_MAX_CHARACTERS,
  INTERACTIVE_FOOTER_MAX_CHARACTERS,
  INTERACTIVE_HEADER_MAX_CHARACTERS,
} from '../limits.ts';
import { madeOf, type Refuse } from '../transforms.ts';
import type { Frame, InteractiveHeader, MediaReference } from './message.ts';
import { atMost, markdownProblem } from './plain-title.ts';
import { HEADER_TYPES, type HeaderType, type InteractiveStructure } from './structure.ts';

type HeaderStructure = Pick<InteractiveStructure, 'type' | 'header'>;
type MediaType = Exclude<HeaderType, 'none' | 'text'>;

const HEADER_TEXT = 'Header text';
const TYPE_LABELS: Readonly<Record<HeaderType, string>> = {
  none: 'None',
  text: 'Text',
  ...MEDIA_LABELS,
};
const LIST_HEADER =
  'A list message takes a text header or none. Choose one of these, or the type Reply buttons.';

/** One line without markdown; emoji are welcome (interface document, "Header object"). */
const readHeaderText = readLine(HEADER_TEXT, atMost(INTERACTIVE_HEADER_MAX_CHARACTERS), markdownProblem);

/**
 * The group `header`: `{type, text?}` or `{type, image | video | document: {link?, provider: {name?}, id?, filename?}}`
 * → the header, or undefined for none.
 */
function headerFields(structure: HeaderStructure): z.ZodType<InteractiveHeader | undefined> {
  const { header } = structure;
  const type = typeField(structure);
  switch (header) {
    case 'none':
      return group({ type }).transform(() => undefined);
    case 'text':
      return group({ type, text: textField() }).transform(({ text }) => ({ type: header, text }));
    case 'image':
      return group({ type, image: mediaGroup(header) }).transform(({ image }) => image);
    case 'video':
      return group({ type, video: mediaGroup(header) }).transform(({ video }) => video);
    case 'document':
      return group({ type, document: documentGroup() }).transform(({ document }) => document);
  }
}

function typeField({ type }: HeaderStructure) {
  const meta = { label: 'Header', optionLabels: TYPE_LABELS, initial: 'none', reshapes: true } as const;
  return optionalChoice(meta, HEADER_TYPES, `The header is one of ${HEADER_TYPES.join(', ')}.`)
    .refine((header) => type === 'button' || header === undefined || header === 'none' || header === 'text', {
      error: LIST_HEADER,
    })
    .meta(field(meta));
}

function textField() {
  return required(
    {
      label: HEADER_TEXT,
      hint: `At most ${INTERACTIVE_HEADER_MAX_CHARACTERS} characters; an emoji counts as two or more. No markdown.`,
      affectsPreview: true,
    },
    'Enter the header’s text, or choose no header.',
    readHeaderText,
  );
}

function mediaLeaves(type: MediaType) {
  const name = TYPE_LABELS[type];
  const link = `${name} URL`;
  return {
    link: optional(
      { label: link, hint: type === 'image' ? IMAGE_HINT : LINK_HINT, affectsPreview: true },
      type === 'image' ? readImageLink(link) : readLink(link),
    ),
    provider: group({
      name: optional(
        {
          label: 'Provider name',
          hint: 'With a URL, if your account has a provider that the service fetches it from.',
        },
        readLine('Provider name'),
      ),
    }),
    id: optional(
      {
        label: `${name} id`,
        hint: 'Instead of URL and provider: the id of media that the service already keeps.',
        affectsPreview: true,
      },
      readLine(`${name} id`),
    ),
  };
}

interface MediaFields {
  readonly link: string | undefined;
  readonly provider: { readonly name: string | undefined };
  readonly id: string | undefined;
}

function mediaGroup(type: 'image' | 'video') {
  return group(mediaLeaves(type)).transform(
    madeOf((fields, refuse) => ({ type, media: mediaReference(fields, type, refuse) })),
  );
}

function documentGroup() {
  return group({ ...mediaLeaves('document'), filename: fileNameField() }).transform(
    madeOf(({ filename, ...fields }, refuse) => ({
      type: 'document' as const,
      media: mediaReference(fields, 'document', refuse),
      filename,
    })),
  );
}

/** Either an id, or a link, with the name of a provider where there is one (interface document, "Media object forms"). */
function mediaReference(
  { link, provider, id }: MediaFields,
  type: MediaType,
  refuse: Refuse,
): MediaReference {
  const name = TYPE_LABELS[type].toLowerCase();
  if (id !== undefined && (link ?? provider.name) !== undefined)
    refuse(['id'], `Give either the ${name}’s id, or its URL and provider, not both.`);
  if (id !== undefined) return { id };
  if (link === undefined) {
    refuse(['link'], `Enter the ${name}’s URL, or its id below.`);
    return z.NEVER;
  }
  return { link, ...given({ provider: provider.name === undefined ? undefined : { name: provider.name } }) };
}

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
