import type { z } from 'zod';
import { fail, ok } from '../../core/result.ts';
import type { FormSchema } from '../form/field.ts';
import {
  campaignName,
  chatappSender,
  type FormContext,
  formSchema,
  given,
  group,
  optional,
  optionalChoice,
  type Refuse,
  readLine,
  required,
  unfinishedForm,
} from '../form/form.ts';
import { fileNameField, IMAGE_HINT, LINK_HINT, linkField, readImageLink, readLink } from '../form/link.ts';
import { recipientField, SENDER_IS_RECIPIENT } from '../form/recipient.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import type { Draft } from '../submission.ts';
import { paramFields, paramTexts, templateField, unknownTemplateField } from '../templates/field.ts';
import { LANGUAGE_RULE, languageCode, languageLabel } from '../templates/language.ts';
import { HIDDEN_PASSWORD, previewTemplate, renderValues, templateInShort } from '../templates/preview.ts';
import type { ChatappTemplate } from '../templates/template.ts';
import { ANY_HOUR, fact, type Kind, NO_ROW_RULES, WITHOUT_REPLY_IDS } from './kind.ts';

const OTP = 'One-time password';
const DOCUMENT_URL = 'Header document URL';
const IMAGE_URL = 'Header image URL';

/** Header media of a chat-app template (interface document, "components.header"). */
type ChatappHeader =
  | { readonly type: 'document'; readonly link: string; readonly filename: string }
  | { readonly type: 'image'; readonly link: string };

/** A chat-app template message without its recipient: docs/wire.md rows 1, 2, 2b and 3. */
export interface ChatappMessage {
  readonly kind: 'chatapp';
  readonly variant: 'otp' | 'text' | 'document' | 'image';
  readonly from: Msisdn;
  readonly templateName: string;
  /** In template order; empty when the template has no placeholders; unused by `otp`. */
  readonly params: readonly string[];
  /** Only for `otp`. A secret: shown to nobody, written nowhere. */
  readonly otp?: string;
  readonly language?: { readonly code: string };
  readonly header?: ChatappHeader;
  readonly campaignName?: string;
}

/** A chat-app template message; docs/wire.md rows 1, 2, 2b and 3. */
export const chatapp: Kind<ChatappMessage, 'chatapp'> = {
  ...ANY_HOUR,
  ...NO_ROW_RULES,
  ...WITHOUT_REPLY_IDS,
  noun: 'a chat-app message',
  title: 'Chat-app message',
  command: {
    description: 'Send a chat-app template message to a customer',
    usageHint: '[template number "value" …], interactive, address or help',
    examples: [
      '/chatapp order_update +919876501234 "Asha" "A-1001"',
      '/chatapp',
      '/chatapp interactive',
      '/chatapp address',
    ],
  },
  templateChannel: 'chatapp',
  senders: 'chatapp',
  channel: 'chatapp',
  personalKeys: ['params'],
  form: chatappForm,
  formValues: ({ templateName, from, params, language, header, campaignName: campaign }) => {
    const { type: _type, ...media } = header ?? { type: undefined };
    return {
      template: templateName,
      from,
      params,
      language: language?.code,
      header: media,
      campaignName: campaign,
    };
  },
  preview: (value, template) => ({ text: previewTemplate('chatapp', template, value) }),
  personalFields: ({ params }) => paramTexts(params),
  personaliser: (message, compile) => {
    const params = message.params.map(compile);
    return (values) => ({ ...message, params: params.map((text) => text(values)) });
  },
  sameForAll: ({ header, campaignName: campaign }) => ({
    'header.link': header?.link,
    'header.filename': header?.type === 'document' ? header.filename : undefined,
    campaignName: campaign,
  }),
  facts: ({ templateName, from, language, campaignName: campaign }) => [
    { label: 'Template', value: templateName },
    { label: 'From', value: formatNumber(from) },
    ...fact('Language', language?.code),
    ...fact('Campaign', campaign),
  ],
  attachments: ({ header }) => [
    ...fact(header?.type === 'image' ? 'Image' : 'Document', header?.link),
    ...fact('File name', header?.type === 'document' ? header.filename : undefined),
  ],
  text: (message, template) =>
    renderValues(template, message.variant === 'otp' ? [HIDDEN_PASSWORD] : message.params),
  inShort: ({ templateName, params }, template) => templateInShort(templateName, template, params),
  templateName: ({ templateName }) => templateName,
  passwordPath: 'template',
  secretOf: ({ otp }) => otp,
  needsSecret: ({ variant }) => variant === 'otp',
  withoutSecret: ({ otp: _otp, ...rest }) => rest,
};

