import { z } from 'zod';
import { readRecipient } from '../../../messages/form/recipient.ts';
import { exampleNumber, type Msisdn, maskNumber } from '../../../messages/numbers/phone-number.ts';
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
import type { ClickArguments, ClickHandler, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { asRead } from '../../kit/decide/body.ts';
import { FIELD_ACTION } from '../../kit/forms/form-blocks.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { readState } from '../../kit/forms/read-state.ts';
import type { ResultServices } from './actions.ts';
import { firstRecipients } from './facts.ts';

export const TEST_VIEW = 'approval_test_number';
export const OTHER_NUMBER_ACTION = 'approval_test_other_number';
const NUMBER_FIELD = 'to';

const NOT_YOURS = 'Only the person who asked for it and approvers may send a test. Nothing was sent.';
const NOBODY_TO_READ_AS = 'Nobody is left to send this to, so no test can be made. Nothing was sent.';

const metadataSchema = z.object({ sendId: z.string(), channelId: z.string() });

/** Sends the message as the first recipient reads it to the person's own number, which is asked for the first time. */
export const handleTest: ClickHandler<ResultServices> = async (args, services) => {
  const { body, action } = args;
  const number = services.testNumbers.get(body.user.id);
  if (number === undefined) return openTestForm(args, services);
  const { sendId } = readSendValue(action.value ?? '');
  const wanted = { sendId, number, channelId: body.channel?.id ?? body.user.id, requestKey: body.trigger_id };
  const said = await sendTest(wanted, args, services);
  const other = button(OTHER_NUMBER_ACTION, 'To another number', action.value ?? '');
  await args.respond({ ...ephemeral(said, [section(said), ...actions([other])]), replace_original: false });
};

export const openTestForm: ClickHandler<ResultServices> = async (args, { defaults }) => {
  const { body, action } = args;
  const { sendId } = readSendValue(action.value ?? '');
  const number = textInput(FIELD_ACTION, { placeholder: exampleNumber(defaults.country) });
  const hint =
    'It gets the message as the first recipient will read it, at once. Herald remembers the number for your next test.';
  const view = modal({
    callbackId: TEST_VIEW,
    title: 'Send a test to me',
    submit: 'Send the test',
    metadata: JSON.stringify({ sendId, channelId: body.channel?.id ?? body.user.id }),
    blocks: [input(NUMBER_FIELD, 'Your number', number, { hint })],
  });
  await openForClick(args, view);
};

export const handleTestForm: SubmissionHandler<ResultServices> = async (args, services) => {
  const { body, ack, client } = args;
  const { sendId, channelId } = readCarried(metadataSchema, body.view.private_metadata);
  const typed = valueAt(readState(body.view.state.values), NUMBER_FIELD);
  const number = readRecipient(typeof typed === 'string' ? typed : '', services.defaults.country);
  if (!number.ok) return ack({ response_action: 'errors', errors: { [NUMBER_FIELD]: number.error } });
  await ack();
  const userId = body.user.id;
  services.testNumbers.set(userId, number.value);
  const wanted = { sendId, number: number.value, channelId, requestKey: body.view.id };
  await notify(client, { channelId, userId }, await sendTest(wanted, args, services), services.logger);
};

interface TestRequest {
  readonly sendId: string;
  readonly number: Msisdn;
  readonly channelId: string;
  /** The click or the form: the same one twice sends once. */
  readonly requestKey: string;
}

/** Sends a test, or not; returns a sentence on that for the person. */
async function sendTest(
  { sendId, number, channelId, requestKey }: TestRequest,
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
    requestKey: `test:${sendId}:${requestKey}`,
  });
  if ('what' in result) return `${result.what} ${result.next}`;
  return `A test of ${sendId} goes to ${maskNumber(number)}, as row ${shown(first.row)} will read it.`;
}
