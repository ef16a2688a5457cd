import type { Clock } from '../../core/clock.ts';
import { KINDS } from '../../messages/kinds.ts';
import { DROPPED_IN_INDIA } from '../../messages/sms/free-text.ts';
import type { BulkResult } from '../../sends/bulk.ts';
import type { Send } from '../../sends/send.ts';
import type { SubmitResult } from '../../sends/service.ts';
import { CAME_TO_NOTHING } from '../../sends/states.ts';
import { duration, people, rowsOf } from '../kit/cards/words.ts';

/**
 * Herald says these sentences while a message is being composed. A refusal says what happened, that nothing was sent, and
 * what to do next.
 */

export const NOTHING_SENT = 'Nothing was sent.';
export const NOTHING_SENT_YET = 'Nothing was sent yet.';

// Doubts about a quick line; each stands on top of the form that opens instead.
export const NUMBER_END_UNCLEAR =
  'It is not clear where the number ends and the rest begins. Check both before you send. A number without spaces makes it clear.';
/** Under the field of the number. */
export const numberRead = (number: string) => `Read as ${number}.`;
export const lineIsLong = (parts: number) =>
  `The text takes ${parts} SMS parts, so it is shown before it goes out. Check it before you send.`;
export const SEVERAL_NUMBERS =
  'The line begins with several numbers, so it is for all of them and may need an approval. Check the numbers and the message before you go on.';
export const TEMPLATE_COMES_FIRST =
  'A line starts with the template, then the number. Check what was understood before you send.';
export const QUOTES_UNCLEAR =
  'The quotes can be read in more than one way. Check every value before you send.';
export function templateUnknown(name: string, similar: readonly string[]): string {
  const advice =
    similar.length > 0
      ? `Did you mean ${similar.map((other) => `“${other}”`).join(' or ')}? Choose it below.`
      : 'Choose one below.';
  return `There is no template “${name}” in the catalogue. ${advice}`;
}

export const CATALOGUE_SLOW_ON_OPENING =
  'The catalogue of templates did not answer in time. Choose the template below.';
export const TEMPLATE_NEEDED =
  'SMS are made of templates only here. Choose one, or have the text added with /templates add.';
export const TEMPLATE_IN_INDIA = `${DROPPED_IN_INDIA} Choose a template, or press Send if it is registered.`;
export const textIsTemplate = (label: string) =>
  `The text is that of the template “${label}”: send it as that. ${NOTHING_SENT_YET}`;
export const CATALOGUE_EMPTY =
  'The catalogue has no templates for this channel yet. Add one with /templates add.';

// A form that takes over something of a send.
export const sendsAgain = (sendId: string) => `This sends ${sendId} again. ${NOTHING_SENT_YET}`;
export const MAY_SEND_TWICE = `The customer may already have this message: sent again, it may arrive twice. ${NOTHING_SENT_YET}`;
export const sentAgainBefore = ({ id, retryOf = '' }: Send, name: string) =>
  `${name} has sent ${retryOf} again already, as ${id}. It was not sent once more. Look at what became of ${id} first.`;
const SAME = 'this very message';
/** Makes the question that a form asks which would repeat a send, with what it then carries on. */
export function sendAgain(
  { send, again }: Extract<SubmitResult, { state: 'again' }>,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
) {
  const { at, gotAt, which } = again;
  const ahead = at === undefined ? [`is to get ${gotAt === undefined ? SAME : 'it again'}`] : [];
  const got = gotAt === undefined ? [] : [`got ${SAME} ${duration(clock.now() - gotAt)} ago`];
  const gets = [...got, ...ahead].join(' and ');
  const note = `This person ${gets} (${send.id}). ${NOTHING_SENT_YET} Send it again only if that is meant.`;
  return { known: which, notes: [note] };
}
export const NOT_TO_SEND_AGAIN =
  'This message has not failed, or is still on its way. Nothing was sent. Look at its card for how it stands.';
export const NO_LONGER_KEPT =
  'The texts or numbers of this message are no longer kept, so it cannot be sent again. Nothing was sent.';
export const MESSAGE_TAKEN_OVER = `The message is taken over. Choose who gets it. ${NOTHING_SENT_YET}`;
export const IS_A_TEST = `This is a test. It goes to the number that you enter, and to nobody else. ${NOTHING_SENT_YET}`;
export const NOTHING_CHANGED = 'Nothing was changed. Click again.';
export const editing = ({ id, state }: Send) =>
  CAME_TO_NOTHING.includes(state)
    ? 'Nothing was sent yet. Check the list and the message.'
    : `Until this is handed in, ${id} stays as it is: it may be approved and begin. Then it is withdrawn, and this needs approvals of its own.`;
export const PASSWORD_NOT_KEPT = 'One-time passwords are not kept: enter a new one.';
export const listTakenOver = (title: string, count: number) =>
  `This goes to “${title}” (${count.toLocaleString('en')}). ${NOTHING_SENT_YET}`;

// Answers to a submitted form.
export const templateGone = (name: string) =>
  `The template “${name}” is no longer in the catalogue. Nothing was sent. Choose another one; what you typed is kept.`;
export const CATALOGUE_SLOW_ON_SUBMITTING =
  'The catalogue of templates did not answer in time. Nothing was sent. Press Send again.';
