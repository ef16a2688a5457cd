import { LATE, within } from '../../../core/within.ts';
import { KINDS, kindOf } from '../../../messages/kinds.ts';
import { readReport } from '../../../sends/report.ts';
import { retryGroupOf, type Send, type SendReport } from '../../../sends/send.ts';
import { sayingView } from '../../kit/blocks/blocks.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { answerClick, NO_SUCH_SEND, openForClick } from '../../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler } from '../../kit/clicks/arguments.ts';
import type { Compose } from '../compose.ts';
import { type ComposeForm, composeView } from '../form/form-view.ts';
import { RECIPIENTS_FIELD } from '../form/recipients.ts';
import { listInTime } from '../list/list.ts';
import * as say from '../sentences.ts';
import { formWithMessage } from './edit.ts';
import { whyNot } from './kind-choice.ts';
import { startView } from './shortcuts.ts';

/*
 * A new form that takes over something of a send. Nothing is sent before it is submitted, and who submits it is asked for
 * the right to send once more then.
 */

/** “Send again…”: the form as it was, for the same number. Whoever comes second is told who has sent it again. */
export const handleSendAgain: ClickHandler<Compose> = async (args, compose) => {
  const report = await readReport(compose.store, args.action.value ?? '');
  if (report === undefined) return answerClick(args, NO_SUCH_SEND);
  const why = await whyNotAgain(report, compose);
  const { send, recipient } = report;
  const twice = recipient.state === 'unknown' ? say.maySendTwice(send.id) : say.sendsAgain(send.id);
  await openWith(
    args,
    send,
    { values: { to: recipient.number }, notes: [twice], again: send.id },
    compose,
    why,
  );
};

async function whyNotAgain(report: SendReport, compose: Compose): Promise<string | undefined> {
  if (retryGroupOf(report) === undefined) return say.NOT_TO_SEND_AGAIN;
  const [other] = await compose.store.retriesOf(report.send.id);
  return other && whoWasFirst(other, compose);
}

const NAMING_MS = 500;

/** Tells whoever comes second who was first. */
export async function whoWasFirst(
  other: Send,
  { names, clock }: Pick<Compose, 'names' | 'clock'>,
): Promise<string> {
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
