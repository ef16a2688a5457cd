import { LATE, within } from '../../../core/within.ts';
import { CHANNELS, KINDS, kindOf } from '../../../messages/kinds.ts';
import { TEXT_AFTER_WORDS_MS } from '../../../messages/limits.ts';
import { formatNumber, maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Send } from '../../../sends/send.ts';
import { masked, wordsOf } from '../../kit/cards/answer-control.ts';
import { answerClick, openForClick } from '../../kit/clicks/answering.ts';
import type { ClickHandler } from '../../kit/clicks/arguments.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';
import type { Answering } from '../form/form-metadata.ts';
import { inForm, type OpenForm } from '../form/open-form.ts';
import { ANSWER_GONE, answeredAlready, askedToStop, LIST_SLOW } from '../sentences.ts';
import { begunForm, kindsFor } from './kind-choice.ts';

/*
 * Answers to customers. The form carries the event that it answers; the number is looked up where it is sent, so that it
 * stands in no button, and the answer cannot go to anybody else.
 */

const QUOTED = 300;

async function findAsked(eventId: number, { conversations, store }: Compose) {
  const found = Number.isSafeInteger(eventId) ? await conversations.findEvent(eventId) : undefined;
  if (found?.place === undefined || found.event.from === undefined) return undefined;
  const { event, place, sendId, receivedAt: askedAt } = found;
  const { channelId, threadTs } = place;
  const send = sendId === undefined ? undefined : await store.find(sendId);
  return { event, number: found.event.from, thread: { channelId, threadTs }, send, askedAt };
}

/** "Answer": opens the form of a message to whoever wrote, in the way they wrote if possible. */
export const handleAnswer: ClickHandler<Compose> = async (args, compose) => {
  const { action, body } = args;
  const eventId = Number(action.selected_option?.value ?? action.value);
  const asked = await findAsked(eventId, compose);
  if (asked === undefined) return answerClick(args, ANSWER_GONE);
  const { event, number, thread, send, askedAt } = asked;
  const { channelId } = thread;
  const channel = send === undefined ? 'chatapp' : KINDS[send.kind].channel;
  const [[newest], stopped, before] = await Promise.all([
    compose.answers.answersOf(number, { limit: 1 }),
    compose.optOuts.optedOut([number]),
    compose.conversations.newestAnswer(thread, number),
  ]);
  if (stopped.has(number)) return answerClick(args, askedToStop(maskNumber(number)));
  const heardAt = newest?.receivedAt ?? askedAt;
  const isOpen = compose.clock.now() < heardAt + TEXT_AFTER_WORDS_MS;
  const ways = CHANNELS[channel].answeredBy.filter((kind) => isOpen || kind !== 'interactive');
  const found = await kindsFor(body.user.id, compose, ways, { channelId });
  if (found.state === 'none') return answerClick(args, found.why);
  const { kinds } = found;
  // The person who asked for the send knows the number.
  const to = send?.origin.userId === body.user.id ? formatNumber(number) : maskNumber(number);
  const said = wordsOf(event);
  const answering: Answering = {
    event: eventId,
    about: said === undefined ? `To ${to}` : `To ${to}, who wrote: “${masked(said, QUOTED)}”`,
    kinds: [...kinds],
    sender: send === undefined ? {} : senderOf(send),
    heardAt,
    before: before?.sendId ?? '',
  };
  const isAnswered = before !== undefined && !before.failed && before.at >= askedAt;
  const notes = isAnswered ? [answeredAlready(before.sendId)] : [];
  await openForClick(args, await begunForm(kinds[0], { channelId, answering, notes }, compose));
};

function senderOf({ message }: Send): Record<string, string> {
  const { formValues, senderField } = kindOf(message);
  const sender = formValues(message)[senderField];
  return typeof sender === 'string' ? { [senderField]: sender } : {};
}

/** Another kind was chosen for the answer: its form, with the text as far as it has one. */
export const handleAnswerBy = inForm(async (form, { action, client }, compose) => {
  const { answering, waiting, channelId } = form.metadata;
  const kind = answering?.kinds.find((one) => one === action.selected_option?.value);
  if (kind === undefined) return;
  const text = textIn(form) ?? waiting?.[0]?.text;
  const next = await begunForm(kind, { channelId, answering, text }, compose);
  await compose.views.redraw(client, form.event, next);
});

function textIn({ kind, values }: OpenForm): string | undefined {
  const text = valueAt(values, (KINDS[kind].textPath ?? []).join('.'));
  return typeof text === 'string' ? text : undefined;
}

/**
 * To whom and where a submitted form answers; in a sentence why that is not known. Of several who answer the same words at
 * the same time the first is taken: their requests have one key until an answer stands in the thread.
 */
export async function answerIn({ event, before }: Answering, compose: Compose) {
  const asked = await within(findAsked(event, compose), CATALOGUE_MS, compose.clock);
  if (asked === LATE) return LIST_SLOW;
  if (asked === undefined) return ANSWER_GONE;
  const { number: to, thread } = asked;
  return { to, thread, requestKey: `answer:${thread.channelId}/${thread.threadTs}/${to}/${before}` };
}
