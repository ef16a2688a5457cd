import { z } from 'zod';
import { given } from '../../core/given.ts';
import { field } from '../form/field.ts';
import { group, optional, optionalChoice, readLine, required } from '../form/form.ts';
import { fileNameField, IMAGE_HINT, LINK_HINT, MEDIA_LABELS, readImageLink, readLink } from '../form/link.ts';
import { INTERACTIVE_HEADER_MAX_CHARACTERS } from '../limits.ts';
import { madeOf, type Refuse } from '../transforms.ts';
import type { InteractiveHeader, MediaReference } from './message.ts';
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
export const readHeaderText = readLine(
  HEADER_TEXT,
  atMost(INTERACTIVE_HEADER_MAX_CHARACTERS),
  markdownProblem,
);

/**
 * The group `header`: `{type, text?}` or `{type, image | video | document: {link?, provider: {name?}, id?, filename?}}`
 * → the header, or undefined for none.
 */
export function headerFields(structure: HeaderStructure): z.ZodType<InteractiveHeader | undefined> {
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
