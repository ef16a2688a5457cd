import { z } from 'zod';
import { channelForApp, isBotIn } from '../channel-lookup.ts';
import { APP } from '../seed.ts';
import { type ApiMethod, apiError, apiMethod } from './method.ts';

/** What the app's bot puts on a message, or takes off it again. */
function react(isAdded: boolean): ApiMethod {
  return apiMethod({
    scopes: ['reactions:write'],
    args: z.object({
      channel: z.string().min(1),
      timestamp: z.string().min(1),
      name: z.string().regex(/^[a-z0-9_+'-]+$/),
    }),
    run({ state }, { channel: reference, timestamp, name }) {
      const channel = channelForApp(state, reference);
      if (channel === undefined) return apiError('channel_not_found');
      if (!isBotIn(channel)) return apiError('not_in_channel');
      const message = state.findMessage(channel.id, timestamp);
      if (message === undefined) return apiError('message_not_found');
      const before = message.reactions ?? [];
      const isThere = before.some((one) => one.name === name && one.users.includes(APP.botUserId));
      if (isThere === isAdded) return apiError(isAdded ? 'already_reacted' : 'no_reaction');
      const others = before.filter((one) => one.name !== name);
      const reactions = isAdded ? [...others, { name, users: [APP.botUserId] }] : others;
      state.putMessage({ ...message, reactions });
      return { ok: true };
    },
  });
}

export const reactionMethods: Record<string, ApiMethod> = {
  'reactions.add': react(true),
  'reactions.remove': react(false),
};
