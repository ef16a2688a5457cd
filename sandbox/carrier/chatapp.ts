import { z } from 'zod';
import { senderProblem } from './chatapp-sender.ts';
import { judgeConversation } from './conversation.ts';
import { type RegisteredTemplate, renderForPhone } from './registered-templates.ts';
import type { CarrierRegistry } from './registry.ts';
import {
  httpUrl,
  imageUrl,
  internationalNumber,
  msisdn,
  nonEmpty,
  params,
  refuseShape,
  templateName,
  toInternational,
} from './shapes.ts';
import { refuse, type Verdict } from './verdict.ts';

const envelope = {
  from: internationalNumber,
  to: msisdn,
  templateName,
  type: z.literal('template'),
  campaignName: nonEmpty.optional(),
};

const language = z.strictObject({ code: nonEmpty }).optional();

/** Row 1: authentication template. */
const otpRequest = z.strictObject({ ...envelope, otp: nonEmpty, language });

const header = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('document'),
    document: z.strictObject({ link: httpUrl, filename: nonEmpty }),
  }),
  z.strictObject({ type: z.literal('image'), image: z.strictObject({ link: imageUrl }) }),
  z.strictObject({ type: z.literal('video'), video: z.strictObject({ link: httpUrl }) }),
]);

/** As the chat-app platform has it: no line break, no tab, no more than four spaces in a row. */
const values = params.element
  .refine((value) => !/[\n\r\t]| {5}/.test(value), 'no line break, tab or five spaces in a row')
  .array();

/** Rows 2 to 3: values, with or without header media. The document shows the whole of row 2, and no language in it. */
const componentsRequest = z.strictObject({
  ...envelope,
  language,
  components: z.strictObject({ body: z.strictObject({ params: values }), header: header.optional() }),
});

type Header = z.infer<typeof header>;
type ComponentsRequest = z.infer<typeof componentsRequest>;
type OtpRequest = z.infer<typeof otpRequest>;

/**
 * Judges POST /v1/chatapp by the value of `type`: rows 1 to 3 (`template`), rows 11 and 12 (`interactive`). Any other
 * is code 131051.
 */
export function judgeChatapp(body: unknown, registry: CarrierRegistry): Verdict {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  if (type === 'interactive') return judgeConversation(body, registry);
  if (typeof type === 'string' && type !== 'template')
    return refuse(131051, 'type', `type "${type}" is not supported.`);
  if (typeof body === 'object' && body !== null && 'otp' in body) return judgeOtp(body, registry);
  return judgeComponents(body, registry);
}

function judgeOtp(body: object, registry: CarrierRegistry): Verdict {
  const parsed = otpRequest.safeParse(body);
  if (!parsed.success) return refuseShape(parsed.error, body);
  const request = parsed.data;
  const template = registry.template('chatapp', request.templateName);
  const problem =
    senderProblem(request, registry) ?? templateProblem(template, ['otp'], request.language?.code, registry);
  if (problem) return problem;
  return deliver(request, template, [request.otp], undefined);
}

function judgeComponents(body: unknown, registry: CarrierRegistry): Verdict {
  const name = typeof body === 'object' && body !== null && 'templateName' in body ? body.templateName : '';
  if (typeof name === 'string' && registry.template('chatapp', name)?.variant === 'otp')
    return refuse(100, 'otp', 'otp is required in the authentication variant.');
  const parsed = componentsRequest.safeParse(body);
  if (!parsed.success) return refuseShape(parsed.error, body);
  const request = parsed.data;
  if (request.language && request.components.header?.type === 'document')
    return refuse(100, 'language', 'language is not a field of this request.');
  const template = registry.template('chatapp', request.templateName);
  const problem =
    senderProblem(request, registry) ??
    templateProblem(template, ['text', 'document', 'image', 'video'], request.language?.code, registry) ??
    valuesProblem(request, template);
  if (problem) return problem;
  return deliver(request, template, request.components.body.params, request.components.header);
}

function templateProblem(
  template: RegisteredTemplate | undefined,
  variants: readonly string[],
  language: string | undefined,
  registry: CarrierRegistry,
): Verdict | undefined {
  if (!template) {
    if (!registry.checksTemplates) return undefined;
    return refuse(132001, 'templateName', 'No approved template has this name.');
  }
  if (!variants.includes(template.variant))
    return refuse(131051, 'type', `The template is of the ${template.variant} variant.`);
  const languages = template.languages ?? [];
  if (language !== undefined && languages.length > 0 && !languages.includes(language))
    return refuse(132001, 'language.code', `The template is not approved in "${language}".`);
  return undefined;
}

function valuesProblem(
  request: ComponentsRequest,
  template: RegisteredTemplate | undefined,
): Verdict | undefined {
  if (!template) return undefined;
  const given = request.components.body.params.length;
  if (given !== template.placeholders)
    return refuse(
      132000,
      'components.body.params',
      `components.body.params has ${given} values; the template has ${template.placeholders}.`,
    );
  const wanted = template.variant === 'text' ? undefined : template.variant;
  const found = request.components.header?.type;
  if (wanted !== found)
    return refuse(
      132015,
      'components.header',
      `The template takes ${wanted ?? 'no'} header; the request has ${found ?? 'none'}.`,
    );
  return undefined;
}

function deliver(
  request: ComponentsRequest | OtpRequest,
  template: RegisteredTemplate | undefined,
  values: readonly string[],
  media: Header | undefined,
): Verdict {
  return {
    ok: true,
    deliveries: [
      {
        number: toInternational(request.to),
        channel: 'chatapp',
        from: request.from,
        text: renderForPhone(template, request.templateName, values),
        templateName: request.templateName,
        params: [...values],
        ...(media ? { media: [mediaOf(media)] } : {}),
      },
    ],
  };
}

function mediaOf(media: Header): { type: string; link: string; filename?: string } {
  switch (media.type) {
    case 'document':
      return { type: 'document', ...media.document };
    case 'image':
      return { type: 'image', ...media.image };
    case 'video':
      return { type: 'video', ...media.video };
  }
}
