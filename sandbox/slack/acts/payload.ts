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
    ...installedFor(parts),
    user: {
      id: userId,
      username: user?.name ?? '',
      name: user?.name ?? '',
      team_id: parts.state.teamOf(userId),
    },
  };
}

/**
 * An app that is installed for a whole organisation is told no workspace but the person's, as in the captures of
 * https://github.com/slackapi/bolt-python/blob/main/tests/slack_bolt/request/test_request.py
 */
function installedFor(parts: WorkspaceParts): Json {
  const { organisation } = parts.state;
  const isInstalled = organisation?.isInstalled === true;
  return {
    team: isInstalled ? null : { id: TEAM.id, domain: TEAM.domain },
    enterprise: organisation && { id: organisation.id, name: organisation.name },
    is_enterprise_install: isInstalled,
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
