import type { SandboxChannel, SandboxUser } from '../protocol.ts';
import type { Json } from './block-identity.ts';
import { withEmojiNames } from './emoji-names.ts';
import { APP, type Organisation, PARTNER, TEAM, type UserGroup } from './seed.ts';
import type { StoredFile, StoredMessage, StoredView } from './state.ts';
import { richTextOf, toldAttachment, toldBlocks } from './told-text.ts';

/** How Slack's API and payloads show what the workspace holds. */

export function messageShape(message: StoredMessage): Json {
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    ...(message.user === undefined ? {} : { user: message.user }),
    ...(message.bot_id === undefined ? {} : { bot_id: message.bot_id }),
    ...(message.app_id === undefined ? {} : { app_id: message.app_id }),
    ...(message.username === undefined ? {} : { username: message.username }),
    ts: message.ts,
    text: withEmojiNames(message.text),
    ...(isPersons(message) ? { client_msg_id: clientMessageId(message.ts) } : {}),
    // Of classic bots and webhooks Slack says no more than the bot.
    ...(message.subtype === 'bot_message' ? {} : teamsOf(message)),
    ...blocksOf(message),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments.map(toldAttachment) }),
    ...(message.files === undefined ? {} : { files: message.files.map(fileShape) }),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
    ...(message.reply_count === undefined ? {} : { reply_count: message.reply_count, thread_ts: message.ts }),
    ...(message.edited === undefined
      ? {}
      : { edited: { user: message.bot_id ?? message.user, ts: message.edited.ts } }),
    ...(message.reactions?.length
      ? { reactions: message.reactions.map((one) => ({ ...one, count: one.users.length })) }
      : {}),
    ...(message.ephemeralFor === undefined ? {} : { is_ephemeral: true }),
  };
}

/** A person's client sends rich text along; what an app gave is told with its texts escaped. */
function blocksOf(message: StoredMessage): Json {
  if (message.blocks !== undefined) return { blocks: toldBlocks(message.blocks) };
  if (!isPersons(message) || message.text === '') return {};
  return { blocks: [richTextOf(message.text, `r${message.ts.slice(-4)}`)] };
}

/** Of a person of another company that is theirs, as in the captures of bolt-python's tests for Slack Connect. */
function teamsOf({ otherTeam }: StoredMessage): Json {
  if (otherTeam === undefined) return { team: TEAM.id };
  return { team: otherTeam, user_team: otherTeam, source_team: otherTeam, user_profile: { team: otherTeam } };
}

function isPersons({ user, bot_id }: StoredMessage): boolean {
  return user !== undefined && bot_id === undefined;
}

function clientMessageId(ts: string): string {
  return `00000000-0000-4000-8000-${ts.replace('.', '').slice(-12)}`;
}

export function viewShape(view: StoredView): Json {
  return {
    id: view.id,
    team_id: TEAM.id,
    type: view.type,
    blocks: toldBlocks(view.blocks),
    private_metadata: view.private_metadata,
    callback_id: view.callback_id,
    state: view.state,
    hash: view.hash,
    title: toldBlocks(view.title ?? null),
    clear_on_close: view.clear_on_close,
    notify_on_close: view.notify_on_close ?? false,
    close: toldBlocks(view.close ?? null),
    submit: toldBlocks(view.submit ?? null),
    previous_view_id: view.previous_view_id,
    root_view_id: view.root_view_id,
    app_id: APP.id,
    external_id: view.external_id,
    app_installed_team_id: TEAM.id,
    bot_id: APP.botId,
  };
}

/** In an organisation its people are told apart by `enterprise_user`. Source: https://docs.slack.dev/reference/objects/user-object */
export function userShape(user: SandboxUser, organisation: Organisation | null): Json {
  const team = user.team ?? TEAM.id;
  const isOfOrganisation = organisation !== null && team !== PARTNER.id;
  return {
    id: user.id,
    team_id: team,
    name: user.name,
    deleted: false,
    color: user.color.replace('#', ''),
    real_name: user.realName,
    tz: user.tz,
    tz_label: user.tz,
    tz_offset: offsetSeconds(user.tz),
    profile: {
      real_name: user.realName,
      display_name: user.name,
      real_name_normalized: user.realName,
      display_name_normalized: user.name,
      ...(user.isBot ? { api_app_id: APP.id, bot_id: APP.botId } : {}),
      team,
    },
    ...(team === PARTNER.id ? { is_stranger: true } : {}),
    ...(isOfOrganisation
      ? {
          enterprise_user: {
            id: user.id,
            enterprise_id: organisation.id,
            enterprise_name: organisation.name,
            teams: [team],
          },
        }
      : {}),
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: user.isGuest,
    is_ultra_restricted: user.isGuest,
    is_bot: user.isBot,
    is_app_user: false,
    updated: 0,
  };
}

export function channelShape(channel: SandboxChannel): Json {
  const isMember = channel.memberIds.includes(APP.botUserId);
  if (channel.kind === 'im') {
    return {
      id: channel.id,
      created: 0,
      is_im: true,
      is_org_shared: false,
      user: channel.userId,
      is_open: true,
    };
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: !channel.isPrivate,
    is_group: channel.isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate,
    is_archived: false,
    is_general: false,
    is_member: isMember,
    is_shared: channel.sharedWith !== undefined,
    is_ext_shared: channel.sharedWith !== undefined,
    is_org_shared: false,
    created: 0,
    creator: 'U0RAVI',
    context_team_id: TEAM.id,
    ...(channel.sharedWith && { shared_team_ids: [TEAM.id, ...channel.sharedWith] }),
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: channel.memberIds.length,
  };
}

export function userGroupShape(group: UserGroup, withUsers: boolean): Json {
  return {
    id: group.id,
    team_id: TEAM.id,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: '',
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: 0,
    auto_type: null,
    created_by: 'U0RAVI',
    updated_by: 'U0RAVI',
    deleted_by: null,
    prefs: { channels: [], groups: [] },
    user_count: group.userIds.length,
    ...(withUsers ? { users: group.userIds } : {}),
  };
}

export function fileShape(file: StoredFile): Json {
  const extension = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : '';
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extension.toLowerCase(),
    pretty_type: extension.toUpperCase(),
    user: file.user,
    user_team: TEAM.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: false,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: file.url_private_download,
    url_private_download: file.url_private_download,
    permalink: file.url_private_download,
    channels: file.channels,
    groups: [],
    ims: [],
    has_rich_preview: false,
    file_access: 'visible',
  };
}

/** How far a time zone is ahead of UTC now, in seconds, as users.info tells it. */
function offsetSeconds(timeZone: string): number {
  const now = new Date();
  const named = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const offset = named.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(offset);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}
