import type { ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import { ok, type Result } from '../../../core/result.ts';
import { LATE } from '../../../core/within.ts';
import { KINDS, type Message } from '../../../messages/kinds.ts';
import { parseSubmission } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { SubmitRequest, SubmitResult } from '../../../sends/service.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { modal, moment, sayingView, section } from '../../kit/blocks/blocks.ts';
import { clickerOf } from '../../kit/clicks/answering.ts';
import type { SubmissionArguments, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-blocks.ts';
import { errors } from '../../kit/forms/read-state.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { askGroup } from '../line/command.ts';
import { listInTime, loadList, noteIn, startIn } from '../list/list.ts';
import { reviewList } from '../list/review-list.ts';
import * as say from '../sentences.ts';
import { whoWasFirst } from '../start/again.ts';
import { answerIn } from '../start/answer.ts';
import { composeView, isChoosing } from './form-view.ts';
import {
  carriedOn,
  channelIssues,
  counted,
  errorAt,
  messageFor,
  messageValues,
  type ReadForm,
  readForm,
} from './open-form.ts';
import { groupIn, sourceIn } from './recipients.ts';

/**
 * Answers to a submitted form. Either it becomes one send, named by the view's id so that a second delivery or a second
 * press sends nothing more, and closes; or it stays open with every value and a sentence under each field at
 * fault. Acknowledged within about two seconds whatever the store does.
 */
export const handleSubmission: SubmissionHandler<Compose> = async (args, compose) => {
  const { body, ack } = args;
  const { view } = body;
  const startedAt = compose.clock.monotonic();
  const form = await readForm(body, compose);
  if ('response_action' in form) return ack(form);
  const { kind, channelId, metadata, values } = form;
  const isReviewed = metadata.audienceId !== undefined && !isChoosing(form);
  if (!isReviewed && groupIn(kind, values) === undefined && sourceIn(values) !== 'one')
    return reviewList(form, startedAt, args, compose);
  const prepared = await (isReviewed ? forList(form, compose) : forOne(form, compose));
  if (typeof prepared === 'string') return ack(errorAt('', prepared, view));
  if (!prepared.ok || channelId === undefined) {
    const issues = prepared.ok ? [] : prepared.error;
    return ack(errors([...issues, ...channelIssues(channelId)], view));
  }
  const { message, ask } = prepared.value;
  const asked = { message, origin: { ...clickerOf({ body }), channelId }, requestKey: view.id };
  await answerWith(form, checkedFirst(asked, ask, compose), startedAt, args, compose);
};

type Asked = Pick<SubmitRequest, 'message' | 'origin' | 'requestKey'>;

/** Asks for a message; `openMedia` are its links of which the service said nothing. */
type Ask = (asked: Asked, openMedia: readonly string[]) => Promise<Came>;

/** A form names a message and asks for it; else its fields are wrong, or a sentence refuses all of it. */
type Prepared = Result<{ readonly message: Message; readonly ask: Ask }, readonly Issue[]> | string;

/** A message to one person, or to whoever of a group is on call. */
async function forOne(form: ReadForm, compose: Compose): Promise<Prepared> {
  const { kind, template, values, metadata } = form;
  const { again, known, answering } = metadata;
  const retry = given({ retryOf: again });
  const group = groupIn(kind, values);
  if (group !== undefined) {
    const parsed = messageFor(form, { columns: [] }, compose);
    const ask: Ask = (asked) => askGroup(group, { ...asked, ...retry }, compose);
    return parsed.ok ? ok({ message: parsed.value, ask }) : parsed;
  }
  const answer = answering && (await answerIn(answering, compose));
  if (typeof answer === 'string') return answer;
  const entered = { ...messageValues(values), ...given({ to: answer?.to }) };
  const parsed = parseSubmission(kind, formContext(compose, template), entered);
  if (!parsed.ok) return parsed;
  const { message, to } = parsed.value;
  // Each answer is to words that are answered once.
  const named = answer === undefined ? { asking: { known } } : { requestKey: answer.requestKey };
  const ask: Ask = (asked) =>
    compose.sends.submit({
      ...{ ...asked, ...named, ...retry, to },
      origin: { ...asked.origin, ...answer?.thread },
    });
  return ok({ message, ask });
}

/** The last look at a message and its list. */
async function forList(form: ReadForm, compose: Compose): Promise<Prepared> {
  const { values, metadata } = form;
  const list = await loadList(metadata, compose);
  if (list === LATE) return say.LIST_SLOW;
  if (list === undefined) return say.LIST_GONE;
  const parsed = messageFor(form, list.audience, compose);
  const ask: Ask = (asked, openMedia) =>
    compose.bulkSends.request({
      ...asked,
      ...(openMedia.length > 0 && { openMedia }),
      audienceId: list.audience.id,
      replaces: metadata.replaces,
      note: noteIn(values),
      ...startIn(values),
    });
  return parsed.ok ? ok({ message: parsed.value, ask }) : parsed;
}

/** A submitted form has issues with its fields, or its window shows something; without either it closes. */
interface ShownResult {
  readonly issues?: readonly Issue[];
  readonly view?: ModalView;
  /** For who does not see that. */
  readonly sentence?: string;
}

type Came = SubmitResult | BulkResult | { readonly state: 'unfit'; readonly issues: readonly Issue[] };

/** Says what a submitted form came to: under its fields in time, and on top of it later. */
async function answerWith(
  form: ReadForm,
  work: Promise<Came>,
  startedAt: number,
  args: SubmissionArguments,
  compose: Compose,
): Promise<void> {
  const { kind, metadata, channelId } = form;
  const { body, ack } = args;
  const { view } = body;
  const answers = {
    inTime: async (result: Came) => {
      const { issues, view: next } = await shownOf(form, result, compose);
      // A test stands above the review, which stays.
      const close = view.previous_view_id ? undefined : ({ response_action: 'clear' } as const);
      await ack(issues ? errors(issues, view) : next ? showing(next) : close);
    },
    meanwhile: sayingView(KINDS[kind].title, say.TAKING_LONGER),
    late: async (result: Came) => {
      const { issues = [], view: next, sentence = '' } = await shownOf(form, result, compose);
      if (issues.length === 0) return next ? { view: next, word: () => ({ sentence, channelId }) } : {};
      const notes = result.state === 'unfit' ? [say.NOTHING_SENT] : [];
      const why = [...notes, ...issues.map(({ message }) => message)].join(' ');
      const list = await listInTime(metadata, compose);
      const again = { ...carriedOn(metadata), ...form, list, notes, wrong: issues };
      const { form: shown } = await counted(again, view.id, compose);
      return { view: composeView(shown, compose), word: () => ({ sentence: why, channelId }) };
    },
  };
  await answerLate(args, work, answers, compose, startedAt);
}

/** Asks for a message, unless a link of it leads to what the service will not take. */
async function checkedFirst(asked: Asked, ask: Ask, { checkMedia }: Compose): Promise<Came> {
  const { issues, open } = await checkMedia(asked.message);
  return issues.length > 0 ? { state: 'unfit', issues } : ask(asked, open);
}

async function shownOf(form: ReadForm, result: Came, compose: Compose): Promise<ShownResult> {
  const { title } = KINDS[form.kind];
  switch (result.state) {
    case 'unfit':
      return result;
    case 'started':
    case 'awaiting_approval': {
      // A message to one needs no window.
      if (result.send.audience === undefined) return {};
      const sentence = outcome(result, compose);
      return { view: modal({ title, blocks: [section(sentence)] }), sentence };
    }
    case 'repeated': {
      const { send } = result;
      const sentence =
        send.retryOf === undefined ? say.alreadySent(send.id) : await whoWasFirst(send, compose);
      return send.audience ? { view: sayingView(title, sentence), sentence } : refusing(sentence);
    }
    case 'again': {
      // The form as it was, with the question: pressed once more, it is sent.
      const question = say.sendAgain(result, compose);
      const view = composeView({ ...carriedOn(form.metadata), ...form, ...question }, compose);
      return { view, sentence: question.notes[0] ?? '' };
    }
    case 'waits': {
      const sentence = `${result.what} ${result.next}`;
      return { view: sayingView(title, sentence), sentence };
    }
    case 'refused':
      return refusing(`${result.what} ${result.next}`.trim(), 'path' in result ? result.path : undefined);
  }
}

function refusing(message: string, path = ''): ShownResult {
  return { issues: [{ path, message }] };
}

/** Says in the window where a send stands that was taken. As mrkdwn, made by Herald alone. */
function outcome(
  { state, send }: Extract<Came, { state: 'started' | 'awaiting_approval' }>,
  { approvals }: Compose,
) {
  const { id, origin, startAt } = send;
  if (state === 'awaiting_approval') {
    const when = startAt === undefined ? '' : ` Once approved, it starts ${moment(startAt)}.`;
    return `Waiting for approval in <#${escapeMrkdwn(approvals.channel ?? origin.channelId)}>. Nothing was sent yet. Reference ${id}.${when}`;
  }
  return startAt === undefined
    ? `It is being sent; progress is shown in <#${escapeMrkdwn(origin.channelId)}>. Reference ${id}.`
    : `It is scheduled. Nothing was sent yet. It starts ${moment(startAt)}. Reference ${id}.`;
}
