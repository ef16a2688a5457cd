import type { Act, ActResult, SandboxChannel } from '../../protocol.ts';
import { validateMessage } from '../block-kit/index.ts';
import { directMessageWith } from '../channel-lookup.ts';
import { isEmojiName } from '../emoji-names.ts';
import type { WorkspaceParts } from '../parts.ts';
import { refusalCode } from '../responses.ts';
import type { StoredMessage } from '../state.ts';
import { typedText } from '../told-text.ts';

/** A person writes a message, shares files, or both. */
export function postAsPerson(parts: WorkspaceParts, act: Extract<Act, { type: 'post' }>): ActResult {
  const channel = parts.state.channels.get(act.channel);
  if (channel === undefined || !channel.memberIds.includes(act.as))
    return { ok: false, error: 'not_in_channel' };
  if (channel.isReadOnly)
    return { ok: false, error: 'restricted_action', message: 'There is no composer here.' };
  const files = (act.files ?? []).flatMap((id) => parts.files.share(id, channel.id) ?? []);
  if (files.length < (act.files?.length ?? 0)) return { ok: false, error: 'file_not_found' };
  const sharesFiles = files.length > 0;
  if (act.text.trim() === '' && !sharesFiles) return { ok: false, error: 'no_text' };
  const place = { channel, threadTs: act.thread_ts };
  const author = {
    user: act.as,
    ...(sharesFiles && { subtype: 'file_share' }),
    ...(parts.state.isStranger(act.as) && { otherTeam: parts.state.teamOf(act.as) }),
  };
  parts.messages.post(place, author, { text: typedText(act), ...(sharesFiles && { files }) });
  return { ok: true };
}

/**
 * Another app posts, as alerting systems do through an incoming webhook: Slack then names the bot alone, and only
 * bots.info tells whose it is.
 */
export function postAsOtherApp(parts: WorkspaceParts, act: Extract<Act, { type: 'app_post' }>): ActResult {
  const app = parts.state.otherApps.get(act.appId);
  const channel = parts.state.channels.get(act.channel);
  if (app === undefined) return { ok: false, error: 'unknown_app' };
  if (channel === undefined) return { ok: false, error: 'channel_not_found' };
  const problems = validateMessage(act);
  if (problems.length > 0) return { ok: false, error: refusalCode(problems), message: problems.join('\n') };
  parts.messages.post(
    { channel },
    {
      bot_id: app.botId,
      username: app.name,
      subtype: 'bot_message',
      ...(act.team === undefined ? {} : { otherTeam: act.team }),
    },
    { text: act.text, blocks: act.blocks, attachments: act.attachments },
  );
  return { ok: true };
}

/** A person edits a message of their own. */
export function editAsPerson(parts: WorkspaceParts, act: Extract<Act, { type: 'edit' }>): ActResult {
  const place = messageFor(parts, act);
  if ('ok' in place) return place;
  if (place.message.user !== act.as) return { ok: false, error: 'cant_update_message' };
  if (act.text.trim() === '' && place.message.files === undefined) return { ok: false, error: 'no_text' };
  parts.messages.update(place.channel, place.message, { text: typedText(act) });
  return { ok: true };
}

/** A person puts an emoji on a message, or takes their own off again. */
export function reactAsPerson(parts: WorkspaceParts, act: Extract<Act, { type: 'react' }>): ActResult {
  const place = messageFor(parts, act);
  if ('ok' in place) return place;
  if (!isEmojiName(act.name)) return { ok: false, error: 'invalid_name' };
  const isAdded = act.isTakenBack !== true;
  const isNew = parts.messages.react(place.channel, place.message, { user: act.as, name: act.name, isAdded });
  return isNew ? { ok: true } : { ok: false, error: isAdded ? 'already_reacted' : 'no_reaction' };
}

/** Another app edits its message, as chat.update does. */
export function editAsOtherApp(parts: WorkspaceParts, act: Extract<Act, { type: 'app_edit' }>): ActResult {
  const channel = parts.state.channels.get(act.channel);
  const message = parts.state.findMessage(act.channel, act.ts);
  if (channel === undefined || message === undefined) return { ok: false, error: 'message_not_found' };
  if (message.bot_id !== parts.state.otherApps.get(act.appId)?.botId)
    return { ok: false, error: 'cant_update_message' };
  const problems = validateMessage(act);
  if (problems.length > 0) return { ok: false, error: refusalCode(problems), message: problems.join('\n') };
  const { text, blocks, attachments } = act;
  parts.messages.update(channel, message, { ...(text === undefined ? {} : { text }), blocks, attachments });
  return { ok: true };
}

/** A message that a person can see, with its channel. */
function messageFor(
  { state }: WorkspaceParts,
  { as, channel: id, ts }: { as: string; channel: string; ts: string },
): { channel: SandboxChannel; message: StoredMessage } | Extract<ActResult, { ok: false }> {
  const channel = state.channels.get(id);
  if (channel === undefined || !channel.memberIds.includes(as)) return { ok: false, error: 'not_in_channel' };
  const message = state.findMessage(id, ts);
  if (message === undefined || message.ephemeralFor !== undefined)
    return { ok: false, error: 'message_not_found' };
  return { channel, message };
}

/** A person opens the app's Home tab. */
export function openHome(parts: WorkspaceParts, act: Extract<Act, { type: 'home_opened' }>): ActResult {
  const channel = directMessageWith(parts.state, act.as);
  if (channel === undefined) return { ok: false, error: 'user_not_found' };
  parts.events.homeOpened(act.as, channel.id);
  return { ok: true };
}
