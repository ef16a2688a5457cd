import { z } from 'zod';
import { channelForApp, isBotIn } from '../channel-lookup.ts';
import { isEmojiName } from '../emoji-names.ts';
import { APP } from '../seed.ts';
import { type ApiMethod, apiError, apiMethod } from './method.ts';

/** What the app's bot puts on a message, or takes off it again. */
function react(isAdded: boolean): ApiMethod {
  return apiMethod({
    scopes: ['reactions:write'],
    args: z.object({
      channel: z.string().min(1),
      timestamp: z.string().min(1),
      name: z.string().min(1),
    }),
    run({ state, messages }, { channel: reference, timestamp, name }) {
      const channel = channelForApp(state, reference);
      if (!isEmojiName(name)) return apiError('invalid_name');
      if (channel === undefined) return apiError('channel_not_found');
      if (!isBotIn(channel)) return apiError('not_in_channel');
      const message = state.findMessage(channel.id, timestamp);
      if (message === undefined) return apiError('message_not_found');
      const isNew = messages.react(channel, message, { user: APP.botUserId, name, isAdded });
      return isNew ? { ok: true } : apiError(isAdded ? 'already_reacted' : 'no_reaction');
    },
  });
}

export const reactionMethods: Record<string, ApiMethod> = {
  'reactions.add': react(true),
  'reactions.remove': react(false),
};