export const fieldsBelongToAnother = (label: string) =>
  `Nothing was sent: the fields shown were not those of the template “${label}” as it is now. They are now. Check them and press Send again.`;
export const FORM_TOO_OLD =
  'This form was opened with another version of Herald. Nothing was sent. Copy what you need and open it again.';
export const CHANNEL_MISSING = 'Choose where to post the result.';
export const TAKING_LONGER =
  'This takes longer than usual. You can close this window: the result will be posted in the channel. Do not send it again before you have seen it.';

export const alreadySent = (sendId: string) =>
  `This was sent before, as ${sendId}, and was not sent a second time. If you changed something since, that was not sent: look at the result in the channel, and open a new form if it is still needed.`;
// Lists.
export const LIST_SLOW = 'Herald’s database did not answer in time. Nothing was sent. Try again in a minute.';
export const LIST_GONE = 'This list is no longer there. Nothing was sent. Choose another list.';
export const LIST_UNREADABLE = 'The list could not be read to its end. Nothing was sent. Choose it again.';
export const NUMBERS_MISSING = 'Paste the numbers, one per line.';
export const AUDIENCE_MISSING = 'Choose a saved audience.';
export const COLUMN_UNCLEAR =
  'Herald cannot see which column has the numbers, and there are too many to choose from here. Nothing was sent. Name that column “phone” and choose the file again.';
export const CHOOSE_COLUMN = 'Nothing was sent yet. Choose which column of the file has the numbers.';
export const READING_LIST =
  'The list is being read. This window then shows what was found; nothing is sent before you have seen that.';
export const LIST_READY =
  'Your list has been read, but could not be shown in its window. Nothing was sent. Open it within the hour to go on.';
export const CLOSED_FORM_GONE =
  'Herald no longer has this form. Nothing was sent. Type the command again and choose the list once more.';
export const SAMPLE_IS_THERE = 'The sample is in your direct messages with Herald, under Apps.';
export const SAMPLE_WITHOUT_TEMPLATE =
  'Choose the template first: the sample then has a column for each of its values.';
export const sampleSent = (title: string) =>
  `A sample list for “${title}”. Put your rows in the place of its three, whose numbers belong to nobody, and choose the file in the form.`;
export function nobodyLeft(read: number, why?: string): string {
  const none = read === 1 ? 'The only row cannot' : `None of the ${rowsOf(read)} can`;
  return `${none} be sent to${why ? ` (${why})` : ''}. Nothing was sent. Choose another list.`;
}

// Drafts.
export const NAME_THE_DRAFT = 'The draft was not saved: enter a name for it.';
export function draftSaved(name: string, result: 'added' | 'replaced'): string {
  const instead = result === 'replaced' ? ', replacing your earlier draft of that name' : '';
  return `Saved as “${name}”${instead}. Nothing was sent.`;
}
export const draftIsIn = (name: string) => `This is your draft “${name}”. Nothing was sent yet.`;
export const draftGone = (name: string) => `There is no draft “${name}” any more. The form was not changed.`;
export const draftRemoved = (name: string) =>
  `The draft “${name}” was deleted. The form keeps what it holds.`;

// Answering customers.
export const ANSWER_GONE =
  'Herald no longer knows whose words these are. Nothing was sent. Send a new message with the command of its kind.';
export const askedToStop = (customer: string) =>
  `${customer} asked for no more messages. They are on the opt-out list. ${NOTHING_SENT} If they have asked for messages again, type /optout remove and their number first.`;
export const answeredAlready = (sendId: string) =>
  `This was answered before, by ${sendId}. Look at the thread before you send another message.`;

// Answers to a shortcut.
export const KIND_MISSING = 'Choose what kind of message to send.';
export const MESSAGE_WITHOUT_TEXT = 'That message has no text to use. Type the text to send.';
export const MESSAGE_CUT =
  'The message is longer than a text can be; its end was left out. Check the text before you send it.';
export const TEXT_TOO_LONG_FOR_TEMPLATE =
  'The text is too long to be a value of a template, so it was left out.';
export const flashWasCut = (parts: number, cut: string) =>
  `Only what fits into ${parts} SMS parts was kept. Left out: “${cut}” Edit the text before you send it.`;
export const shortcutDidNotOpen = (why: string) => `${why} Nothing was sent. Choose the shortcut again.`;

// Answers to a command.
export const formDidNotOpen = (command: string, why: string) =>
  `${why} Nothing was sent. Type ${command} again.`;
export const tooLongForForm = (maxLength: number) =>
  `The line holds more than a form can take: at most ${maxLength} characters a field. Nothing was sent. Shorten it and type the command again.`;
/** Undefined for what the channel shows by itself. */
export function lineAnswer(result: SubmitResult | BulkResult): string | undefined {
  if ('what' in result) return `${result.what} ${result.next}`;
  const { id, kind, recipientCount, reason } = result.send;
  if (result.state === 'repeated') return `Slack delivered this command twice. It was sent once, as ${id}.`;
  if (result.state !== 'awaiting_approval') return undefined;
  const why = reason === undefined ? '' : ` ${reason.what}`;
  return `Your ${KINDS[kind].noun.replace(/^an? /, '')} to ${people(recipientCount)} waits for approval as ${id}.${why} ${NOTHING_SENT_YET}`;
}
