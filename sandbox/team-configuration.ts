import { parse } from 'yaml';
import { z } from 'zod';
import type { RegisteredTemplate } from './carrier/registered-templates.ts';
import type { RegisteredSenders } from './carrier/registry.ts';

/*
 * The sandbox's carrier knows the templates and senders that the team's file names, so that what Herald offers is
 * what the service has approved. Only the keys needed for that are read; judging the file is Herald's business.
 */
const templateSchema = z.object({
  name: z.string(),
  channel: z.enum(['chatapp', 'rcs', 'sms']),
  variant: z.string().default('text'),
  text: z.string().optional(),
  placeholders: z.array(z.unknown()).optional(),
  cards: z.number().optional(),
  languages: z.array(z.string()).optional(),
});
const fileSchema = z.object({
  senders: z
    .object({
      chatapp: z.array(z.object({ number: z.string() })).optional(),
      rcs: z.array(z.object({ botId: z.string() })).optional(),
      sms: z.array(z.object({ id: z.string() })).optional(),
    })
    .optional(),
  templates: z.array(templateSchema).optional(),
});

export interface Registered {
  readonly templates: readonly RegisteredTemplate[];
  readonly senders: RegisteredSenders;
}

/**
 * What a `herald.yml` says is registered with the service.
 *
 * @param source the file's text
 * @throws when it is not YAML or its senders and templates do not have their shape
 */
export function registeredIn(source: string): Registered {
  const file = fileSchema.parse(parse(source) ?? {});
  return {
    // Of SMS the service gets whole texts: it knows no templates of them.
    templates: (file.templates ?? []).filter(({ channel }) => channel !== 'sms').map(registered),
    senders: {
      chatapp: (file.senders?.chatapp ?? []).map(({ number }) => number),
      rcs: (file.senders?.rcs ?? []).map(({ botId }) => botId),
      sms: (file.senders?.sms ?? []).map(({ id }) => id),
    },
  };
}

function registered(template: z.infer<typeof templateSchema>): RegisteredTemplate {
  const inText = new Set(template.text?.match(/\{\{\d+\}\}/g)).size;
  return {
    name: template.name,
    channel: template.channel,
    variant: template.variant,
    placeholders: template.placeholders?.length ?? inText,
    cards: template.cards ?? 0,
    languages: template.languages ?? [],
    ...(template.text === undefined ? {} : { text: template.text }),
  } as RegisteredTemplate;
}
