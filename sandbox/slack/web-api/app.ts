import { z } from 'zod';
import { APP, TEAM } from '../seed.ts';
import { type ApiMethod, apiMethod } from './method.ts';

const apiTest = apiMethod({
  token: 'none',
  args: z.looseObject({ error: z.string().optional() }),
  run(_parts, args) {
    return args.error === undefined ? { ok: true, args } : { ok: false, error: args.error, args };
  },
});

const authTest = apiMethod({
  args: z.object({}),
  run(parts) {
    const { organisation } = parts.state;
    const isInstalled = organisation?.isInstalled === true;
    return {
      ok: true,
      url: `https://${TEAM.domain}${isInstalled ? '.enterprise' : ''}.slack.com/`,
      team: isInstalled ? organisation.name : TEAM.name,
      user: parts.state.users.get(APP.botUserId)?.name,
      team_id: isInstalled ? organisation.id : TEAM.id,
      ...(organisation && { enterprise_id: organisation.id }),
      user_id: APP.botUserId,
      bot_id: APP.botId,
      app_id: APP.id,
      is_enterprise_install: isInstalled,
    };
  },
});

const openConnection = apiMethod({
  token: 'app',
  args: z.object({}),
  run(parts) {
    const ticket = parts.socketMode.issueTicket();
    const url = `${parts.origin().replace(/^http/, 'ws')}/socket?ticket=${ticket}&app_id=${APP.id}`;
    // The call succeeds even while Socket Mode is off; only this tells.
    const messages = parts.socketMode.isOn ? [] : ['[WARN] Socket Mode is not turned on.'];
    return { ok: true, url, ...(messages.length > 0 && { response_metadata: { messages } }) };
  },
});

export const appMethods: Record<string, ApiMethod> = {
  'api.test': apiTest,
  'apps.connections.open': openConnection,
  'auth.test': authTest,
};