/**
 * The form of a chat-app template message.
 *
 * In: `{template?, params?: [string…], header?: {link, filename?}, otp?, language?, to, from, campaignName?}`, where
 * `params` is there when the template has placeholders, `header` for document and image, `otp` and `language` for the
 * one-time password. Out: the message and its recipient. Rules are the interface document's "Chat-app template
 * message request"; sender and recipient must differ (code 131021). Issues carry the form's paths.
 */
function chatappForm(context: FormContext): FormSchema<Draft<ChatappMessage>> {
  const { template } = context;
  if (template?.channel !== 'chatapp')
    return unfinishedForm({ template: unknownTemplateField(), ...commonFields(context) });
  switch (template.variant) {
    case 'otp':
      return otpForm(context, template);
    case 'text':
      return paramsForm(context, template);
    case 'document':
      return paramsForm(context, template, documentHeader());
    case 'image':
      return paramsForm(context, template, imageHeader());
  }
}

function otpForm(context: FormContext, template: ChatappTemplate) {
  const shape = {
    template: templateField(template),
    otp: required(
      {
        label: OTP,
        hint: 'Shown to nobody but the recipient, and stored nowhere.',
        maxLength: TEXT_MAX_CHARACTERS,
        affectsPreview: true,
      },
      'Enter the one-time password.',
      readLine(OTP),
    ),
    language: languageField(template.languages),
    ...commonFields(context),
  };
  return formSchema(shape, (fields, refuse) => {
    const { otp } = fields;
    // A template registered in one language can be meant in no other.
    const code = fields.language ?? (template.languages.length === 1 ? template.languages[0] : undefined);
    const language = code === undefined ? undefined : { code };
    return submission(template, fields, refuse, { params: [], otp, ...given('language', language) });
  });
}

/** @param header fields of the header's media, which make a `ChatappHeader`; absent for the variant `text` */
function paramsForm<Header extends z.ZodType<ChatappHeader>>(
  context: FormContext,
  template: ChatappTemplate,
  header?: Header,
) {
  const shape = {
    template: templateField(template),
    ...(header && { header }),
    params: paramFields(template, context),
    ...commonFields(context),
  };
  return formSchema(shape, (fields, refuse) => {
    const media = 'header' in fields ? (fields.header as ChatappHeader) : undefined;
    return submission(template, fields, refuse, { params: fields.params, ...given('header', media) });
  });
}

function documentHeader() {
  const link = linkField(
    { label: DOCUMENT_URL, hint: LINK_HINT },
    'Enter the link to the document.',
    readLink(DOCUMENT_URL),
  );
  return group({ link, filename: fileNameField() }).transform(
    (media): ChatappHeader => ({ type: 'document', ...media }),
  );
}

function imageHeader() {
  const meta = { label: IMAGE_URL, hint: IMAGE_HINT };
  const link = linkField(meta, 'Enter the link to the image.', readImageLink(IMAGE_URL));
  return group({ link }).transform((media): ChatappHeader => ({ type: 'image', ...media }));
}

function commonFields(context: FormContext) {
  return {
    to: recipientField(context),
    from: chatappSender(context),
    campaignName: campaignName(context),
  };
}

function languageField(languages: readonly string[]) {
  const meta = { label: 'Language' };
  if (languages.length === 0) {
    return optional({ ...meta, hint: LANGUAGE_RULE, placeholder: 'en' }, (typed) => {
      const code = languageCode(typed);
      return code === undefined ? fail(LANGUAGE_RULE) : ok(code);
    });
  }
  const optionLabels = Object.fromEntries(languages.map((code) => [code, languageLabel(code)]));
  const only = languages.length === 1 ? given('initial', languages[0]) : {};
  return optionalChoice(
    { ...meta, optionLabels, ...only },
    languages,
    'Choose one of the template’s languages.',
  );
}

interface ChatappFields {
  readonly to: Msisdn | undefined;
  readonly from: Msisdn;
  readonly campaignName: string | undefined;
}

type Content = Pick<ChatappMessage, 'params' | 'otp' | 'language' | 'header'>;

function submission(
  { name, variant }: ChatappTemplate,
  { to, from, campaignName: campaign }: ChatappFields,
  refuse: Refuse,
  content: Content,
): Draft<ChatappMessage> {
  if (from === to) refuse(['to'], SENDER_IS_RECIPIENT);
  const base = { kind: 'chatapp', variant, from, templateName: name } as const;
  return { to, message: { ...base, ...content, ...given('campaignName', campaign) } };
}
