import type { Act, ActResult } from '../../protocol.ts';
import { messageShape } from '../api-shapes.ts';
import type { WorkspaceParts } from '../parts.ts';
import { actionTs, channelFields, commonFields, responseUrl } from './payload.ts';

/** Shortcuts, from the lightning menu and from a message's menu. Source: https://docs.slack.dev/interactivity/implementing-shortcuts */
export async function runGlobalShortcut(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'shortcut' }>,
): Promise<ActResult> {
  if (!isRegistered(parts, act.callbackId, 'global')) return unknownShortcut();
  const payload = {
    ...commonFields(parts, 'shortcut', act.as),
    callback_id: act.callbackId,
    trigger_id: parts.triggers.issue(act),
    action_ts: actionTs(parts),
  };
  const result = await parts.delivery.deliver({ kind: 'interactive', payload });
  return result.ok ? { ok: true } : result;
}

export async function runMessageShortcut(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'message_shortcut' }>,
): Promise<ActResult> {
  if (!isRegistered(parts, act.callbackId, 'message')) return unknownShortcut();
  const channel = parts.state.channels.get(act.channel);
  const message = parts.state.findMessage(act.channel, act.ts);
  if (channel === undefined || message === undefined || !channel.memberIds.includes(act.as)) {
    return { ok: false, error: 'message_not_found' };
  }
  const payload = {
    ...commonFields(parts, 'message_action', act.as),
    callback_id: act.callbackId,
    trigger_id: parts.triggers.issue(act),
    action_ts: actionTs(parts),
    response_url: responseUrl(parts, channel, act.as, message),
    message_ts: message.ts,
    channel: channelFields(channel),
    message: messageShape(message),
  };
  const result = await parts.delivery.deliver({ kind: 'interactive', payload });
  return result.ok ? { ok: true } : result;
}

function isRegistered(parts: WorkspaceParts, callbackId: string, type: 'global' | 'message'): boolean {
  return parts.state.manifest.shortcuts.some(
    (entry) => entry.callbackId === callbackId && entry.type === type,
  );
}

function unknownShortcut(): ActResult {
  return { ok: false, error: 'unknown_shortcut', message: 'The app has no such shortcut.' };
}
