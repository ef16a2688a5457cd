import type { Act, ActResult } from '../../protocol.ts';
import { channelNameInPayload } from '../channel-lookup.ts';
import { withEmojiNames } from '../emoji-names.ts';
import { VERIFICATION_TOKEN } from '../events.ts';
import type { WorkspaceParts } from '../parts.ts';
import { applyResponse } from '../responses.ts';
import { APP, BRANCH, TEAM } from '../seed.ts';
import { typedText } from '../told-text.ts';
import { responseUrl } from './payload.ts';

/**
 * A slash command. The acknowledgement may carry a message, ephemeral unless it says otherwise.
 * Source: https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export async function runCommand(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'command' }>,
): Promise<ActResult> {
  const channel = parts.state.channels.get(act.channel);
  if (channel === undefined || !channel.memberIds.includes(act.as))
    return { ok: false, error: 'not_in_channel' };
  if (channel.isReadOnly)
    return { ok: false, error: 'restricted_action', message: 'There is no composer here.' };
  // Commands of an app are not offered to people of other companies.
  const isStranger = parts.state.isStranger(act.as);
  const command = parts.state.manifest.commands.find((entry) => entry.command === act.command);
  if (isStranger || command === undefined) {
    const message = `${act.command} is not a valid command.`;
    return { ok: false, error: 'unknown_command', message };
  }
  const { organisation } = parts.state;
  const text = typedText(act);
  const team = parts.state.teamOf(act.as) === BRANCH.id ? BRANCH : TEAM;
  const payload = {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    team_domain: team.domain,
    ...(organisation && { enterprise_id: organisation.id, enterprise_name: organisation.name }),
    channel_id: channel.id,
    channel_name: channelNameInPayload(channel),
    user_id: act.as,
    user_name: parts.state.users.get(act.as)?.name ?? '',
    command: act.command,
    text: withEmojiNames(command.shouldEscape === true ? withIds(parts, text) : text),
    api_app_id: APP.id,
    is_enterprise_install: String(organisation?.isInstalled === true),
    response_url: responseUrl(parts, channel, act.as),
    trigger_id: parts.triggers.issue(act),
  };
  const result = await parts.delivery.deliver({ kind: 'slash_commands', payload });
  if (!result.ok) {
    const message = `${act.command} failed with the error "${result.error}". ${result.message}`;
    return { ok: false, error: result.error, message };
  }
  if (!hasContent(result.body)) return { ok: true };
  const applied = applyResponse(parts, { channel: channel.id, userId: act.as }, result.body);
  return applied.ok
    ? { ok: true }
    : { ok: false, error: applied.error, message: applied.problems.join('\n') };
}

/** `@asha` as `<@U0ASHA|asha>`, where there is such a person. */
function withIds(parts: WorkspaceParts, text: string): string {
  return text.replaceAll(/(?<![\w<])@([\w.-]+)/g, (typed, name: string) => {
    const user = [...parts.state.users.values()].find((one) => one.name === name);
    return user === undefined ? typed : `<@${user.id}|${name}>`;
  });
}

function hasContent(body: unknown): boolean {
  if (typeof body === 'string') return body !== '';
  return typeof body === 'object' && body !== null && Object.keys(body).length > 0;
}
