import { z } from 'zod';
import { validateMessage, validateView } from '../block-kit/index.ts';
import { APP, TEAM } from '../seed.ts';
import { type ApiAnswer, type ApiMethod, apiMethod, jsonArgument, refusal } from './method.ts';

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

/** Of `blocks`, `message` and `view` exactly one. Source: https://docs.slack.dev/reference/methods/blocks.validate */
const validateBlocks = apiMethod({
  args: z.object({
    blocks: jsonArgument(z.unknown()).optional(),
    message: jsonArgument(z.unknown()).optional(),
    view: jsonArgument(z.unknown()).optional(),
  }),
  run(_parts, { blocks, message, view }) {
    if ([blocks, message, view].filter((one) => one !== undefined).length !== 1)
      return refusal('invalid_arguments', ['provide exactly one of blocks, view, or message']);
    if (view !== undefined) return judged('invalid_view', validateView(view));
    if (blocks !== undefined) return judged('invalid_blocks', validateMessage({ blocks }));
    return judged('invalid_message', validateMessage(message));
  },
});

function judged(error: string, problems: readonly string[]): ApiAnswer {
  return problems.length === 0 ? { ok: true } : refusal(error, problems);
}

export const appMethods: Record<string, ApiMethod> = {
  'api.test': apiTest,
  'apps.connections.open': openConnection,
  'auth.test': authTest,
  'blocks.validate': validateBlocks,
};
