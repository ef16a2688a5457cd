import { given } from '../../../core/given.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { parseSubmission } from '../../../messages/parse-submission.ts';
import type { Origin } from '../../../sends/send.ts';
import type { SubmitResult } from '../../../sends/service.ts';
import { sayingView } from '../../kit/blocks/blocks.ts';
import type { SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { errors } from '../../kit/forms/issues-to-errors.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { askForList } from '../list/ask-for-list.ts';
import { reviewList } from '../list/review-list.ts';
import { alreadySent, TAKING_LONGER } from '../sentences.ts';
import { whoWasFirst } from '../start/again.ts';
import { answerIn } from '../start/answer.ts';
import { isChoosing } from './form-view.ts';
import { kindOf } from './open-view.ts';
import { sourceIn } from './recipients.ts';
import { channelIssues, messageValues, personIn, readForm, refuseAll } from './submitted-form.ts';

/**
 * A form was submitted. Either it becomes one send, named by the view's id so that a second delivery or a second
 * press sends nothing more, and closes; or it stays open with every value and a sentence under each field at
 * fault. Acknowledged within about two seconds whatever the store does.
 */
export const handleSubmission: SubmissionHandler<Compose> = async ({ body, ack, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  if (kind === undefined)
    throw new Error('A view that is no form of a message reached its submission handler.');
  const startedAt = compose.clock.monotonic();
  const read = await readForm(kind, body, compose);
  if (read.state === 'refused') return ack(read.answer);
  const { form } = read;
  if (form.metadata.audienceId !== undefined && !isChoosing(form))
    return askForList(form, startedAt, { body, ack, client }, compose);
  if (sourceIn(form.values) !== 'one') return reviewList(form, startedAt, { body, ack, client }, compose);
  const { channelId } = form;
  const { answering } = form.metadata;
  const answer = answering && (await answerIn(answering, compose));
  if (typeof answer === 'string') return ack(refuseAll(view, answer));
  const values = { ...messageValues(form.values), ...given({ to: answer?.to }) };
  const parsed = parseSubmission(kind, formContext(compose, form.template), values);
  const issues = [...(parsed.ok ? [] : parsed.error), ...channelIssues(channelId)];
  if (!parsed.ok || channelId === undefined) return ack(errors(issues, view));
  const submission = parsed.value;
  const origin: Origin = { ...personIn(body), channelId, ...answer?.thread };
  const { again } = form.metadata;
  const requestKey = answer?.requestKey ?? view.id;
  const asked = { ...submission, origin, requestKey, ...given({ retryOf: again }) };
  const submitting = compose.sends.submit(asked);
  const { title } = KINDS[kind];
  const answers = {
    inTime: async (result: SubmitResult) => {
      const sentence = await whyNotStarted(result, compose);
      if (sentence === undefined) return ack({ response_action: 'clear' });
      await ack(result.state === 'waits' ? showing(sayingView(title, sentence)) : refuseAll(view, sentence));
    },
    meanwhile: sayingView(title, TAKING_LONGER),
    late: async (result: SubmitResult) => {
      const sentence = await whyNotStarted(result, compose);
      return sentence === undefined ? {} : { word: () => ({ sentence, channelId }) };
    },
  };
  await answerLate({ body, ack, client }, submitting, answers, compose, startedAt);
};

async function whyNotStarted(result: SubmitResult, compose: Compose): Promise<string | undefined> {
  switch (result.state) {
    case 'started':
      return undefined;
    case 'repeated':
      return result.send.retryOf === undefined
        ? alreadySent(result.send.id)
        : whoWasFirst(result.send, compose);
    case 'waits':
    case 'refused':
      return `${result.what} ${result.next}`;
  }
}
