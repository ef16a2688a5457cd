import type { TextOf } from '../columns.ts';
import { INTERACTIVE_TEXTS, interactiveForm } from '../interactive/form.ts';
import type { Choice, InteractiveHeader, InteractiveMessage } from '../interactive/message.ts';
import { interactiveText, spaceLeft } from '../interactive/preview.ts';
import { withReplyReference } from '../interactive/reply-ids.ts';
import { INTERACTIVE_PARTS } from '../interactive/structure.ts';
import { formatNumber } from '../numbers/phone-number.ts';
import { ANY_HOUR, type Fact, fact, type Kind, type PersonalField, WITHOUT_SECRET } from './kind.ts';

/** A message with a list or reply buttons; docs/wire.md row 11. Its form: {@link interactiveForm}. */
export const interactive: Kind<InteractiveMessage, 'chatapp'> = {
  ...ANY_HOUR,
  ...WITHOUT_SECRET,
  noun: 'an interactive message',
  title: 'Interactive message',
  command: { builds: 'a message with up to three reply buttons, or a list of up to ten rows.' },
  textPath: ['interactive', 'body', 'text'],
  senders: 'chatapp',
  channel: 'chatapp',
  parts: INTERACTIVE_PARTS,
  personalKeys: ['interactive'],
  form: interactiveForm,
  formValues,
  preview: (value) => ({ text: interactiveText(value), spaceLeft: spaceLeft(value) }),
  personalFields,
  personaliser,
  sameForAll,
  rowProblem: (message) => {
    for (const { path, text } of personalFields(message)) {
      const read = INTERACTIVE_TEXTS[path]?.(text);
      if (read?.ok === false) return read.error;
    }
    return undefined;
  },
  facts: ({ from, header, action }) => [
    { label: 'From', value: formatNumber(from) },
    action.type === 'button'
      ? { label: 'Reply buttons', value: String(action.buttons.length) }
      : {
          label: 'List',
          value: `${action.sections.flatMap(({ rows }) => rows).length} rows in ${action.sections.length} sections`,
        },
    ...fact('Header', header?.type),
  ],
  attachments: ({ header }) => headerMedia(header),
  text: (message) => interactiveText(formValues(message)),
  inShort: ({ body }) => body.replaceAll('\n', ' '),
  templateName: () => undefined,
  withReplyReference,
};

const MEDIA_LABELS = { image: 'Image', video: 'Video', document: 'Document' } as const;

function headerMedia(header: InteractiveHeader | undefined): readonly Fact[] {
  if (header === undefined || header.type === 'text') return [];
  const { media, type } = header;
  const label = MEDIA_LABELS[type];
  return [
    ...('id' in media
      ? [{ label: `${label} id`, value: media.id }]
      : [
          { label, value: media.link },
          { label: 'Provider', value: media.provider.name },
        ]),
    ...fact('File name', type === 'document' ? header.filename : undefined),
  ];
}

function personalFields({ header, body, footer }: InteractiveMessage): readonly PersonalField[] {
  const field = (path: string, text: string | undefined) => (text === undefined ? [] : [{ path, text }]);
  return [
    ...field('interactive.header.text', header?.type === 'text' ? header.text : undefined),
    ...field('interactive.body.text', body),
    ...field('interactive.footer.text', footer),
  ];
}

function personaliser(
  message: InteractiveMessage,
  compile: (text: string) => TextOf,
): (values: readonly string[]) => InteractiveMessage {
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

/** What can be tapped comes back by its id and title, so it reads the same for everyone. */
function sameForAll({ header, action }: InteractiveMessage): Record<string, string | undefined> {
  const media = header === undefined || header.type === 'text' ? undefined : header;
  const mediaTexts =
    media === undefined
      ? {}
      : {
          [`interactive.header.${media.type}.link`]: 'link' in media.media ? media.media.link : undefined,
          'interactive.header.document.filename': media.type === 'document' ? media.filename : undefined,
        };
  if (action.type === 'button') {
    const titles = action.buttons.map(({ title }, index) => [
      `interactive.action.buttons.${index}.reply.title`,
      title,
    ]);
    return { ...mediaTexts, ...Object.fromEntries(titles) };
  }
  const sections = action.sections.flatMap(({ title, rows }, index) => {
    const path = `interactive.action.sections.${index}`;
    return [
      [`${path}.title`, title],
      ...rows.flatMap((row, place) => [
        [`${path}.rows.${place}.title`, row.title],
        [`${path}.rows.${place}.description`, row.description],
      ]),
    ];
  });
  return { ...mediaTexts, 'interactive.action.button': action.button, ...Object.fromEntries(sections) };
}

function formValues({ from, header, body, footer, action }: InteractiveMessage) {
  const interactive = {
    type: action.type,
    header: headerValues(header),
    body: { text: body },
    footer: { text: footer },
    action:
      action.type === 'button'
        ? { buttons: action.buttons.map((choice) => ({ reply: { title: choice.title, id: ownId(choice) } })) }
        : {
            button: action.button,
            sections: action.sections.map(({ id, title, rows }) => ({
              id,
              title,
              rows: rows.map((row) => ({ title: row.title, description: row.description, id: ownId(row) })),
            })),
          },
  };
  return { from, interactive };
}

function headerValues(header: InteractiveHeader | undefined): object {
  if (header === undefined) return { type: 'none' };
  if (header.type === 'text') return header;
  const filename = header.type === 'document' ? { filename: header.filename } : {};
  return { type: header.type, [header.type]: { ...header.media, ...filename } };
}

/** An id that Herald made is made again: it may have to name another send. */
function ownId({ id, proposed }: Choice): string | undefined {
  return proposed ? undefined : id;
}
