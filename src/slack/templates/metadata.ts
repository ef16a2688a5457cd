import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { TemplateKind } from '../../messages/templates/form.ts';
import type { TemplateKey } from '../../sends/templates/store.ts';
import { readCarried } from '../connection/carried.ts';

/* What the catalogue's views and buttons carry. A template is named as `chatapp/order_update`. */

const keySchema = z
  .string()
  .regex(/^(chatapp|rcs)\/./)
  .transform((text): TemplateKey => {
    const [channel = ''] = text.split('/', 1);
    return { channel: channel === 'rcs' ? 'rcs' : 'chatapp', name: text.slice(channel.length + 1) };
  });

/** Undefined for what no Herald wrote. */
export function readKey(text: string | undefined): TemplateKey | undefined {
  const parsed = keySchema.safeParse(text);
  return parsed.success ? parsed.data : undefined;
}

export function readDoubted(value: string | undefined): {
  readonly key?: TemplateKey;
  readonly code?: string;
} {
  const [, written, code] = /^(.+?)(?: (132\d{3}))?$/.exec(value ?? '') ?? [];
  const key = readKey(written);
  return given({ key, code });
}

/** Where the person was when they opened the catalogue: rights may depend on it. */
const place = { channelId: z.string().min(1).optional() };

const listSchema = z.strictObject({ ...place, skip: z.int().min(0) });
const lookSchema = z.strictObject({ ...place, key: z.string(), code: z.string().optional() });
const formSchema = z.strictObject({
  ...place,
  kind: z.string(),
  rows: z.int().min(0),
  /** Of the template that is edited; absent for a new one. */
  key: z.string().optional(),
  /** The revision that the form was filled from; 0 for a new one. */
  revision: z.int().min(0),
  /** Sends that the person is asked to void. */
  sends: z.array(z.string()).readonly().optional(),
});
const archiveSchema = z.strictObject({
  ...place,
  key: z.string(),
  revision: z.int().min(1),
  archived: z.boolean(),
  sends: z.array(z.string()).readonly(),
});
const importSchema = z.strictObject({
  ...place,
  file: z.strictObject({ id: z.string().min(1), name: z.string() }),
  mark: z.string(),
});
const placeSchema = z.strictObject(place);

export type ListMetadata = z.output<typeof listSchema>;
export type LookMetadata = z.output<typeof lookSchema>;
export type FormMetadata = Omit<z.output<typeof formSchema>, 'kind'> & { readonly kind: TemplateKind };
export type ArchiveMetadata = z.output<typeof archiveSchema>;
export type ImportMetadata = z.output<typeof importSchema>;
export type PlaceMetadata = z.output<typeof placeSchema>;

/** Each throws `Told` for what this Herald did not write. */
export const readList = (text: string): ListMetadata => readCarried(listSchema, text);
export const readLook = (text: string): LookMetadata => readCarried(lookSchema, text);
export const readForm = (text: string) => readCarried(formSchema, text) as FormMetadata;
export const readArchive = (text: string): ArchiveMetadata => readCarried(archiveSchema, text);
export const readImport = (text: string): ImportMetadata => readCarried(importSchema, text);
export const readPlace = (text: string): PlaceMetadata => readCarried(placeSchema, text);

/** The channel of whichever of these views it is. */
export function channelIn(privateMetadata: string | undefined): string | undefined {
  return readCarried(z.object(place), privateMetadata || '{}').channelId;
}
