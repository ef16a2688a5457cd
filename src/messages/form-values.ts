import type { Choice, InteractiveHeader, InteractiveMessage, Message } from './message.ts';

/** What a form holds that makes this message, by form paths: the way back from `parseBulkMessage`. */
export function formValues(message: Message): Readonly<Record<string, unknown>> {
  switch (message.kind) {
    case 'chatapp': {
      const { templateName, from, params, language, header, campaignName } = message;
      const { type: _type, ...media } = header ?? { type: undefined };
      return { template: templateName, from, params, language: language?.code, header: media, campaignName };
    }
    case 'rcs': {
      const { templateName, botId, type, params, fileUrls, campaignName } = message;
      const content = fileUrls?.map((fileUrl) => ({ fileUrl }));
      return { template: templateName, botId, type, params, content, campaignName };
    }
    case 'sms': {
      const { sender, text, type, campaignName } = message;
      return { sender, text, type, campaignName };
    }
    case 'flash': {
      const { sender, text, type } = message;
      return { sender, text, type };
    }
    case 'interactive':
      return { from: message.from, interactive: interactiveValues(message) };
    case 'address': {
      const { from, country, body, values, savedAddresses, validationErrors } = message;
      return {
        from,
        country,
        body: { text: body },
        values,
        ...(savedAddresses.length === 0 ? {} : { savedAddresses }),
        ...(Object.keys(validationErrors).length === 0 ? {} : { validationErrors }),
      };
    }
  }
}

function interactiveValues({ header, body, footer, action }: InteractiveMessage): object {
  return {
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
