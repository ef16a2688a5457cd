import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { TemplateKind } from '../../messages/templates/form.ts';
import { TEMPLATE_CHANNELS } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import { HERALD_YML, type StoredTemplate } from '../../sends/templates/store.ts';
import { readCarried } from '../connection/carried.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, modal, saying, sayingView, section } from '../kit/blocks/blocks.ts';
import { stateOf, whatSend } from '../kit/cards/words.ts';
import { answerClick, notify, openModal } from '../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler, SlackClient } from '../kit/clicks/arguments.ts';
import { givenFileSchema } from '../kit/files/file-inputs.ts';
import { refusalOf } from '../kit/people/access.ts';
import type { SlackServices } from '../kit/services.ts';
import { showInWindow, type ViewUpdates } from '../kit/views/view-updates.ts';
import { GONE, RIGHTS_UNKNOWN, voidsApprovals } from './sentences.ts';

/* The catalogue’s windows carry these, are made of these, and are shown so. A template is named as `chatapp/order_update`. */

const keySchema = z
  .string()
  .regex(/^[^/]+\/./)
  .transform((text) => ({
    channel: text.slice(0, text.indexOf('/')),
    name: text.slice(text.indexOf('/') + 1),
  }))
  .pipe(z.object({ channel: z.enum(TEMPLATE_CHANNELS), name: z.string() }));

/** Without a key for what no Herald wrote. */
export function readDoubted(value: string | undefined) {
  const [, written, code] = /^(.+?)(?: (132\d{3}))?$/.exec(value ?? '') ?? [];
  const { data: key } = keySchema.safeParse(written);
  return given({ key, code });
}

/** The person was here when they opened the catalogue: rights may depend on it. */
const place = { channelId: z.string().min(1).optional() };

const CARRIED = {
  place: z.strictObject(place),
  list: z.strictObject({ ...place, skip: z.int().min(0) }),
  look: z.strictObject({ ...place, key: keySchema, code: z.string().optional() }),
  form: z.strictObject({
    ...place,
    kind: z.custom<TemplateKind>((kind) => typeof kind === 'string'),
    rows: z.int().min(0),
    /** The key of the template that is edited; absent for a new one. */
    key: keySchema.optional(),
    /** The revision that the form was filled from; 0 for a new one. */
    revision: z.int().min(0),
    /** Sends that the person is asked to void. */
    sends: z.array(z.string()).readonly().optional(),
  }),
  archive: z.strictObject({
    ...place,
    key: keySchema,
    revision: z.int().min(1),
    archived: z.boolean(),
    sends: z.array(z.string()).readonly(),
  }),
  import: z.strictObject({
    ...place,
    file: givenFileSchema,
    mark: z.string(),
  }),
};

/** A window carries this, by what it is for. */
export type Carried<Window extends keyof typeof CARRIED> = z.output<(typeof CARRIED)[Window]>;

/** @throws {NothingSent} for what this Herald did not write */
export function carriedIn<Window extends keyof typeof CARRIED>(
  view: { readonly private_metadata: string } | undefined,
  window: Window,
): Carried<Window> {
  return readCarried(CARRIED[window], view?.private_metadata ?? '') as Carried<Window>;
}

export interface Catalogue
  extends Pick<SlackServices, 'templates' | 'access' | 'names' | 'files' | 'clock' | 'logger'> {
  readonly views: ViewUpdates;
}

export function carry<Window extends keyof typeof CARRIED>(
  _window: Window,
  carried: z.input<(typeof CARRIED)[Window]>,
): string {
  return JSON.stringify(carried);
}

/** A window of the catalogue. Leaving a form of it leaves the catalogue as it is, so its button says Close as well. */
export function shell(parts: Parameters<typeof modal>[0]): ModalView {
  return modal(parts, 'Close');
}

export function noteBlocks(note: string | undefined): KnownBlock[] {
  return note === undefined || note === '' ? [] : [saying(note, 'note')];
}

export function voidsBlocks(sends: readonly Send[]): KnownBlock[] {
  return sends.length === 0 ? [] : [saying(voidsApprovals(sends.length), 'voids'), sendsBlock(sends)];
}

export function byWhom(actor: string): string {
  return actor === HERALD_YML ? 'from herald.yml' : `by ${mention(actor)}`;
}

const SENDS_NAMED = 10;

export function sendsBlock(sends: readonly Send[]): KnownBlock {
  const named = sends.slice(0, SENDS_NAMED).map((send) => {
    const what = `${whatSend(send)}, ${stateOf(send).words}`;
    return `• ${escapeMrkdwn(send.id)}: ${what}, asked for by ${mention(send.origin.userId)}`;
  });
  const more = sends.length > SENDS_NAMED ? [`• and ${sends.length - SENDS_NAMED} more`] : [];
  return { ...section([...named, ...more].join('\n')), block_id: 'sends' };
}

/** Why this person may not change templates here, and who can help; undefined when they may. */
export function whyNot(
  userId: string,
  channelId: string | undefined,
  catalogue: Catalogue,
): Promise<string | undefined> {
  const words = { unsure: RIGHTS_UNKNOWN, undone: 'Nothing was changed.' };
  return refusalOf({ to: 'templates' }, { userId, channelId }, catalogue, words);
}

/** The channel of a click: of the message it was in, or the one in which the catalogue was opened. */
export function channelOf({ body }: Pick<ClickArguments, 'body'>): string | undefined {
  return body.channel?.id ?? readCarried(z.object(place), body.view?.private_metadata || '{}').channelId;
}

type Make<View> = (args: ClickArguments, catalogue: Catalogue) => Promise<View>;

/** Shows a view above the one that was clicked in, or as the first one where a message was clicked. */
export function above(make: Make<ModalView>): ClickHandler<Catalogue> {
  return async (args, catalogue) => {
    const { body, client, respond } = args;
    const how = body.view === undefined ? 'open' : 'push';
    const opened = await openModal(client, body.trigger_id, await make(args, catalogue), how);
    if (opened.ok) return;
    catalogue.logger.info({ why: opened.error }, 'a view of the catalogue did not open');
    const sentence = `${opened.error} Nothing was sent or changed. Try again.`;
    if (how === 'open') await answerClick({ respond }, sentence);
    else await notify(client, { channelId: undefined, userId: body.user.id }, sentence, catalogue.logger);
  };
}

/** Shows the view above when the person may change templates, else why not. */
export function aboveForEditors(make: Make<ModalView>): ClickHandler<Catalogue> {
  return above(async (args, catalogue) => {
    const refusal = await whyNot(args.body.user.id, channelOf(args), catalogue);
    return refusal === undefined ? make(args, catalogue) : sayingView('Templates', refusal);
  });
}

export function inPlace(make: Make<ModalView | undefined>): ClickHandler<Catalogue> {
  return async (args, catalogue) => {
    const view = await make(args, catalogue);
    if (view) await replace(args.client, args.body.view?.id, view, catalogue);
  };
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

/** Makes a view of the template of the view that was clicked in. */
export function ofLooked(
  make: (
    looked: { readonly stored: StoredTemplate; readonly channelId: string | undefined },
    catalogue: Catalogue,
    args: ClickArguments,
  ) => ModalView | Promise<ModalView>,
) {
  return async (args: ClickArguments, catalogue: Catalogue): Promise<ModalView> => {
    const { key, channelId } = carriedIn(args.body.view, 'look');
    const stored = await catalogue.templates.look(key);
    return stored ? make({ stored, channelId }, catalogue, args) : sayingView('Templates', GONE);
  };
}
