import type { Act, ActResult, SandboxChannel, StateValues } from '../../protocol.ts';
import { messageShape, viewShape } from '../api-shapes.ts';
import { asList, asObject, elementsOf, flattenBlocks, type Json } from '../block-identity.ts';
import { validateSuggestion } from '../block-kit/index.ts';
import type { WorkspaceParts } from '../parts.ts';
import { APP } from '../seed.ts';
import type { StoredMessage, StoredView } from '../state.ts';
import { toldBlocks } from '../told-text.ts';
import { stateOf } from '../view-state.ts';
import { actionTs, channelFields, commonFields, responseUrl } from './payload.ts';

/** External menus ask from the third character on, unless they say otherwise. */
const MIN_QUERY_LENGTH = 3;

type ElementAct = Extract<Act, { type: 'block_action' | 'suggestion' }>;

/** The place an element stands in, and the element itself. */
interface Place {
  element: Json;
  blocks: readonly unknown[];
  view: StoredView | null;
  message: { channel: SandboxChannel; message: StoredMessage } | null;
}

/**
 * A click on a button, a choice in a menu, a dispatching key stroke.
 * Source: https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
 */
export async function actOnElement(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'block_action' }>,
): Promise<ActResult> {
  const place = findPlace(parts, act);
  if (place === null) return notThere();
  const held = holdState(parts, place, act.state ?? {});
  const payload = {
    ...commonFields(parts, 'block_actions', act.as),
    ...contextFields(place, held.view),
    trigger_id: parts.triggers.issue(act, place.view?.id ?? null),
    ...(place.message === null
      ? {}
      : {
          state: { values: held.values },
          response_url: responseUrl(parts, place.message.channel, act.as, place.message.message),
        }),
    actions: [actionOf(parts, act, place.element)],
  };
  const result = await parts.delivery.deliver({ kind: 'interactive', payload });
  return result.ok ? { ok: true } : result;
}

/**
 * What an external menu offers for the letters typed so far. Options Slack would not show are a dispatch_failed
 * that says why.
 * Source: https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
 */
export async function suggestOptions(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'suggestion' }>,
): Promise<ActResult> {
  const place = findPlace(parts, act);
  if (place === null) return notThere();
  const min = Number(place.element.min_query_length ?? MIN_QUERY_LENGTH);
  if (act.value.length < min) return { ok: true, options: [] };
  const payload = {
    ...commonFields(parts, 'block_suggestion', act.as),
    ...contextFields(place, place.view),
    action_id: act.actionId,
    block_id: act.blockId,
    value: act.value,
  };
  const result = await parts.delivery.deliver({ kind: 'interactive', payload });
  if (!result.ok) return result;
  const problems = validateSuggestion(result.body ?? {});
  if (problems.length > 0) return { ok: false, error: 'dispatch_failed', message: problems.join('\n') };
  const { options, option_groups: groups } = asObject(result.body);
  return groups === undefined
    ? { ok: true, options: asList(options) }
    : { ok: true, option_groups: asList(groups) };
}

function notThere(): ActResult {
  return { ok: false, error: 'not_found', message: 'That is no longer on the screen.' };
}

function findPlace(parts: WorkspaceParts, act: ElementAct): Place | null {
  const container = act.container;
  if (container.type === 'view') {
    const found = parts.views.find(container.viewId);
    if (found === undefined || found.userId !== act.as) return null;
    const element = findElement(found.view.blocks, act);
    return element && { element, blocks: found.view.blocks, view: found.view, message: null };
  }
  const channel = parts.state.channels.get(container.channel);
  const message = parts.state.findMessage(container.channel, container.ts);
  if (channel === undefined || message === undefined || !channel.memberIds.includes(act.as)) return null;
  if (message.ephemeralFor !== undefined && message.ephemeralFor !== act.as) return null;
  // An element of another app's message is that app's business.
  if (message.app_id !== APP.id) return null;
  const inAttachments = asList(message.attachments).flatMap((attachment) =>
    asList(asObject(attachment).blocks),
  );
  const blocks = [...asList(message.blocks), ...inAttachments];
  const element = findElement(blocks, act);
  return element && { element, blocks, view: null, message: { channel, message } };
}

function findElement(blocks: readonly unknown[], act: ElementAct): Json | null {
  const candidates = flattenBlocks(blocks).filter((block) => block.block_id === act.blockId);
  // A card of a carousel has its own block_id.
  const cards = flattenBlocks(blocks)
    .flatMap((block) => (block.type === 'carousel' ? asList(block.elements).map(asObject) : []))
    .filter((card) => card.block_id === act.blockId);
  const elements = [...candidates, ...cards].flatMap(elementsOf);
  return elements.find((element) => element.action_id === act.actionId) ?? null;
}

function holdState(
  parts: WorkspaceParts,
  place: Place,
  state: StateValues,
): { view: StoredView | null; values: StateValues } {
  if (place.view === null) return { view: null, values: stateOf(place.blocks, state) };
  const view = parts.views.hold(place.view, state);
  return { view, values: view.state.values };
}

function contextFields(place: Place, view: StoredView | null): Json {
  if (place.message === null) {
    if (view === null) return {};
    return { container: { type: 'view', view_id: view.id }, view: viewShape(view) };
  }
  const { channel, message } = place.message;
  const isEphemeral = message.ephemeralFor !== undefined;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
    },
    channel: channelFields(channel),
    // Slack does not repeat an ephemeral message to the app: it never stored it.
    ...(isEphemeral ? {} : { message: messageShape(message) }),
  };
}

/** The entry of `actions`: what the element itself says, and what the person chose in it. */
function actionOf(parts: WorkspaceParts, act: Extract<Act, { type: 'block_action' }>, element: Json): Json {
  const own = {
    type: element.type,
    action_id: act.actionId,
    block_id: act.blockId,
    action_ts: actionTs(parts),
  };
  if (element.type === 'button') {
    return {
      ...own,
      text: toldBlocks(element.text),
      ...(element.value === undefined ? {} : { value: element.value }),
      ...(element.style === undefined ? {} : { style: element.style }),
      ...(element.url === undefined ? {} : { url: element.url }),
    };
  }
  const placeholder = element.placeholder === undefined ? {} : { placeholder: element.placeholder };
  return { ...act.value, ...placeholder, ...own };
}
