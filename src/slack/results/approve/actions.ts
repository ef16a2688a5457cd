import { z } from 'zod';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap, type ExpiringMap } from '../../../core/expiring-map.ts';
import { LATE } from '../../../core/within.ts';
import { readRecipient } from '../../../messages/form/recipient.ts';
import { exampleNumber, type Msisdn, maskNumber } from '../../../messages/numbers/phone-number.ts';
import { notAnyMore, ONLY_REQUESTER } from '../../../sends/bulk/sentences.ts';
import type { Refusal } from '../../../sends/bulk.ts';
import type { ApprovalResult } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { readCarried } from '../../connection/carried.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { actions, button, input, modal, section, textInput } from '../../kit/blocks/blocks.ts';
import { givenBy, shown } from '../../kit/cards/words.ts';
import {
  answerClick,
  clickerOf,
  ephemeral,
  isRefusal,
  NO_SUCH_SEND,
  notify,
  openForClick,
  readSendValue,
  refusalText,
} from '../../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { asRead } from '../../kit/decide/body.ts';
import { FIELD_ACTION } from '../../kit/forms/form-blocks.ts';
import { readState } from '../../kit/forms/read-state.ts';
import type { SlackServices } from '../../kit/services.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import { firstRecipients, howItStands } from '../standing.ts';
import { EDITABLE } from './card.ts';

/* People decide about a send that waits: they approve it, reject it or take it back, edit it, or send themselves a test. */

export interface ResultServices extends SlackServices {
  /** Opens a send that was taken back as a form; returns a sentence when that failed. */
  readonly onEdit: (send: Send, triggerId: string) => Promise<string | undefined>;
  /** The number each person had their last test sent to; kept in memory only. */
  readonly testNumbers: ExpiringMap<Msisdn>;
}

const NUMBERS_KEPT_MS = 30 * 24 * 60 * 60_000;
const NUMBERS_KEPT = 1_000;

export function createTestNumbers(clock: Clock): ResultServices['testNumbers'] {
  return createExpiringMap(NUMBERS_KEPT_MS, NUMBERS_KEPT, clock);
}

export const handleApprove: ClickHandler<ResultServices> = async (args, services) => {
  const { sendId, digest, more } = readSendValue(args.action.value ?? '');
  const [repeats = '', ...warnings] = more.split('.');
  const seen = { sendId, digest, repeats, warnings: warnings.join('.') };
  const result = await services.bulkSends.approve({ ...seen, ...clickerOf(args) });
  await answerClick(args, await approvedText(sendId, digest, result, services));
};

async function approvedText(
  sendId: string,
  digest: string,
  result: ApprovalResult | Refusal,
  { store }: ResultServices,
): Promise<string> {
  if (result.state === 'refused') return (await howItEnded(sendId, store)) ?? refusalText(result);
  if (result.state === 'too_late') {
    const { id, state, digest: current } = result.send;
    if (state === 'awaiting_approval' && current !== digest)
      return `${id} was changed after this card was shown. Your approval was not counted and nothing was sent. Look at the card as it is now.`;
    const ended = await howItEnded(id, store);
    return ended ?? `${id} no longer waits for approval. Your approval was not counted.`;
  }
  const needed = (await store.find(sendId))?.approval?.needed ?? result.approvals.length;
  const count = `It has ${result.approvals.length} of ${needed} approvals`;
  if (result.state === 'repeated') return `You have approved ${sendId} before. ${count}.`;
  return result.complete
    ? `You approved ${sendId}. It has all its approvals.`
    : `You approved ${sendId}. ${count}, and waits for the others.`;
}

/** Says to whoever decides too late how the send stands, by whom and since when, as mrkdwn. Undefined while it still waits. */
async function howItEnded(sendId: string, store: ResultServices['store']): Promise<string | undefined> {
  const send = await store.find(sendId);
  if (send === undefined || send.state === 'awaiting_approval') return undefined;
  const approvals = await store.approvals(sendId);
  const approved = approvals.length === 0 ? '' : ` It was approved by ${givenBy(approvals)}.`;
  return `Too late: ${sendId} is ${await howItStands(send, store)}.${approved} Your answer changed nothing.`;
}

