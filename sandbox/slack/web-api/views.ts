import { z } from 'zod';
import { viewShape } from '../api-shapes.ts';
import type { ViewResult } from '../views.ts';
import { type ApiAnswer, type ApiMethod, apiError, apiMethod, jsonArgument, refusal } from './method.ts';

const view = jsonArgument(z.record(z.string(), z.unknown()));

function answer(result: ViewResult): ApiAnswer {
  if (result.ok) return { ok: true, view: viewShape(result.view) };
  return result.problems === undefined ? apiError(result.error) : refusal(result.error, result.problems);
}

const open = apiMethod({
  args: z.object({ trigger_id: z.string().min(1), view }),
  run(parts, args) {
    const refused = parts.views.refusal(args.view, 'modal');
    if (refused !== null) return answer(refused);
    const trigger = parts.triggers.inspect(args.trigger_id);
    if (typeof trigger === 'string') return apiError(trigger);
    const result = parts.views.push(trigger, args.view, null);
    if (result.ok) parts.triggers.use(args.trigger_id);
    return answer(result);
  },
});

const push = apiMethod({
  args: z.object({ trigger_id: z.string().min(1), view }),
  run(parts, args) {
    const refused = parts.views.refusal(args.view, 'modal');
    if (refused !== null) return answer(refused);
    const trigger = parts.triggers.inspect(args.trigger_id);
    if (typeof trigger === 'string') return apiError(trigger);
    const below = trigger.viewId === null ? undefined : parts.views.find(trigger.viewId);
    if (below === undefined || below.view.type !== 'modal') return apiError('not_found');
    const result = parts.views.push(trigger, args.view, below.view);
    if (result.ok) parts.triggers.use(args.trigger_id);
    return answer(result);
  },
});

const update = apiMethod({
  args: z.object({
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
    view,
  }),
  run(parts, args) {
    if (args.view_id === undefined && args.external_id === undefined) {
      return refusal('invalid_arguments', ['missing required field: view_id or external_id']);
    }
    const viewId = args.view_id ?? parts.views.findByExternalId(args.external_id ?? '')?.view.id;
    return viewId === undefined
      ? apiError('not_found')
      : answer(parts.views.update(viewId, args.view, args.hash));
  },
});

const publish = apiMethod({
  args: z.object({ user_id: z.string().min(1), hash: z.string().optional(), view }),
  run(parts, args) {
    const user = parts.state.users.get(args.user_id);
    if (user === undefined || user.isBot) return apiError('user_not_found');
    return answer(parts.views.publish(user.id, args.view, args.hash));
  },
});

export const viewMethods: Record<string, ApiMethod> = {
  'views.open': open,
  'views.publish': publish,
  'views.push': push,
  'views.update': update,
};
