import { z } from 'zod';
import { userGroupShape, userShape } from '../api-shapes.ts';
import { APP } from '../seed.ts';
import { type ApiMethod, apiError, apiMethod, booleanArgument, pageArguments, pageOf } from './method.ts';

const userInfo = apiMethod({
  scopes: ['users:read'],
  args: z.object({ user: z.string().min(1), include_locale: booleanArgument.optional() }),
  run(parts, args) {
    const user = parts.state.users.get(args.user);
    return user === undefined
      ? apiError('user_not_found')
      : { ok: true, user: userShape(user, parts.state.organisation) };
  },
});

const userList = apiMethod({
  scopes: ['users:read'],
  args: z.object({
    include_locale: booleanArgument.optional(),
    team_id: z.string().optional(),
    ...pageArguments,
  }),
  run(parts, args) {
    const paged = pageOf([...parts.state.users.values()], args);
    if (paged === null) return apiError('invalid_cursor');
    return {
      ok: true,
      members: paged.page.map((user) => userShape(user, parts.state.organisation)),
      cache_ts: Math.floor(parts.clock.now() / 1000),
      response_metadata: { next_cursor: paged.nextCursor },
    };
  },
});

const botInfo = apiMethod({
  scopes: ['users:read'],
  args: z.object({ bot: z.string().min(1), team_id: z.string().optional() }),
  run(parts, args) {
    const other = [...parts.state.otherApps.values()].find((app) => app.botId === args.bot);
    if (args.bot !== APP.botId && other === undefined) return apiError('bot_not_found');
    const bot =
      other === undefined
        ? { id: APP.botId, app_id: APP.id, user_id: APP.botUserId, name: parts.state.manifest.name }
        : { id: other.botId, app_id: other.id, name: other.name };
    return { ok: true, bot: { deleted: false, updated: 0, ...bot, icons: {} } };
  },
});

const groupList = apiMethod({
  scopes: ['usergroups:read'],
  args: z.object({
    include_users: booleanArgument.optional(),
    include_count: booleanArgument.optional(),
    include_disabled: booleanArgument.optional(),
    team_id: z.string().optional(),
  }),
  run(parts, args) {
    const groups = [...parts.state.userGroups.values()];
    return {
      ok: true,
      usergroups: groups.map((group) => userGroupShape(group, args.include_users === true)),
    };
  },
});

const groupUsers = apiMethod({
  scopes: ['usergroups:read'],
  args: z.object({
    usergroup: z.string().min(1),
    include_disabled: booleanArgument.optional(),
    team_id: z.string().optional(),
  }),
  run(parts, args) {
    const group = parts.state.userGroups.get(args.usergroup);
    return group === undefined ? apiError('no_such_subteam') : { ok: true, users: [...group.userIds] };
  },
});

export const peopleMethods: Record<string, ApiMethod> = {
  'bots.info': botInfo,
  'usergroups.list': groupList,
  'usergroups.users.list': groupUsers,
  'users.info': userInfo,
  'users.list': userList,
};
