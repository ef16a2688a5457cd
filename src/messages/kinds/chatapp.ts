import type { z } from 'zod';
import { given } from '../../core/given.ts';
import {
  campaignName,
  chatappSender,
  type Draft,
  type FormContext,
  type FormSchema,
  field,
  formSchema,
  group,
  optional,
  optionalChoice,
  required,
  requiredLine,
  unfinishedForm,
} from '../form/form.ts';
import { fileNameField, imageNote, linkTo, mediaAttachment } from '../form/link.ts';
import { recipientField } from '../form/recipient.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import { DEFAULT_TERMS } from '../service-terms.ts';
import { paramFields, paramTexts, templateField, unknownTemplateField } from '../templates/field.ts';
import { HIDDEN_PASSWORD, previewTemplate, renderValues, templateInShort } from '../templates/preview.ts';
import { type ChatappTemplate, LANGUAGE_RULE, languageLabel, readLanguage } from '../templates/template.ts';
import { fact, type Kind, REMOVED_WORDS, USUAL } from './kind.ts';

/** Header media of a chat-app template (interface document, "components.header"). */
type ChatappHeader =
  | { readonly type: 'document'; readonly link: string; readonly filename: string }
  | { readonly type: 'image' | 'video'; readonly link: string };

/** A chat-app template message without its recipient: docs/wire.md rows 1 to 3. */
export interface ChatappMessage {
  readonly kind: 'chatapp';
  readonly variant: ChatappTemplate['variant'];
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

export const chatapp: Kind<ChatappMessage, 'chatapp'> = {
  ...USUAL,
  noun: 'a chat-app message',
  title: 'Chat-app message',
  purpose: 'A template of the chat app, at any time',
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
  senderField: 'from',
  settings: ['language', 'campaignName'],
  personalPaths: ['params'],
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
  facts: ({ templateName, from, language, campaignName: campaign }) => [
    { label: 'Template', value: templateName },
    { label: 'From', value: formatNumber(from) },
    ...fact('Language', language?.code),
    ...fact('Campaign', campaign),
  ],
  attachments: ({ header }) => [
    ...(header === undefined ? [] : [mediaAttachment(header.type, header.link, 'header.link')]),
    ...fact('Check', header?.type === 'image' ? imageNote(header.link) : undefined),
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
  withoutWords: ({ header: _header, ...rest }) => ({ ...rest, params: rest.params.map(() => REMOVED_WORDS) }),
};

/** By the interface document’s "Chat-app template message request". */
function chatappForm(context: FormContext): FormSchema<Draft<ChatappMessage>> {
  const { template, terms = DEFAULT_TERMS } = context;
  if (template?.channel !== 'chatapp')
    return unfinishedForm({ template: unknownTemplateField(), ...commonFields(context) });
  const { name: templateName, variant } = template;
  const shape = {
    template: templateField(template),
    ...(variant !== 'otp' && variant !== 'text' && { header: headerFields(variant) }),
    ...(variant === 'otp' ? { otp: passwordField() } : { params: paramFields(template, context) }),
    // Asked for where the request has a place for it.
    ...(terms.takes(variant, 'language') && { language: languageField(template.languages) }),
    ...commonFields(context),
  };
  return formSchema(shape as unknown as Leaves, ({ to, from, params = [], header, otp, ...fields }) => {
    const base = { kind: 'chatapp', variant, from, templateName, params } as const;
    const language = fields.language === undefined ? undefined : { code: fields.language };
    const { campaignName: campaign } = fields;
    return { to, message: { ...base, ...given({ header, otp, language, campaignName: campaign }) } };
  });
}

/** The leaves of the form, some of which a template has not. */
type Leaves = ReturnType<typeof commonFields> & {
  readonly params: z.ZodType<readonly string[] | undefined>;
  readonly header: z.ZodType<ChatappHeader | undefined>;
  readonly otp: z.ZodType<string | undefined>;
  readonly language: z.ZodType<string | undefined>;
};

function passwordField() {
  return requiredLine(
    {
      label: 'One-time password',
      hint: 'Shown to nobody but the recipient, and stored nowhere.',
      maxLength: TEXT_MAX_CHARACTERS,
      affectsPreview: true,
    },
    'Enter the one-time password.',
  );
}

function headerFields(type: ChatappHeader['type']): z.ZodType<ChatappHeader> {
  const { meta, read } = linkTo(type, `Header ${type} URL`);
  const link = required(meta, `Enter the link to the ${type}.`, read);
  if (type !== 'document') return group({ link }).transform((fields) => ({ type, ...fields }));
  return group({ link, filename: fileNameField() }).transform((fields) => ({ type, ...fields }));
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
    return optional({ ...meta, hint: LANGUAGE_RULE, placeholder: 'en' }, readLanguage);
  }
  const optionLabels = Object.fromEntries(languages.map((code) => [code, languageLabel(code)]));
  // A template registered in one language can be meant in no other.
  const only = languages.length === 1 ? languages[0] : undefined;
  const choice = { ...meta, optionLabels, ...given({ initial: only }) };
  return optionalChoice(choice, languages, 'Choose one of the template’s languages.')
    .transform((code) => code ?? only)
    .meta(field(choice));
}
