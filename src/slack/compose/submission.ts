import type { View } from '@slack/types';
import { KINDS, parseSubmission } from '../../messages/kinds.ts';
import type { Issue, MessageKind, Submission } from '../../messages/message.ts';
import type { Template } from '../../messages/template.ts';
import type { Origin } from '../../sends/send.ts';
import type { SubmitResult } from '../../sends/service.ts';
import { issuesToErrors } from '../forms/issues-to-errors.ts';
import { readState } from '../forms/read-state.ts';
import { type Compose, formContext } from './dependencies.ts';
import { findTemplate } from './find-template.ts';
import { type FormMetadata, readMetadata } from './form-metadata.ts';
import { CHANNEL_FIELD, composeView, sentenceView } from './form-view.ts';
import { kindOf, type OpenView } from './open-view.ts';
import { refusalFor } from './rights.ts';
import {
  alreadySent,
  CATALOGUE_SLOW_ON_SUBMITTING,
  CHANNEL_MISSING,
  FORM_TOO_OLD,
  fieldsBelongToAnother,
  TAKING_LONGER,
  templateGone,
} from './sentences.ts';
import { type TellClient, tell } from './tell.ts';
import { isMarkOf, templateMark } from './template-mark.ts';
import { TEMPLATE_FIELD } from './template-picker.ts';
import { LATE, within } from './within.ts';

/** Slack gives a submission three seconds; the way there and back takes some of them. */
const ANSWER_MS = 2000;
/** However long the steps before took, storing the send gets a moment. */
const LEAST_SUBMIT_MS = 200;

/** What the acknowledgement of a submitted form says. */
export type SubmissionAnswer =
  | { readonly response_action: 'clear' }
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
  | { readonly response_action: 'update'; readonly view: View };

/** What the handler of a submitted form uses of what Bolt hands it. */
export interface SubmissionArguments {
  readonly body: {
    readonly user: { readonly id: string };
    readonly team: { readonly id: string } | null;
    readonly view: OpenView & { readonly team_id: string };
  };
  readonly ack: (answer: SubmissionAnswer) => Promise<void>;
  readonly client: TellClient;
}

/** A submitted form that keeps every rule, or the answer that says why it does not. */
type Checked =
  | { readonly state: 'sound'; readonly submission: Submission; readonly channelId: string }
  | { readonly state: 'refused'; readonly answer: SubmissionAnswer };

/**
 * A form was submitted. Either it becomes one send, named by the view's id so that a second delivery or a second
 * press sends nothing more, and closes; or it stays open with every value and a sentence under each field at
 * fault. Acknowledged within about two seconds whatever the store does.
 */
export async function handleSubmission(
  { body, ack, client }: SubmissionArguments,
  compose: Compose,
): Promise<void> {
  const { view, user } = body;
  const kind = kindOf(view);
  if (kind === undefined)
    throw new Error('A view that is no form of a message reached its submission handler.');
  const startedAt = compose.clock.now();
  const checked = await check(kind, body, compose);
  if (checked.state === 'refused') return ack(checked.answer);
  const { submission, channelId } = checked;
  const origin: Origin = { teamId: body.team?.id ?? view.team_id, userId: user.id, channelId };
  const submitting = compose.sends.submit({ ...submission, origin, requestKey: view.id });
  const leftMs = Math.max(startedAt + ANSWER_MS - compose.clock.now(), LEAST_SUBMIT_MS);
  const result = await within(submitting, leftMs, compose.clock);
  if (result !== LATE) {
    const sentence = whyNotStarted(result);
    return ack(sentence === undefined ? { response_action: 'clear' } : refuseAll(view, sentence));
  }
  await ack({ response_action: 'update', view: sentenceView(kind, TAKING_LONGER) });
  const sentence = whyNotStarted(await submitting);
  if (sentence !== undefined) await tell(client, origin, sentence, compose.logger);
}

async function check(
  kind: MessageKind,
  body: SubmissionArguments['body'],
  compose: Compose,
): Promise<Checked> {
  const { view, user } = body;
  const metadata = readMetadata(view.private_metadata);
  if (metadata === undefined) return refused(refuseAll(view, FORM_TOO_OLD));
  const refusal = await refusalFor(kind, user.id, compose);
  if (refusal !== undefined) return refused(refuseAll(view, refusal));
  const { [CHANNEL_FIELD]: chosenChannel, ...values } = readState(view.state.values, metadata.shown);
  const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  if (template === LATE) return refused(errorAt(TEMPLATE_FIELD, CATALOGUE_SLOW_ON_SUBMITTING, view));
  const gone = goneAnswer(kind, values[TEMPLATE_FIELD], template, view);
  if (gone) return refused(gone);
  if (template && templateMark(template) !== metadata.shown) {
    return refused(otherFields(kind, template, metadata, view, compose));
  }
  const channelId = metadata.channelId ?? (typeof chosenChannel === 'string' ? chosenChannel : undefined);
  const parsed = parseSubmission(kind, formContext(compose, template), values);
  const issues: readonly Issue[] = [
    ...(parsed.ok ? [] : parsed.error),
    ...(channelId === undefined ? [{ path: CHANNEL_FIELD, message: CHANNEL_MISSING }] : []),
  ];
  if (!parsed.ok || channelId === undefined) return refused(errors(issues, view));
  return { state: 'sound', submission: parsed.value, channelId };
}

/** Looked up again at every submission: the catalogue may have changed since the form was opened. */
function goneAnswer(
  kind: MessageKind,
  name: unknown,
  template: Template | undefined,
  view: OpenView,
): SubmissionAnswer | undefined {
  if (KINDS[kind].templateChannel === undefined || template !== undefined) return undefined;
  // Without a name the schema says that a template must be chosen.
  return typeof name === 'string' && name !== ''
    ? errorAt(TEMPLATE_FIELD, templateGone(name), view)
    : undefined;
}

/**
 * The template was chosen a moment before Send was pressed, or its definition changed: what was typed belongs to
 * fields that no longer exist. The right ones are shown; values of another definition of the same template are
 * kept for the person to check, those of another template are not.
 */
function otherFields(
  kind: MessageKind,
  template: Template,
  { shown, channelId, waiting }: FormMetadata,
  view: OpenView,
  compose: Compose,
): SubmissionAnswer {
  const values = readState(view.state.values, isMarkOf(shown, template) ? shown : undefined);
  const notes = [fieldsBelongToAnother(template.label)];
  return {
    response_action: 'update',
    view: composeView({ kind, template, values, channelId, waiting, notes }, compose),
  };
}

function whyNotStarted(result: SubmitResult): string | undefined {
  switch (result.state) {
    case 'started':
      return undefined;
    case 'repeated':
      return alreadySent(result.send.id);
    case 'refused':
      return `${result.what} ${result.next}`;
  }
}

function refused(answer: SubmissionAnswer): Checked {
  return { state: 'refused', answer };
}

/** For what no single field is to blame for: under the first one, where it is seen. */
function refuseAll(view: OpenView, sentence: string): SubmissionAnswer {
  return errorAt('', sentence, view);
}

function errorAt(path: string, message: string, view: OpenView): SubmissionAnswer {
  return errors([{ path, message }], view);
}

function errors(issues: readonly Issue[], view: OpenView): SubmissionAnswer {
  return { response_action: 'errors', errors: { ...issuesToErrors(issues, view.blocks) } };
}
