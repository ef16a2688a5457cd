import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { TextOf } from '../columns.ts';
import {
  field,
  group,
  optional,
  optionalChoice,
  optionalLine,
  readLine,
  readText,
  required,
} from '../form/form.ts';
import { fileNameField, imageNote, linkTo, MEDIA_LABELS, mediaAttachment } from '../form/link.ts';
import { type Attachment, fact, type PersonalField, REMOVED_WORDS, USUAL } from '../kinds/kind.ts';
import { INTERACTIVE_LIMITS } from '../limits.ts';
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
const readHeaderText = readLine(HEADER_TEXT, atMost(INTERACTIVE_LIMITS.header), markdownProblem);

function headerFields(structure: HeaderStructure): z.ZodType<InteractiveHeader | undefined> {
  const { header } = structure;
  const type = typeField(structure);
  if (header === 'none') return group({ type }).transform(() => undefined);
  if (header === 'text') {
    const meta = { label: HEADER_TEXT, affectsPreview: true };
    const text = required(meta, 'Enter the header’s text, or choose no header.', readHeaderText);
    return group({ type, text }).transform((fields) => ({ type: header, text: fields.text }));
  }
  return group({ type, [header]: mediaGroup(header) }).transform(
    (fields) => fields[header] as InteractiveHeader,
  );
}

function typeField({ type }: HeaderStructure) {
  const meta = { label: 'Header', optionLabels: TYPE_LABELS, initial: 'none', reshapes: true } as const;
  return optionalChoice(meta, HEADER_TYPES, `The header is one of ${HEADER_TYPES.join(', ')}.`)
    .refine(
      (header) => type === 'button' || header === undefined || header === 'none' || header === 'text',
      LIST_HEADER,
    )
    .meta(field(meta));
}

function mediaLeaves(type: MediaType) {
  const name = TYPE_LABELS[type];
  const { meta, read } = linkTo(type, `${name} URL`);
  return {
    link: optional(meta, read),
    provider: group({
      name: optionalLine({
        label: 'Provider name',
        hint: 'With a URL, if your account has a provider that the service fetches it from.',
      }),
    }),
    id: optionalLine({
      label: `${name} id`,
      hint: 'Instead of URL and provider: the id of media that the service already keeps.',
      affectsPreview: true,
    }),
  };
}

type MediaFields = z.output<z.ZodObject<ReturnType<typeof mediaLeaves>>>;

function mediaGroup(type: MediaType) {
  const name = type === 'document' ? { filename: fileNameField() } : {};
  return group({ ...mediaLeaves(type), ...name }).transform(
    madeOf((fields, refuse) => {
      const { filename } = fields as { filename?: string };
      return { type, media: mediaReference(fields, type, refuse), ...given({ filename }) };
    }),
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

const BODY = 'Text';
const FOOTER = 'Footer';

/** Text over several lines; emoji and markdown are welcome. */
const readBody = readText(BODY, atMost(INTERACTIVE_LIMITS.body));
const readFooter = readText(FOOTER, atMost(INTERACTIVE_LIMITS.footer));

export function frameFields(structure: Pick<InteractiveStructure, 'type' | 'header'>) {
  const body = required(
    { label: BODY, multiline: true, affectsPreview: true },
    'Enter the text of the message.',
    readBody,
  );
  const footer = optional({ label: FOOTER, affectsPreview: true }, readFooter);
  return {
    header: headerFields(structure),
    body: group({ text: body }),
    footer: group({ text: footer }),
  };
}

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

/**
 * What kinds answer whose messages have a frame.
 *
 * @param prefix of the frame's paths in the kind's form, with a dot at the end, or empty
 */
export function framed<M extends Frame>(prefix: string) {
  return {
    ...USUAL,
    senders: 'chatapp',
    channel: 'chatapp',
    senderField: 'from',
    settings: ['campaignName'],
    textPath: `${prefix}body.text`.split('.'),
    personalPaths: TEXTS.map(({ path }) => `${prefix}${path}`),
    personalFields: (message: M): readonly PersonalField[] =>
      TEXTS.flatMap(({ path, of }) => {
        const text = of(message);
        return text === undefined ? [] : [{ path: `${prefix}${path}`, text }];
      }),
    personaliser: (message: M, compile: (text: string) => TextOf) => {
      const { header, body, footer } = message;
      const bodyOf = compile(body);
      const title = textOf(header);
      const headerOf = title === undefined ? undefined : compile(title);
      const footerOf = footer === undefined ? undefined : compile(footer);
      return (values: readonly string[]): M => ({
        ...message,
        ...(headerOf && { header: { type: 'text', text: headerOf(values) } }),
        body: bodyOf(values),
        ...given({ footer: footerOf?.(values) }),
      });
    },
    /** Why a frame made out of one row of a list breaks a rule. */
    rowProblem: (message: M): string | undefined => {
      for (const { of, read } of TEXTS) {
        const text = of(message);
        const judged = text === undefined ? undefined : read(text);
        if (judged?.ok === false) return judged.error;
      }
      return undefined;
    },
    attachments: ({ header }: M) => attachmentsOf(header, prefix),
    /** Titles of buttons and rows stay, because answers are counted by them. */
    withoutWords: ({ header: _header, footer: _footer, ...rest }: M) => ({ ...rest, body: REMOVED_WORDS }),
    inShort: ({ body }: M) => body.replaceAll('\n', ' '),
  } as const;
}

function attachmentsOf(header: InteractiveHeader | undefined, prefix: string): readonly Attachment[] {
  if (header === undefined || header.type === 'text') return [];
  const { media, type } = header;
  const file = fact('File name', type === 'document' ? header.filename : undefined);
  if ('id' in media) return [{ label: `${MEDIA_LABELS[type]} id`, value: media.id }, ...file];
  return [
    // What a provider fetches it may fetch with a key.
    media.provider === undefined
      ? mediaAttachment(type, media.link, `${prefix}header.${type}.link`)
      : { label: MEDIA_LABELS[type], value: media.link },
    ...fact('Check', type === 'image' ? imageNote(media.link) : undefined),
    ...fact('Provider', media.provider?.name),
    ...file,
  ];
}
