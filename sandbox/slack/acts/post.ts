import type { Act, ActResult } from '../../protocol.ts';
import { validateMessage } from '../block-kit/index.ts';
import { directMessageWith } from '../channel-lookup.ts';
import type { WorkspaceParts } from '../parts.ts';
import { refusalCode } from '../responses.ts';

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
  parts.messages.post(place, author, { text: act.text, ...(sharesFiles && { files }) });
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

/** A person opens the app's Home tab. */
export function openHome(parts: WorkspaceParts, act: Extract<Act, { type: 'home_opened' }>): ActResult {
  const channel = directMessageWith(parts.state, act.as);
  if (channel === undefined) return { ok: false, error: 'user_not_found' };
  parts.events.homeOpened(act.as, channel.id);
  return { ok: true };
}
