import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { readRecipient } from '../../../messages/form/recipient.ts';
import { exampleNumber, type Msisdn, maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Send } from '../../../sends/send.ts';
import { readCarried } from '../../connection/carried.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { actions, button, input, modal, section, textInput } from '../../kit/blocks/blocks.ts';
import { shown } from '../../kit/cards/words.ts';
import {
  clickerOf,
  ephemeral,
  NO_SUCH_SEND,
  notify,
  openForClick,
  readSendValue,
} from '../../kit/clicks/answering.ts';
import type { ClickHandler, SlackClient, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { FIELD_ACTION } from '../../kit/forms/input-block.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { readState } from '../../kit/forms/read-state.ts';
import type { Approving } from './dependencies.ts';
import { firstRecipients } from './facts.ts';
import { asRead } from './shown.ts';

export const TEST_VIEW = 'approval_test_number';
export const OTHER_NUMBER_ACTION = 'approval_test_other_number';
const NUMBER_FIELD = 'to';

const NOT_YOURS = 'Only the person who asked for it and approvers may send a test. Nothing was sent.';
const NOBODY_TO_READ_AS = 'Nobody is left to send this to, so no test can be made. Nothing was sent.';

const metadataSchema = z.object({ sendId: z.string(), channelId: z.string() });

/** Sends the message as the first recipient reads it to the person's own number, which is asked for the first time. */
export const handleTest: ClickHandler<Approving> = async (args, approving) => {
  const clicker = clickerOf(args);
  const number = approving.testNumbers.get(clicker.userId);
  if (number === undefined) return openTestForm(args, approving);
  const { sendId } = readSendValue(args.action.value ?? '');
  const said = await sendTest(
    { sendId, number, channelId: args.body.channel?.id ?? clicker.userId, requestKey: args.body.trigger_id },
    clicker,
    args.client,
    approving,
  );
  const other = button(OTHER_NUMBER_ACTION, 'To another number', args.action.value ?? '');
  await args.respond({ ...ephemeral(said, [section(said), ...actions([other])]), replace_original: false });
};

export const openTestForm: ClickHandler<Approving> = async (args, { defaults }) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const placeholder = exampleNumber(defaults.country);
  await openForClick(args, testView(sendId, args.body.channel?.id ?? args.body.user.id, placeholder));
};

function testView(sendId: string, channelId: string, placeholder: string): ModalView {
  const hint =
    'It gets the message as the first recipient will read it, at once. Herald remembers the number for your next test.';
  return modal({
    callbackId: TEST_VIEW,
    title: 'Send a test to me',
    submit: 'Send the test',
    metadata: JSON.stringify({ sendId, channelId }),
    blocks: [input(NUMBER_FIELD, 'Your number', textInput(FIELD_ACTION, { placeholder }), { hint })],
  });
}

export const handleTestForm: SubmissionHandler<Approving> = async (args, approving) => {
  const { body, ack, client } = args;
  const { sendId, channelId } = readCarried(metadataSchema, body.view.private_metadata);
  const typed = valueAt(readState(body.view.state.values), NUMBER_FIELD);
  const number = readRecipient(typeof typed === 'string' ? typed : '', approving.defaults.country);
  if (!number.ok) return ack({ response_action: 'errors', errors: { [NUMBER_FIELD]: number.error } });
  await ack();
  const clicker = clickerOf(args);
  approving.testNumbers.set(clicker.userId, number.value);
  const wanted = { sendId, number: number.value, channelId, requestKey: body.view.id };
  const said = await sendTest(wanted, clicker, client, approving);
  await notify(client, { channelId, userId: clicker.userId }, said, approving.logger);
};

interface TestRequest {
  readonly sendId: string;
  readonly number: Msisdn;
  readonly channelId: string;
  /** The click or the form: the same one twice sends once. */
  readonly requestKey: string;
}

/** Returns what to tell the person. */
async function sendTest(
  { sendId, number, channelId, requestKey }: TestRequest,
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
  client: SlackClient,
  { store, sends, directory }: Approving,
): Promise<string> {
  const send = await store.find(sendId);
  if (send === undefined) return NO_SUCH_SEND;
  const isRequester = send.origin.userId === userId;
  if (!isRequester && (await directory.whyNot(userId, teamId)) !== undefined) return NOT_YOURS;
  const [first] = await firstRecipients(sendId, store, 1);
  if (first === undefined) return NOBODY_TO_READ_AS;
  const result = await sends.submit({
    message: asRead(send, first),
    to: number,
    origin: { teamId, userId, channelId: await whereToTell(send, { userId, channelId }, client) },
    requestKey: `test:${sendId}:${requestKey}`,
  });
  if ('what' in result) return `${result.what} ${result.next}`;
  return `A test of ${sendId} goes to ${maskNumber(number)}, as row ${shown(first.row)} will read it.`;
}

/**
 * The result of a test is for one person: it is told directly. Writing to a person is what tells the id of the
 * conversation; where that fails, the result is told where the card is.
 */
async function whereToTell(
  { id }: Send,
  { userId, channelId }: { readonly userId: string; readonly channelId: string },
  client: SlackClient,
): Promise<string> {
  const text = escapeMrkdwn(`Your test of ${id}; the result follows here.`);
  const posted = await client.chat.postMessage({ channel: userId, text }).catch(() => undefined);
  return posted?.channel ?? channelId;
}
