import { z } from 'zod';
import type { PhoneInteractive } from '../protocol.ts';
import { senderProblem } from './chatapp-sender.ts';
import type { CarrierRegistry } from './registry.ts';
import {
  httpUrl,
  imageUrl,
  internationalNumber,
  msisdn,
  nonEmpty,
  refuseShape,
  toInternational,
} from './shapes.ts';
import { refuse, type Verdict } from './verdict.ts';

/* Rows 11 and 12: messages made of no template. The rules are the interface document's, written down a second time. */

const provider = z.strictObject({ name: nonEmpty });
const media = (url: typeof httpUrl) =>
  z.union([z.strictObject({ id: nonEmpty }), z.strictObject({ link: url, provider: provider.optional() })]);
const documentMedia = z.union([
  z.strictObject({ id: nonEmpty, filename: nonEmpty }),
  z.strictObject({ link: httpUrl, provider: provider.optional(), filename: nonEmpty }),
]);

const headerText = nonEmpty.max(60, 'at most 60 characters');
const textHeader = z.strictObject({ type: z.literal('text'), text: headerText });
const header = z.discriminatedUnion('type', [
  textHeader,
  z.strictObject({ type: z.literal('image'), image: media(imageUrl) }),
  z.strictObject({ type: z.literal('video'), video: media(httpUrl) }),
  z.strictObject({ type: z.literal('document'), document: documentMedia }),
]);
const body = z.strictObject({ text: nonEmpty.max(1024, 'at most 1024 characters') });
const footer = z.strictObject({ text: nonEmpty.max(60, 'at most 60 characters') });

function distinct<Entry>(what: string, of: (entry: Entry) => string): [(list: Entry[]) => boolean, string] {
  return [(list) => new Set(list.map(of)).size === list.length, `${what} are not unique`];
}

const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;
const reply = z.strictObject({
  type: z.literal('reply'),
  reply: z.strictObject({
    id: nonEmpty.max(256, 'at most 256 characters'),
    title: nonEmpty
      .max(20, 'at most 20 characters')
      .refine((title) => !pictograph.test(title), 'no emojis are allowed'),
  }),
});
const buttons = z
  .array(reply)
  .min(1, 'at least 1 button')
  .max(3, 'at most 3 buttons')
  .refine(...distinct<z.infer<typeof reply>>('ids', (one) => one.reply.id))
  .refine(...distinct<z.infer<typeof reply>>('titles', (one) => one.reply.title));

const row = z.strictObject({
  id: nonEmpty.max(200, 'at most 200 characters'),
  title: nonEmpty.max(24, 'at most 24 characters'),
  description: nonEmpty.max(72, 'at most 72 characters').optional(),
});
const section = z.strictObject({
  id: nonEmpty,
  title: nonEmpty.max(24, 'at most 24 characters').optional(),
  rows: z.array(row).min(1, 'at least 1 row'),
});
const sections = z
  .array(section)
  .min(1, 'at least 1 section')
  .max(10, 'at most 10 sections')
  .refine(...distinct<z.infer<typeof section>>('ids', (one) => one.id))
  .refine((list) => list.length === 1 || list.every((one) => one.title), 'several sections need titles')
  .refine((list) => list.flatMap((one) => one.rows).length <= 10, 'at most 10 rows in all')
  .refine((list) => {
    const ids = list.flatMap((one) => one.rows.map(({ id }) => id));
    return new Set(ids).size === ids.length;
  }, 'row ids are not unique');

const buttonMessage = z.strictObject({
  type: z.literal('button'),
  header: header.optional(),
  body,
  footer: footer.optional(),
  action: z.strictObject({ buttons }),
});
const listMessage = z.strictObject({
  type: z.literal('list'),
  header: textHeader.optional(),
  body,
  footer: footer.optional(),
  action: z.strictObject({ button: nonEmpty.max(20, 'at most 20 characters'), sections }),
});

const COUNTRY_OF: Readonly<
  Record<'IN' | 'SG', { readonly code: string; readonly fields: readonly string[] }>
> = {
  IN: {
    code: '+91',
    fields: [
      ...['name', 'phone_number', 'in_pin_code', 'house_number', 'floor_number', 'tower_number'],
      ...['building_name', 'address', 'landmark_area', 'unit_number', 'city', 'state'],
    ],
  },
  SG: { code: '+65', fields: ['name', 'phone_number', 'sg_post_code', 'landmark_area'] },
};
const texts = z.record(nonEmpty, nonEmpty);
const addressMessage = z.strictObject({
  type: z.literal('address_message'),
  header: header.optional(),
  body,
  footer: footer.optional(),
  action: z.strictObject({
    name: z.literal('address_message'),
    parameters: z.strictObject({
      country: z.enum(['IN', 'SG']),
      values: texts,
      saved_addresses: z.array(z.strictObject({ id: nonEmpty, value: texts })).optional(),
      validation_errors: texts.optional(),
    }),
  }),
});

const request = z.strictObject({
  recipient_type: z.literal('individual'),
  from: internationalNumber,
  to: msisdn,
  type: z.literal('interactive'),
  campaignName: nonEmpty.optional(),
  interactive: z.discriminatedUnion('type', [buttonMessage, listMessage, addressMessage]),
});

export function judgeConversation(given: unknown, registry: CarrierRegistry): Verdict {
  const parsed = request.safeParse(given);
  if (!parsed.success) return refuseShape(parsed.error, given);
  const { interactive, from, to } = parsed.data;
  const problem =
    senderProblem({ from, to }, registry) ??
    (interactive.type === 'address_message' ? addressProblem(interactive, to) : undefined);
  if (problem) return problem;
  return {
    ok: true,
    deliveries: [
      {
        number: toInternational(to),
        channel: 'chatapp',
        from,
        text: interactive.body.text,
        ...mediaOf(interactive),
        interactive: interactive satisfies PhoneInteractive,
      },
    ],
  };
}

function addressProblem({ action }: z.infer<typeof addressMessage>, to: string): Verdict | undefined {
  const { country, values, saved_addresses: saved = [], validation_errors: errors = {} } = action.parameters;
  const { code, fields } = COUNTRY_OF[country];
  const at = 'interactive.action.parameters';
  if (!toInternational(to).startsWith(code))
    return refuse(131009, 'to', `to is no number of the country ${country}.`);
  const named = [values, errors, ...saved.map(({ value }) => value)].flatMap(Object.keys);
  const unknown = named.find((name) => !fields.includes(name));
  if (unknown) return refuse(100, `${at}.values.${unknown}`, `${unknown} is no address field of ${country}.`);
  for (const value of [values, ...saved.map((one) => one.value)]) {
    const long = ['in_pin_code', 'sg_post_code'].find((name) => (value[name] ?? '').length > 6);
    if (long) return refuse(131009, `${at}.values.${long}`, `${long}: at most 6 characters.`);
  }
  return undefined;
}

/** Media that the phone can show: what the service keeps under an id stays there. */
function mediaOf(interactive: PhoneInteractive) {
  const top = 'header' in interactive ? interactive.header : undefined;
  const given =
    top?.type === 'image'
      ? top.image
      : top?.type === 'video'
        ? top.video
        : top?.type === 'document'
          ? top.document
          : undefined;
  if (top === undefined || given === undefined || !('link' in given)) return {};
  const filename = 'filename' in given ? { filename: given.filename } : {};
  return { media: [{ type: top.type, link: given.link, ...filename }] };
}
