import type { SandboxChannel } from '../../protocol.ts';
import type { Json } from '../block-identity.ts';
import { channelNameInPayload } from '../channel-lookup.ts';
import { VERIFICATION_TOKEN } from '../events.ts';
import type { WorkspaceParts } from '../parts.ts';
import { APP, TEAM } from '../seed.ts';
import type { StoredMessage } from '../state.ts';

/** The fields that every interaction payload has. */
export function commonFields(parts: WorkspaceParts, type: string, userId: string): Json {
  const user = parts.state.users.get(userId);
  return {
    type,
    token: VERIFICATION_TOKEN,
    api_app_id: APP.id,
    team: { id: TEAM.id, domain: TEAM.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: userId, username: user?.name ?? '', name: user?.name ?? '', team_id: TEAM.id },
  };
}

export function channelFields(channel: SandboxChannel): Json {
  return { id: channel.id, name: channelNameInPayload(channel) };
}

export function responseUrl(
  parts: WorkspaceParts,
  channel: SandboxChannel,
  userId: string,
  message?: StoredMessage,
): string {
  const token = parts.responseUrls.issue({
    channel: channel.id,
    userId,
    ...(message === undefined ? {} : { messageTs: message.ts }),
    ...(message?.thread_ts === undefined ? {} : { threadTs: message.thread_ts }),
  });
  return `${parts.origin()}/response/${token}`;
}

/** A moment as interaction payloads write it, seconds with six decimals. */
export function actionTs(parts: WorkspaceParts): string {
  return (parts.clock.now() / 1000).toFixed(6);
}
