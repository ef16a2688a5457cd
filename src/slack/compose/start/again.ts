import { given } from '../../../core/given.ts';
import { LATE, within } from '../../../core/within.ts';
import { KINDS, kindOf } from '../../../messages/kinds.ts';
import { readReport } from '../../../sends/ports.ts';
import { retryGroupOf, type Send } from '../../../sends/send.ts';
import { sayingView } from '../../kit/blocks/blocks.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { answerClick, NO_SUCH_SEND, openForClick, openModal } from '../../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler, SlackClient } from '../../kit/clicks/arguments.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { type ComposeForm, composeView } from '../form/form-view.ts';
import { counted } from '../form/open-form.ts';
import { RECIPIENTS_FIELD } from '../form/recipients.ts';
import { listInTime, NOTE_FIELD, SCHEDULE_FIELD } from '../list/list.ts';
import * as say from '../sentences.ts';
import { startView, whyNot } from './kind-choice.ts';

/*
 * A new form that takes over something of a send. Nothing is sent before it is submitted, and who submits it is asked for
 * the right to send once more then.
 */

/** “Send again…”: the form as it was, for the same number. Whoever comes second learns who has sent it again. */
export const handleSendAgain: ClickHandler<Compose> = async (args, compose) => {
  const report = await readReport(compose.store, args.action.value ?? '');
  if (report === undefined) return answerClick(args, NO_SUCH_SEND);
  const { send, recipient } = report;
  const [other] = await compose.store.retriesOf(send.id);
  const done = other && (await whoWasFirst(other, compose));
  const why = retryGroupOf(report) === undefined ? say.NOT_TO_SEND_AGAIN : done;
  const twice = recipient.state === 'unknown' ? say.MAY_SEND_TWICE : say.sendsAgain(send.id);
  const form = { values: { to: recipient.number }, notes: [twice], again: send.id };
  await openWith(args, send, form, compose, why);
};

const NAMING_MS = 500;

export async function whoWasFirst(other: Send, { names, clock }: Compose): Promise<string> {
  const name = await within(names.nameOf(other.origin.userId), NAMING_MS, clock);
  return say.sentAgainBefore(other, name === LATE ? other.origin.userId : name);
}

/** “Send again like this”: the message, for others. */
export const handleLikeThis: ClickHandler<Compose> = async (args, compose) => {
  const send = await compose.store.find(args.action.value ?? '');
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  // What a message to many says may come from the columns of a list.
  const values = send.audience === undefined ? {} : { [RECIPIENTS_FIELD]: 'file' };
  await openWith(args, send, { values, notes: [say.MESSAGE_TAKEN_OVER] }, compose);
};

/** “Send to this audience”: any message, for the same list. */
export const handleToAudience: ClickHandler<Compose> = async (args, compose) => {
  const send = await compose.store.find(args.action.value ?? '');
  const list = await listInTime({ audienceId: send?.audience?.id }, compose);
  if (list === undefined) return answerClick(args, say.LIST_GONE);
  const { audience } = list;
  const beginning = {
    channelId: args.body.channel?.id,
    audienceId: audience.id,
    notes: [say.listTakenOver(listTitle(audience), audience.counts.valid)],
  };
  await openForClick(args, await startView(args.body.user.id, beginning, compose));
};

/** Opens the send's form for whoever clicked, or says why not. */
async function openWith(
  args: ClickArguments,
  send: Send,
  { values = {}, notes = [], again }: Pick<ComposeForm, 'values' | 'notes' | 'again'>,
  compose: Compose,
  problem?: string,
): Promise<void> {
  const removed = send.removedAt === undefined ? undefined : say.NO_LONGER_KEPT;
  const why = (await whyNot(send.kind, args.body.user.id, compose)) ?? removed ?? problem;
  if (why !== undefined) return openForClick(args, sayingView(KINDS[send.kind].title, why));
  const asked = kindOf(send.message).needsSecret(send.message) ? [say.PASSWORD_NOT_KEPT] : [];
  const form = { values, notes: [...notes, ...asked], again, channelId: args.body.channel?.id };
  await openForClick(args, composeView(await formWithMessage(send, form, compose), compose));
}

/**
 * Opens the form of a bulk send of which nothing was sent, holding all that it was asked for with. Submitting it makes a
 * new send in its place. Returns a sentence when the form could not be opened.
 */
export async function openForEditing(
  send: Send,
  triggerId: string,
  client: Pick<SlackClient, 'views'>,
  compose: Compose,
): Promise<string | undefined> {
  const { origin, audience, startAt, note } = send;
  const list = await listInTime({ audienceId: audience?.id }, compose);
  const start = startAt === undefined ? undefined : Math.floor(startAt / 1000);
  const asked = {
    channelId: origin.channelId,
    list,
    replaces: send.id,
    values: given({ [SCHEDULE_FIELD]: start, [NOTE_FIELD]: note }),
    notes: [list === undefined ? say.LIST_GONE : say.editing(send)],
  };
  const filled = await formWithMessage(send, asked, compose);
  const { form, later } = await counted(filled, send.id, compose);
  const opened = await openModal(client, triggerId, composeView(form, compose));
  if (!opened.ok) return `${opened.error} ${say.NOTHING_CHANGED}`;
  const { id: viewId = '', hash = '' } = opened.value;
  // Whoever has changed something since has had it counted by that. Nobody waits for it, or hears that it was not shown.
  const event = { viewId, hash, at: '0' };
  void later
    ?.then((full) => full && compose.views.refresh(client, event, async () => composeView(full, compose)))
    .catch(() => undefined);
  return undefined;
}

/** The form of a send, holding its message but for what is secret in it. */
async function formWithMessage(
  { kind, message }: Send,
  { values, notes = [], ...form }: Omit<ComposeForm, 'kind' | 'template'>,
  compose: Compose,
): Promise<ComposeForm> {
  const { formValues, needsSecret } = kindOf(message);
  const { [TEMPLATE_FIELD]: name, ...held } = formValues(message);
  const template = await findTemplate(kind, name, compose);
  const isGone = template === undefined && typeof name === 'string';
  // The password may be anywhere in a text, so all of it was covered.
  const covered = needsSecret(message) ? { text: undefined, params: undefined } : {};
  return {
    ...form,
    kind,
    template: template === LATE ? undefined : template,
    values: { ...held, ...covered, ...values },
    notes: [
      ...(template === LATE ? [say.CATALOGUE_SLOW_ON_OPENING] : []),
      ...(isGone ? [say.templateGone(name)] : []),
      ...notes,
    ],
  };
}
