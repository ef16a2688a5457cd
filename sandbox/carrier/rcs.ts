import { z } from 'zod';
import { type RegisteredTemplate, renderForPhone } from './registered-templates.ts';
import type { CarrierRegistry } from './registry.ts';
import { httpUrl, internationalNumber, nonEmpty, params, refuseShape } from './shapes.ts';
import { refuse, type Verdict } from './verdict.ts';

/** One content item holds values or a card's picture, never both. */
const valuesItem = z.strictObject({ params });
const cardItem = z.strictObject({ fileUrl: httpUrl });

/** Rows 4 to 8; `content` is absent, not empty, in rows 6 to 8. */
const rcsRequest = z.strictObject({
  number: internationalNumber,
  templateName: nonEmpty,
  botId: nonEmpty,
  type: nonEmpty,
  campaignName: nonEmpty.optional(),
  content: z.array(z.unknown()).min(1, 'must not be empty; leave it out instead').optional(),
});

type RcsRequest = z.infer<typeof rcsRequest>;
interface Content {
  readonly params: string[];
  readonly fileUrls: string[];
}

/** Judges POST /v1/rcs. */
export function judgeRcs(body: unknown, registry: CarrierRegistry): Verdict {
  const parsed = rcsRequest.safeParse(body);
  if (!parsed.success) return refuseShape(parsed.error, body);
  const request = parsed.data;
  const content = readContent(request.content ?? []);
  if ('ok' in content) return content;
  if (!registry.knowsSender('rcs', request.botId))
    return refuse(131009, 'botId', 'botId is not a registered RCS bot.');
  const template = registry.template('rcs', request.templateName);
  if (!template && registry.checksTemplates)
    return refuse(132001, 'templateName', 'No approved template has this name.');
  const problem = template ? contentProblem(template, request, content) : undefined;
  if (problem) return problem;
  return deliver(request, template, content);
}

/** Each item is judged by the key it has, so that a refusal names that key. */
function readContent(items: readonly unknown[]): Content | Verdict {
  const content: Content = { params: [], fileUrls: [] };
  for (const [index, item] of items.entries()) {
    if (typeof item === 'object' && item !== null && 'fileUrl' in item) {
      const card = cardItem.safeParse(item);
      if (!card.success) return refuseShape(card.error, item, ['content', index]);
      content.fileUrls.push(card.data.fileUrl);
    } else {
      const values = valuesItem.safeParse(item);
      if (!values.success) return refuseShape(values.error, item, ['content', index]);
      content.params.push(...values.data.params);
    }
  }
  if (content.fileUrls.length > 0 && content.fileUrls.length !== items.length)
    return refuse(132015, 'content', 'content mixes values and card pictures.');
  return content;
}

function contentProblem(
  template: RegisteredTemplate,
  request: RcsRequest,
  content: Content,
): Verdict | undefined {
  switch (template.variant) {
    case 'variables':
      if (request.content === undefined) return refuse(100, 'content', 'content is required.');
      if (content.fileUrls.length > 0)
        return refuse(131051, 'content', 'The template takes values, not card pictures.');
      return content.params.length === template.placeholders && request.content.length === 1
        ? undefined
        : refuse(
            132000,
            'content',
            `content has ${content.params.length} values in ${request.content.length} items; ` +
              `the template has ${template.placeholders} in one.`,
          );
    case 'carousel-images':
      if (request.content === undefined) return refuse(100, 'content', 'content is required.');
      if (content.fileUrls.length === template.cards) return undefined;
      return refuse(
        132015,
        'content',
        `content has ${content.fileUrls.length} card pictures; the template has ${template.cards ?? 0} cards.`,
      );
    default:
      if (request.content === undefined) return undefined;
      return refuse(131051, 'content', `The ${template.variant} variant takes no content.`);
  }
}

function deliver(request: RcsRequest, template: RegisteredTemplate | undefined, content: Content): Verdict {
  const media = content.fileUrls.map((link) => ({ type: 'image', link }));
  return {
    ok: true,
    deliveries: [
      {
        number: request.number,
        channel: 'rcs',
        from: request.botId,
        text: renderForPhone(template, request.templateName, content.params),
        templateName: request.templateName,
        params: content.params,
        ...(media.length > 0 ? { media } : {}),
      },
    ],
  };
}