/** With other words, or for others, it would be a send that nobody has asked for yet. */
function retryStands({ id, retryOf = '' }: Send): string {
  return `${id} tries the message of ${retryOf} again as it was, for exactly those named on its card, so it cannot be edited. Nothing was changed. Ask for a new send; \`/sends ${id}\` withdraws this one if it still waits.`;
}

/** Opens a form with what was asked for. Until that is handed in, the send stays as it is. */
export const handleEdit: ClickHandler<ResultServices> = async (args, services) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const send = await services.store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  if (send.retryOf !== undefined) return answerClick(args, retryStands(send));
  if (send.origin.userId !== clickerOf(args).userId) return answerClick(args, refusalText(ONLY_REQUESTER));
  if (!EDITABLE.has(send.state)) return answerClick(args, refusalText(notAnyMore(send)));
  const problem = await services.onEdit(send, args.body.trigger_id);
  if (problem) await answerClick(args, escapeMrkdwn(problem, LIMITS.sectionText));
};

export const REJECTION_VIEW = 'approval_rejection';
const REASON_FIELD = 'reason';
const REASON_MAX_CHARACTERS = 500;

/** A form carries the send, and where its button was pressed. */
const metadataSchema = z.object({
  sendId: z.string(),
  channelId: z.string(),
  own: z.boolean().default(false),
});

function sendIn({ action, body }: ClickArguments) {
  const { sendId } = readSendValue(action.value ?? '');
  return { sendId, channelId: body.channel?.id ?? body.user.id };
}

/** Asks why. Who asked does not reject: they take their request back, and owe nobody a reason. */
export const openRejection: ClickHandler<ResultServices> = async (args, { store }) => {
  const { sendId, channelId } = sendIn(args);
  const own = (await store.find(sendId))?.origin.userId === args.body.user.id;
  const metadata = JSON.stringify({ sendId, channelId, own });
  await openForClick(
    args,
    modal({ callbackId: REJECTION_VIEW, metadata, ...(own ? withdrawal(sendId) : rejection(sendId)) }),
  );
};

function withdrawal(sendId: string) {
  const text = `Nothing of ${sendId} was sent, and nothing will be. You can change it and ask again.`;
  return { title: 'Withdraw this send', submit: 'Withdraw', blocks: [section(text)] };
}

function rejection(sendId: string) {
  const element = textInput(FIELD_ACTION, { multiline: true, maxLength: REASON_MAX_CHARACTERS });
  const hint = `${sendId} then ends, and the person who asked is shown this.`;
  const blocks = [input(REASON_FIELD, 'Reason', element, { hint })];
  return { title: 'Reject this send', submit: 'Reject', blocks };
}

export const handleRejection: SubmissionHandler<ResultServices> = async (args, services) => {
  const { body, ack } = args;
  const { sendId, channelId, own } = readCarried(metadataSchema, body.view.private_metadata);
  const { [REASON_FIELD]: typed } = readState(body.view.state.values);
  const reason = String(typed ?? '').trim();
  if (reason === '' && !own) {
    return ack({
      response_action: 'errors',
      errors: { [REASON_FIELD]: 'Say why, so that the person who asked knows what to change.' },
    });
  }
  const { userId, teamId } = clickerOf(args);
  const rejecting = own
    ? services.bulkSends.withdraw({ sendId, userId })
    : services.bulkSends.reject({ sendId, userId, teamId, reason });
  const done = own ? 'withdrew' : 'rejected';
  const answers = {
    inTime: async (result: Send | Refusal) => {
      if (!isRefusal(result)) return LATE;
      const why = (await howItEnded(sendId, services.store)) ?? refusalText(result);
      return ack(showing(modal({ title: 'Nothing changed', blocks: [section(why)] })));
    },
    late: async (ended: Send | Refusal) => {
      const sentence = isRefusal(ended)
        ? `${ended.what} ${ended.next}`
        : `You ${done} ${sendId}. Nothing was sent.`;
      await notify(args.client, { channelId, userId }, sentence, services.logger);
      return {};
    },
  };
  await answerLate(args, rejecting, answers, services);
};

