import { z } from 'zod';
import { needsUnicode } from './gsm-alphabet.ts';
import type { CarrierRegistry } from './registry.ts';
import { digitsNumber, nonEmpty, refuseShape, toInternational } from './shapes.ts';
import { refuse, type Verdict } from './verdict.ts';

const common = {
  sender: nonEmpty,
  text: nonEmpty,
  type: z.enum(['TRANS', 'PROMO', 'OTP'], 'must be TRANS, PROMO or OTP'),
};
/** Ids of India's DLT registration: digits. */
const registration = {
  dltTemplateId: z
    .string()
    .regex(/^\d{19}$/, 'must be 19 digits')
    .optional(),
  entityId: z
    .string()
    .regex(/^\d{19}$/, 'must be 19 digits')
    .optional(),
};
const unicode = z.union([z.literal(0), z.literal(1)], 'must be 0 or 1');

/** Row 9: many recipients in one request. */
const bulkRequest = z.strictObject({
  ...common,
  ...registration,
  to: z.array(digitsNumber).min(1, 'must name at least one recipient'),
  unicode,
  campaignName: nonEmpty.optional(),
});

/** Row 10: one recipient; `unicode` may be left out. */
const flashRequest = z.strictObject({
  ...common,
  ...registration,
  to: digitsNumber,
  unicode: unicode.optional(),
  flash: z.literal(1, 'must be 1'),
});

/** Judges POST /v1/sms. */
export function judgeSms(body: unknown, registry: CarrierRegistry): Verdict {
  const parsed = bulkRequest.safeParse(body);
  if (!parsed.success) return refuseShape(parsed.error, body);
  const request = parsed.data;
  if (request.to.length > registry.recipientsPerRequest)
    return refuse(131009, 'to', `to names more than ${registry.recipientsPerRequest} recipients.`);
  if (new Set(request.to).size !== request.to.length)
    return refuse(131009, 'to', 'to names a recipient twice.');
  const problem = textProblem(request, registry);
  if (problem) return problem;
  return {
    ok: true,
    deliveries: request.to.map((number) => ({
      number: toInternational(number),
      channel: 'sms',
      from: request.sender,
      text: request.text,
    })),
  };
}

/** Judges POST /sms, the flash endpoint. */
export function judgeFlash(body: unknown, registry: CarrierRegistry): Verdict {
  const parsed = flashRequest.safeParse(body);
  if (!parsed.success) return refuseShape(parsed.error, body);
  const request = parsed.data;
  const problem = textProblem(request, registry);
  if (problem) return problem;
  const number = toInternational(request.to);
  return {
    ok: true,
    deliveries: [{ number, channel: 'flash', from: request.sender, text: request.text }],
  };
}

/** A text outside the GSM alphabet sent as GSM arrives as question marks: the carrier refuses it instead. */
function textProblem(
  request: { sender: string; text: string; unicode?: 0 | 1 | undefined },
  registry: CarrierRegistry,
): Verdict | undefined {
  if (!registry.knowsSender('sms', request.sender))
    return refuse(131009, 'sender', 'sender is not a registered SMS sender.');
  if (needsUnicode(request.text) && request.unicode !== 1)
    return refuse(131009, 'unicode', 'text has characters outside the GSM alphabet: unicode must be 1.');
  return undefined;
}
