import { z } from 'zod';
import type { Act, ActResult, StateValues } from '../../protocol.ts';
import { viewShape } from '../api-shapes.ts';
import { flattenBlocks, type Json } from '../block-identity.ts';
import type { WorkspaceParts } from '../parts.ts';
import type { StoredView } from '../state.ts';
import { clientErrors } from '../view-checks.ts';
import { heldValue, statefulElements } from '../view-state.ts';
import type { ViewResult } from '../views.ts';
import { commonFields, responseUrl } from './payload.ts';

/** What the acknowledgement of a submission may ask for. */
const submissionAnswer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
]);

/**
 * Submitting a modal: Slack's client checks first, then the app is asked, then its answer is carried out.
 * Source: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
 */
export async function submitView(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'view_submission' }>,
): Promise<ActResult> {
  const view = openView(parts, act.as, act.viewId);
  if (view === null) return notOpen();
  const held = parts.views.hold(view, withWholeFiles(parts, view, act.state));
  const errors = clientErrors(held.blocks, held.state.values);
  if (Object.keys(errors).length > 0) return { ok: false, error: 'view_errors', errors };
  const payload = {
    ...commonFields(parts, 'view_submission', act.as),
    trigger_id: parts.triggers.issue(act, view.id),
    view: viewShape(held),
    response_urls: responseUrlsOf(parts, held, act.as),
  };
  const result = await parts.delivery.deliver({ kind: 'interactive', payload });
  if (!result.ok) return result;
  // The app may have changed the view before it answered; the answer is about what is shown now.
  return carryOut(parts, act.as, openView(parts, act.as, view.id) ?? held, result.body);
}

/** Closing a modal by its close button, or the whole stack by its cross (`clearAll`). */
export async function closeView(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'view_closed' }>,
): Promise<ActResult> {
  const view = openView(parts, act.as, act.viewId);
  if (view === null) return notOpen();
  const clears = act.clearAll === true || view.clear_on_close;
  const closing = clears
    ? parts.state
        .stackOf(act.as)
        .filter(({ tab }) => tab === view.tab)
        .reverse()
    : [view];
  if (clears) parts.views.clear(act.as, view.tab);
  else parts.views.close(act.as, view.id);
  const told = closing.filter((candidate) => candidate.notify_on_close);
  const results = await Promise.all(
    told.map((candidate) => {
      const payload = {
        ...commonFields(parts, 'view_closed', act.as),
        view: viewShape(candidate),
        is_cleared: clears,
      };
      return parts.delivery.deliver({ kind: 'interactive', payload });
    }),
  );
  return results.find((result) => !result.ok) ?? { ok: true };
}

function openView(parts: WorkspaceParts, userId: string, viewId: string): StoredView | null {
  return parts.state.stackOf(userId).find((view) => view.id === viewId) ?? null;
}

function notOpen(): ActResult {
  return { ok: false, error: 'not_found', message: 'That form is no longer open.' };
}

function carryOut(parts: WorkspaceParts, userId: string, view: StoredView, body: unknown): ActResult {
  if (isEmptyAnswer(body)) {
    parts.views.close(userId, view.id);
    return { ok: true };
  }
  const parsed = submissionAnswer.safeParse(body);
  if (!parsed.success)
    return refused(`The app's answer makes no sense here: ${z.prettifyError(parsed.error)}`);
  const answer = parsed.data;
  switch (answer.response_action) {
    case 'clear':
      parts.views.clear(userId, view.tab);
      return { ok: true };
    case 'update':
      return fromViewResult(parts.views.update(view.id, answer.view));
    case 'push':
      return fromViewResult(parts.views.push({ userId, tab: view.tab }, answer.view, view));
    case 'errors':
      return showErrors(view, answer.errors);
  }
}

/** Errors stand under input blocks; Slack shows none of them when one names anything else. */
function showErrors(view: StoredView, errors: Record<string, string>): ActResult {
  const inputs = new Set(
    flattenBlocks(view.blocks)
      .filter((block) => block.type === 'input')
      .map((block) => block.block_id),
  );
  const strangers = Object.keys(errors).filter((blockId) => !inputs.has(blockId));
  if (strangers.length > 0) return refused(`errors name no input block: ${strangers.join(', ')}`);
  if (Object.keys(errors).length === 0) return refused('errors is empty');
  return { ok: false, error: 'view_errors', errors };
}

function fromViewResult(result: ViewResult): ActResult {
  return result.ok ? { ok: true } : refused([result.error, ...(result.problems ?? [])].join('\n'));
}

/** Slack's client shows only "We had some trouble connecting"; here the reason is told too. */
function refused(message: string): ActResult {
  return { ok: false, error: 'dispatch_failed', message };
}

function isEmptyAnswer(body: unknown): boolean {
  if (body === undefined || body === null || body === '') return true;
  return typeof body === 'object' && Object.keys(body).length === 0;
}

/** The page names files by id; the app gets Slack's whole file objects. */
function withWholeFiles(parts: WorkspaceParts, view: StoredView, state: StateValues): StateValues {
  const values = structuredClone(state);
  for (const input of statefulElements(view.blocks)) {
    const row = values[input.blockId];
    if (input.type !== 'file_input' || row?.[input.actionId] === undefined) continue;
    row[input.actionId] = { type: 'file_input', files: parts.files.describe(heldValue(input, values)) };
  }
  return values;
}

/** One response_url for each conversation menu that asked for it. */
function responseUrlsOf(parts: WorkspaceParts, view: StoredView, userId: string): Json[] {
  return statefulElements(view.blocks).flatMap((input) => {
    if (input.element.response_url_enabled !== true) return [];
    const channel = parts.state.channels.get(String(heldValue(input, view.state.values)));
    if (channel === undefined) return [];
    return [
      {
        block_id: input.blockId,
        action_id: input.actionId,
        channel_id: channel.id,
        response_url: responseUrl(parts, channel, userId),
      },
    ];
  });
}