export const TEST_VIEW = 'approval_test_number';
export const OTHER_NUMBER_ACTION = 'approval_test_other_number';
const NUMBER_FIELD = 'to';

const NOT_YOURS = 'Only the person who asked for it and approvers may send a test. Nothing was sent.';
const NOBODY_TO_READ_AS = 'Nobody is left to send this to, so no test can be made. Nothing was sent.';

/** Sends the message as the first recipient reads it to the person's own number, which is asked for the first time. */
export const handleTest: ClickHandler<ResultServices> = async (args, services) => {
  const { body, action } = args;
  const number = services.testNumbers.get(body.user.id);
  if (number === undefined) return openTestForm(args, services);
  const said = await sendTest(sendIn(args), number, body.trigger_id, args, services);
  const other = button(OTHER_NUMBER_ACTION, 'To another number', action.value ?? '');
  await args.respond({ ...ephemeral(said, [section(said), ...actions([other])]), replace_original: false });
};

export const openTestForm: ClickHandler<ResultServices> = async (args, { defaults }) => {
  const number = textInput(FIELD_ACTION, { placeholder: exampleNumber(defaults.country) });
  const hint =
    'It gets the message as the first recipient will read it, at once. Herald remembers the number for your next test.';
  const view = modal({
    callbackId: TEST_VIEW,
    title: 'Send a test to me',
    submit: 'Send the test',
    metadata: JSON.stringify(sendIn(args)),
    blocks: [input(NUMBER_FIELD, 'Your number', number, { hint })],
  });
  await openForClick(args, view);
};

export const handleTestForm: SubmissionHandler<ResultServices> = async (args, services) => {
  const { body, ack, client } = args;
  const carried = readCarried(metadataSchema, body.view.private_metadata);
  const { [NUMBER_FIELD]: typed } = readState(body.view.state.values);
  const number = readRecipient(String(typed ?? ''), services.defaults.country);
  if (!number.ok) return ack({ response_action: 'errors', errors: { [NUMBER_FIELD]: number.error } });
  await ack();
  const userId = body.user.id;
  services.testNumbers.set(userId, number.value);
  const said = await sendTest(carried, number.value, body.view.id, args, services);
  await notify(client, { channelId: carried.channelId, userId }, said, services.logger);
};

/**
 * Sends a test, or not; returns a sentence on that for the person.
 *
 * @param key names the click or the form: the same one twice sends once
 */
async function sendTest(
  { sendId, channelId }: ReturnType<typeof sendIn>,
  number: Msisdn,
  key: string,
  args: Pick<ClickArguments, 'client'> & Parameters<typeof clickerOf>[0],
  { store, sends, directory }: ResultServices,
): Promise<string> {
  const { userId, teamId } = clickerOf(args);
  const send = await store.find(sendId);
  if (send === undefined) return NO_SUCH_SEND;
  const isRequester = send.origin.userId === userId;
  if (!isRequester && (await directory.whyNot(userId, teamId)) !== undefined) return NOT_YOURS;
  const [first] = await firstRecipients(sendId, store, 1);
  if (first === undefined) return NOBODY_TO_READ_AS;
  // The result is for one person. Writing to them gives the id of the conversation; where that fails, it is said where the card is.
  const text = escapeMrkdwn(`Your test of ${sendId}; the result follows here.`);
  const posted = await args.client.chat.postMessage({ channel: userId, text }).catch(() => undefined);
  const result = await sends.submit({
    message: asRead(send, first),
    to: number,
    origin: { teamId, userId, channelId: posted?.channel ?? channelId },
    requestKey: `test:${sendId}:${key}`,
  });
  if ('what' in result) return `${result.what} ${result.next}`;
  return `A test of ${sendId} goes to ${maskNumber(number)}, as row ${shown(first.row)} will read it.`;
}
