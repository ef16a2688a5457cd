import type { Message } from './message.ts';

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
  }
}
