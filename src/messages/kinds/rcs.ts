import type { z } from 'zod';
import { given } from '../../core/given.ts';
import {
  campaignName,
  type Draft,
  type FormContext,
  type FormSchema,
  formSchema,
  group,
  optionalChoice,
  required,
  senderChoice,
  sequence,
  unfinishedForm,
} from '../form/form.ts';
import { linkTo } from '../form/link.ts';
import { recipientField } from '../form/recipient.ts';
import type { RcsSender } from '../senders.ts';
import { paramFields, paramTexts, templateField, unknownTemplateField } from '../templates/field.ts';
import { previewTemplate, renderValues, templateInShort } from '../templates/preview.ts';
import type { RcsTemplate } from '../templates/template.ts';
import { fact, type Kind, REMOVED_WORDS, USUAL } from './kind.ts';

/** An RCS message without its recipient: docs/wire.md rows 4 to 8. */
export interface RcsMessage {
  readonly kind: 'rcs';
  readonly variant: RcsTemplate['variant'];
  readonly templateName: string;
  readonly botId: string;
  readonly type: string;
  /** Only for `variables`, in template order. */
  readonly params?: readonly string[];
  /** Only for `carousel-images`: one publicly reachable URL a card, in card order. */
  readonly fileUrls?: readonly string[];
  readonly campaignName?: string;
}

export const rcs: Kind<RcsMessage, 'rcs'> = {
  ...USUAL,
  noun: 'an RCS message',
  title: 'RCS message',
  purpose: 'A template with pictures or cards, to phones that have RCS',
  command: {
    description: 'Send an RCS template message to a customer',
    usageHint: '[template number "value" …] or help',
    examples: ['/rcs appointment +919876501234 "Monday" "10:00"', '/rcs'],
  },
  templateChannel: 'rcs',
  senders: 'rcs',
  channel: 'rcs',
  senderField: 'botId',
  settings: ['type', 'campaignName'],
  personalPaths: ['params'],
  form: rcsForm,
  formValues: ({ templateName, botId, type, params, fileUrls, campaignName: campaign }) => ({
    template: templateName,
    botId,
    type,
    params,
    content: fileUrls?.map((fileUrl) => ({ fileUrl })),
    campaignName: campaign,
  }),
  preview: (value, template) => ({ text: previewTemplate('rcs', template, value) }),
  personalFields: ({ params }) => paramTexts(params ?? []),
  personaliser: (message, compile) => {
    const params = message.params?.map(compile);
    if (params === undefined) return () => message;
    return (values) => ({ ...message, params: params.map((text) => text(values)) });
  },
  facts: ({ templateName, botId, type, campaignName: campaign }) => [
    { label: 'Template', value: templateName },
    { label: 'Bot', value: botId },
    { label: 'Type', value: type },
    ...fact('Campaign', campaign),
  ],
  attachments: ({ fileUrls = [] }) =>
    fileUrls.map((value, index) => ({
      label: `Card ${index + 1} image`,
      value,
      media: { type: 'card', path: `content.${index}.fileUrl` },
    })),
  text: ({ params }, template) => renderValues(template, params ?? []),
  inShort: ({ templateName, params }, template) => templateInShort(templateName, template, params ?? []),
  templateName: ({ templateName }) => templateName,
  withoutWords: ({ fileUrls: _links, ...rest }) => ({
    ...rest,
    ...(rest.params && { params: rest.params.map(() => REMOVED_WORDS) }),
  }),
};

/** By the interface document’s "RCS message request". */
function rcsForm(context: FormContext): FormSchema<Draft<RcsMessage>> {
  const { template } = context;
  if (template?.channel !== 'rcs') {
    return unfinishedForm({ template: unknownTemplateField(), ...commonFields(context) });
  }
  const { name: templateName, variant } = template;
  const shape = {
    template: templateField(template),
    ...(variant === 'variables' && { params: paramFields(template, context) }),
    ...(variant === 'carousel-images' && { content: cardFields(template) }),
    ...commonFields(context),
  };
  return formSchema(shape as unknown as Leaves, ({ to, botId: bot, type, params, content, ...fields }) => {
    const { botId } = bot;
    const base = { kind: 'rcs', variant, templateName, botId, type: type ?? bot.type } as const;
    const fileUrls = content?.map(({ fileUrl }) => fileUrl);
    return { to, message: { ...base, ...given({ params, fileUrls, campaignName: fields.campaignName }) } };
  });
}

/** The leaves of the form, some of which a template has not. */
type Leaves = ReturnType<typeof commonFields> & {
  readonly params: z.ZodType<RcsMessage['params']>;
  readonly content: z.ZodType<readonly { readonly fileUrl: string }[] | undefined>;
};

function cardFields({ label: name, cards: count }: RcsTemplate) {
  const cards = Array.from({ length: count }, (_card, index) => {
    const { meta, read } = linkTo('card', `Card ${index + 1} image URL`);
    return group({ fileUrl: required(meta, `Enter the link to the image of card ${index + 1}.`, read) });
  });
  return sequence(cards, `The carousel “${name}” has ${count} cards: enter one link a card.`);
}

function commonFields(context: FormContext) {
  const bots = context.senders.rcs;
  return {
    to: recipientField(context),
    botId: senderChoice(
      'Bot',
      bots.map((bot) => ({ value: bot.botId, label: bot.label, sender: bot })),
      'Choose the bot that sends the message.',
    ),
    type: typeField(bots),
    campaignName: campaignName(context),
  };
}

function typeField(bots: readonly RcsSender[]) {
  const types = [...new Set(bots.map(({ type }) => type))];
  const meta = { label: 'Type', hint: 'Left open: what the bot is registered for.' };
  const only = types.length === 1 ? given({ initial: types[0] }) : {};
  return optionalChoice({ ...meta, ...only }, types, 'Choose one of the types of your bots.');
}
