import { KINDS } from '../../messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../messages/parse-submission.ts';
import type { Issue } from '../../messages/submission.ts';
import { type Failure, MAY_HAVE_BEEN_SENT } from '../../sends/outcome.ts';
import type { RecipientRow, SendReport } from '../../sends/send.ts';
import { UNENDED } from '../../sends/states.ts';
import { messageText } from '../kit/cards/message-blocks.ts';
import { initialValues } from '../kit/forms/form-blocks.ts';
import { formContext } from '../kit/forms/form-context.ts';
import { unknownEmojiNote } from '../kit/message-text/emoji.ts';
import * as say from './sentences.ts';
import {
  refused,
  type StepMessage,
  type StepOutputs,
  type StepRun,
  type WorkflowDependencies,
} from './step.ts';

/** What became of a send that was taken: there at once, or when it has ended. */
type Outcome = () => Promise<StepOutputs>;

/**
 * Takes a step's message for one number or for several. Resolves once it is stored or refused, so that Slack can be
 * told that the step arrived.
 */
export async function takeStep(
  message: StepMessage,
  to: string,
  run: StepRun,
  dependencies: WorkflowDependencies,
): Promise<Outcome> {
  const numbers = to.split(/[\n\r,;]+/).filter((number) => number.trim() !== '');
  if (numbers.length <= 1) return takeOne(message, to, run, dependencies);
  return ended(await takeMany(message, to, run, dependencies));
}

async function takeOne(
  { kind, template, values }: StepMessage,
  to: string,
  run: StepRun,
  dependencies: WorkflowDependencies,
): Promise<Outcome> {
  const context = formContext(dependencies, template);
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseSubmission(kind, context, { ...defaults, ...values, to });
  if (!parsed.ok) return ended(refused(sentenceOf(parsed.error)));
  const { requestKey, ...origin } = run;
  const result = await dependencies.sends.submit({ ...parsed.value, origin, requestKey });
  if (result.state === 'refused') {
    const outputs = refused(`${result.what} ${result.next}`);
    return ended(result.cause === 'unsure' ? { ...outputs, status: 'unknown' } : outputs);
  }
  if (result.state === 'waits') {
    const meaning = `${result.what} ${result.next}`;
    return ended({ ...refused(meaning), status: 'awaiting_approval', reference: result.send.id });
  }
  // A repeated run is told what became of the first.
  const note = unknownEmojiNote(messageText(parsed.value.message, template));
  return async () => {
    const outputs = await follow(result.send.id, dependencies);
    return { ...outputs, meaning: sentences(outputs.meaning, note) };
  };
}

async function takeMany(
  { kind, template, values }: StepMessage,
  to: string,
  { requestKey, ...origin }: StepRun,
  dependencies: WorkflowDependencies,
): Promise<StepOutputs> {
  const context = { ...formContext(dependencies, template), recipients: 'many' as const };
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseBulkMessage(kind, context, { ...defaults, ...values }, []);
  if (!parsed.ok) return refused(sentenceOf(parsed.error));
  const list = await dependencies.audiences.fromNumbers(to, origin.userId);
  if (list.state !== 'ready')
    return refused(list.state === 'refused' ? `${list.what} ${list.next}` : say.numbersRefused(1));
  const { counts, id: audienceId } = list.audience;
  if (counts.invalid > 0) return refused(say.numbersRefused(counts.invalid));
  if (counts.valid === 0) return refused(say.NOBODY_LEFT);
  const result = await dependencies.bulkSends.request({
    message: parsed.value,
    audienceId,
    origin,
    requestKey,
  });
  if (result.state === 'refused') {
    const outputs = refused(`${result.what} ${result.next}`);
    return result.isUnsure ? { ...outputs, status: 'unknown' } : outputs;
  }
  const waits = result.send.state === 'awaiting_approval';
  return {
    ...refused(waits ? say.BULK_WAITS : say.BULK_SENDING),
    status: waits ? 'awaiting_approval' : 'sending',
    reference: result.send.id,
  };
}

function ended(outputs: StepOutputs): Outcome {
  return async () => outputs;
}

function sentenceOf(issues: readonly Issue[]): string {
  return say.inputsRefused(issues.map((issue) => issue.message));
}

const LOOK_FIRST_MS = 250;
const LOOK_AT_MOST_EVERY_MS = 5_000;
/** A send may wait for the service to come back; the workflow need not wait as long. */
const FOLLOW_MS = 10 * 60_000;

/** What becomes of a send to one recipient, looked up less and less often until it has ended. */
async function follow(
  sendId: string,
  { sends, clock, stopping }: WorkflowDependencies,
): Promise<StepOutputs> {
  const until = clock.monotonic() + FOLLOW_MS;
  let waitMs = LOOK_FIRST_MS;
  while (clock.monotonic() < until && !stopping.aborted) {
    const report = await sends.report(sendId);
    if (report !== undefined && !UNENDED.includes(report.send.state)) return outputsOf(report);
    await clock.sleep(waitMs, stopping);
    waitMs = Math.min(waitMs * 2, LOOK_AT_MOST_EVERY_MS);
  }
  return { ...refused(say.STILL_SENDING), status: 'sending', reference: sendId };
}

function outputsOf({ send, recipient }: SendReport): StepOutputs {
  const { failure, messageId } = recipient;
  return {
    ...becameOf(recipient),
    code: failure?.code,
    message_id: messageId,
    reference: send.id,
  };
}

function becameOf({ state, failure }: RecipientRow): Pick<StepOutputs, 'status' | 'meaning'> {
  switch (state) {
    case 'accepted':
      return { status: state, meaning: MAY_HAVE_BEEN_SENT.accepted };
    case 'rejected':
    case 'not_sent':
    case 'unknown':
      return {
        status: state,
        meaning: sentences(failure?.what, said(failure), MAY_HAVE_BEEN_SENT[state], failure?.next),
      };
    case 'skipped':
      return { status: state, meaning: sentences(failure?.what, MAY_HAVE_BEEN_SENT.not_sent, failure?.next) };
    // The send ended before its recipient was tried.
    case 'pending':
    case 'attempting':
      return { status: 'not_sent', meaning: MAY_HAVE_BEEN_SENT.not_sent };
  }
}

/** The service's own words, foreign as they are, without what Slack reads as a mention or a link. */
function said(failure: Failure | undefined): string | undefined {
  const words = failure?.explanation?.replaceAll('<', '‹').replaceAll('>', '›');
  return words && `The service says: “${words}”.`;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}
