import { z } from 'zod';
import type { SandboxChannel } from '../../protocol.ts';
import { channelShape, messageShape } from '../api-shapes.ts';
import { channelForApp, directMessageWith, isBotIn } from '../channel-lookup.ts';
import { TEAM } from '../seed.ts';
import type { StoredMessage } from '../state.ts';
import { type ApiMethod, apiError, apiMethod, booleanArgument, pageArguments, pageOf } from './method.ts';

const READ_CHANNELS = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const READ_HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

const info = apiMethod({
  scopes: READ_CHANNELS,
  args: z.object({
    channel: z.string().min(1),
    include_num_members: booleanArgument.optional(),
    include_locale: booleanArgument.optional(),
  }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    return channel === undefined
      ? apiError('channel_not_found')
      : { ok: true, channel: channelShape(channel) };
  },
});

const list = apiMethod({
  scopes: READ_CHANNELS,
  args: z.object({
    types: z.string().default('public_channel'),
    exclude_archived: booleanArgument.optional(),
    team_id: z.string().optional(),
    ...pageArguments,
  }),
  run(parts, args) {
    const types = args.types.split(',').map((type) => type.trim());
    const visible = [...parts.state.channels.values()].filter(
      (channel) => types.includes(typeOf(channel)) && (!channel.isPrivate || isBotIn(channel)),
    );
    const paged = pageOf(visible, args);
    if (paged === null) return apiError('invalid_cursor');
    const channels = paged.page.map(channelShape);
    return { ok: true, channels, response_metadata: { next_cursor: paged.nextCursor } };
  },
});

function typeOf(channel: SandboxChannel): string {
  if (channel.kind === 'im') return 'im';
  return channel.isPrivate ? 'private_channel' : 'public_channel';
}

const members = apiMethod({
  scopes: READ_CHANNELS,
  args: z.object({ channel: z.string().min(1), ...pageArguments }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    const paged = pageOf(channel.memberIds, args);
    if (paged === null) return apiError('invalid_cursor');
    return { ok: true, members: paged.page, response_metadata: { next_cursor: paged.nextCursor } };
  },
});

const open = apiMethod({
  scopes: ['im:write', 'mpim:write'],
  args: z.object({
    users: z.string().optional(),
    channel: z.string().optional(),
    return_im: booleanArgument.optional(),
    prevent_creation: booleanArgument.optional(),
  }),
  run(parts, args) {
    const users = args.users?.split(',').map((user) => user.trim()) ?? [];
    if (users.length === 0 && args.channel === undefined) return apiError('users_list_not_supplied');
    if (users.length > 1) return apiError('too_many_users');
    const user = users[0];
    if (user !== undefined && !parts.state.users.has(user)) return apiError('user_not_found');
    const channel =
      user === undefined
        ? channelForApp(parts.state, args.channel ?? '')
        : directMessageWith(parts.state, user);
    if (channel === undefined) return apiError(user === undefined ? 'channel_not_found' : 'cannot_dm_bot');
    return {
      ok: true,
      no_op: true,
      already_open: true,
      channel: args.return_im ? channelShape(channel) : { id: channel.id, context_team_id: TEAM.id },
    };
  },
});

const range = {
  channel: z.string().min(1),
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: booleanArgument.optional(),
  include_all_metadata: booleanArgument.optional(),
  ...pageArguments,
};

function isWithin(
  message: StoredMessage,
  args: { oldest?: string | undefined; latest?: string | undefined; inclusive?: boolean | undefined },
): boolean {
  const ts = Number(message.ts);
  const oldest = Number(args.oldest ?? 0);
  const latest = Number(args.latest ?? Number.POSITIVE_INFINITY);
  if (ts === oldest || ts === latest) return args.inclusive === true;
  return ts > oldest && ts < latest;
}

const history = apiMethod({
  scopes: READ_HISTORY,
  args: z.object(range),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    if (!isBotIn(channel)) return apiError('not_in_channel');
    const shown = parts.state
      .messagesIn(channel.id)
      .filter((message) => message.ephemeralFor === undefined && message.thread_ts === undefined)
      .filter((message) => isWithin(message, args))
      .toReversed();
    const paged = pageOf(shown, args);
    if (paged === null) return apiError('invalid_cursor');
    return {
      ok: true,
      messages: paged.page.map(messageShape),
      has_more: paged.nextCursor !== '',
      pin_count: 0,
      response_metadata: { next_cursor: paged.nextCursor },
    };
  },
});

const replies = apiMethod({
  scopes: READ_HISTORY,
  args: z.object({ ...range, ts: z.string().min(1) }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    if (!isBotIn(channel)) return apiError('not_in_channel');
    const named = parts.state.findMessage(channel.id, args.ts);
    if (named === undefined || named.ephemeralFor !== undefined) return apiError('thread_not_found');
    const rootTs = named.thread_ts ?? named.ts;
    const thread = parts.state
      .messagesIn(channel.id)
      .filter((message) => message.ephemeralFor === undefined)
      .filter(
        (message) => message.ts === rootTs || (message.thread_ts === rootTs && isWithin(message, args)),
      );
    const paged = pageOf(thread, args);
    if (paged === null) return apiError('invalid_cursor');
    return {
      ok: true,
      messages: paged.page.map(messageShape),
      has_more: paged.nextCursor !== '',
      response_metadata: { next_cursor: paged.nextCursor },
    };
  },
});

export const conversationMethods: Record<string, ApiMethod> = {
  'conversations.history': history,
  'conversations.info': info,
  'conversations.list': list,
  'conversations.members': members,
  'conversations.open': open,
  'conversations.replies': replies,
};
