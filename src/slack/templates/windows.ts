import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { LATE, within } from '../../core/within.ts';
import type { TemplateKind } from '../../messages/templates/form.ts';
import { TEMPLATE_CHANNELS } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import { HERALD_YML, type TemplateKey } from '../../sends/templates/store.ts';
import { readCarried } from '../connection/carried.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, modal, saying, sayingView, section } from '../kit/blocks/blocks.ts';
import { stateOf, whatSend } from '../kit/cards/words.ts';
import { answerClick, notify, openModal } from '../kit/clicks/answering.ts';
import type { ClickArguments, SlackClient } from '../kit/clicks/arguments.ts';
import type { SlackServices } from '../kit/services.ts';
import { showInWindow, type ViewUpdates } from '../kit/views/view-updates.ts';
import { RIGHTS_UNKNOWN, voidsApprovals } from './sentences.ts';

/*
 * What the catalogue’s windows carry and are made of, and how they are shown. A template is named as
 * `chatapp/order_update`.
 */

const keySchema = z
  .string()
  .regex(/^[^/]+\/./)
  .transform((text) => ({
    channel: text.slice(0, text.indexOf('/')),
    name: text.slice(text.indexOf('/') + 1),
  }))
  .pipe(z.object({ channel: z.enum(TEMPLATE_CHANNELS), name: z.string() }));

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

export interface Catalogue
  extends Pick<SlackServices, 'templates' | 'access' | 'names' | 'files' | 'clock' | 'logger'> {
  readonly views: ViewUpdates;
}

interface Shell {
  readonly callbackId: string;
  readonly title: string;
  readonly metadata: object;
  readonly submit?: string;
  readonly blocks: readonly KnownBlock[];
}

/** A window of the catalogue. Leaving a form of it leaves the catalogue as it is, so its button says Close as well. */
export function shell({ metadata, ...modalOf }: Shell): ModalView {
  return modal({ ...modalOf, metadata: JSON.stringify(metadata) }, 'Close');
}

/** The note on top of a view; none for nothing to say. */
export function noteBlocks(note: string | undefined): KnownBlock[] {
  return note === undefined || note === '' ? [] : [saying(note, 'note')];
}

/** That sends would lose their approvals, and which; none for no sends. */
export function voidsBlocks(sends: readonly Send[]): KnownBlock[] {
  return sends.length === 0 ? [] : [saying(voidsApprovals(sends.length), 'voids'), sendsBlock(sends)];
}

/** Who changed a template; mrkdwn. */
export function byWhom(actor: string): string {
  return actor === HERALD_YML ? 'from herald.yml' : `by ${mention(actor)}`;
}

const SENDS_NAMED = 10;

/** Sends that would lose their approvals, each with what it is and who asked for it. */
export function sendsBlock(sends: readonly Send[]): KnownBlock {
  const named = sends.slice(0, SENDS_NAMED).map((send) => {
    const what = `${whatSend(send)}, ${stateOf(send).words}`;
    return `• ${escapeMrkdwn(send.id)}: ${what}, asked for by ${mention(send.origin.userId)}`;
  });
  const more = sends.length > SENDS_NAMED ? [`• and ${sends.length - SENDS_NAMED} more`] : [];
  return { ...section([...named, ...more].join('\n')), block_id: 'sends' };
}

const RIGHTS_MS = 800;

/** Why this person may not change templates here, and who can help; undefined when they may. */
export async function whyNot(
  userId: string,
  channelId: string | undefined,
  { access, clock }: Catalogue,
): Promise<string | undefined> {
  const why = await within(access.whyNot({ to: 'templates' }, { userId, channelId }), RIGHTS_MS, clock);
  if (why === LATE) return RIGHTS_UNKNOWN;
  return why === undefined ? undefined : `${why} Nothing was changed.`;
}

/** The channel of a click: of the message it was in, or the one in which the catalogue was opened. */
export function channelOf({ body }: Pick<ClickArguments, 'body'>): string | undefined {
  return body.channel?.id ?? channelIn(body.view?.private_metadata);
}

/** Shows a view above the one that was clicked in, or as the first one where a message was clicked. */
export async function showAbove(
  { body, client, respond }: ClickArguments,
  view: ModalView,
  { logger }: Catalogue,
): Promise<void> {
  const how = body.view === undefined ? 'open' : 'push';
  const opened = await openModal(client, body.trigger_id, view, how);
  if (opened.ok) return;
  logger.info({ why: opened.error }, 'a view of the catalogue did not open');
  const sentence = `${opened.error} Nothing was sent or changed. Try again.`;
  if (how === 'open') await answerClick({ respond }, sentence);
  else await notify(client, { channelId: undefined, userId: body.user.id }, sentence, logger);
}

/** Shows the view above when the person may change templates, else why not. */
export async function showToEditors(
  args: ClickArguments,
  view: () => Promise<ModalView>,
  catalogue: Catalogue,
): Promise<void> {
  const refusal = await whyNot(args.body.user.id, channelOf(args), catalogue);
  await showAbove(args, refusal === undefined ? await view() : sayingView('Templates', refusal), catalogue);
}

/** Puts another view in the place of one that is open; one that was closed meanwhile stays closed. */
export async function replace(
  client: SlackClient,
  viewId: string | undefined | null,
  view: ModalView,
  { logger }: Catalogue,
): Promise<void> {
  if (viewId === undefined || viewId === null) return;
  const shown = await showInWindow(client, { view_id: viewId, view });
  if (shown === 'closed')
    logger.debug({}, 'a view of the catalogue was closed before it was brought up to date');
}
