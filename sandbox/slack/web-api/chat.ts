import { z } from 'zod';
import type { SandboxChannel } from '../../protocol.ts';
import { messageShape } from '../api-shapes.ts';
import { validateMessage } from '../block-kit/index.ts';
import { channelForApp, isBotIn } from '../channel-lookup.ts';
import { APP_AUTHOR, type MessageContent } from '../messages.ts';
import type { WorkspaceParts } from '../parts.ts';
import { refusalCode } from '../responses.ts';
import { APP, TEAM } from '../seed.ts';
import type { StoredMessage } from '../state.ts';
import {
  type ApiAnswer,
  type ApiMethod,
  apiError,
  apiMethod,
  booleanArgument,
  jsonArgument,
  refusal,
} from './method.ts';

/** chat.update takes less text than chat.postMessage. */
const UPDATE_TEXT_MAX = 4000;

const content = {
  text: z.string().optional(),
  blocks: jsonArgument(z.array(z.unknown())).optional(),
  attachments: jsonArgument(z.array(z.unknown())).optional(),
};
const metadata = jsonArgument(
  z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }),
);

type Content = {
  text?: string | undefined;
  blocks?: unknown[] | undefined;
  attachments?: unknown[] | undefined;
};

/** The channel to speak in, or why the bot may not. */
function speakingIn(parts: WorkspaceParts, reference: string): SandboxChannel | ApiAnswer {
  const channel = channelForApp(parts.state, reference);
  if (channel === undefined) return apiError('channel_not_found');
  return isBotIn(channel) ? channel : apiError('not_in_channel');
}

function refusedContent(parts: WorkspaceParts, args: Content): ApiAnswer | null {
  const problems = [...validateMessage(args), ...slackFileProblems(parts, args.blocks)];
  return problems.length === 0 ? null : refusal(refusalCode(problems), problems);
}

const pictureInMessage = z.object({
  type: z.literal('image'),
  slack_file: z.object({ id: z.string() }),
});

/** Image blocks whose file is no picture of this workspace, or not known for one yet. */
function slackFileProblems(parts: WorkspaceParts, blocks: readonly unknown[] = []): string[] {
  return blocks.flatMap((block, index) => {
    const picture = pictureInMessage.safeParse(block);
    if (!picture.success || parts.files.isShowable(picture.data.slack_file.id)) return [];
    return [`invalid slack file [json-pointer:/blocks/${index}/slack_file]`];
  });
}

function contentOf(args: Content & { metadata?: unknown }): MessageContent {
  return {
    text: args.text ?? '',
    blocks: args.blocks,
    attachments: args.attachments,
    metadata: args.metadata,
  };
}

/** A thread can only hang on a message that is there for everyone. */
function threadProblem(parts: WorkspaceParts, channel: SandboxChannel, threadTs?: string): ApiAnswer | null {
  if (threadTs === undefined) return null;
  const root = parts.state.findMessage(channel.id, threadTs);
  return root === undefined || root.ephemeralFor !== undefined ? apiError('cannot_reply_to_message') : null;
}

const postMessage = apiMethod({
  scopes: ['chat:write'],
  args: z.object({
    channel: z.string().min(1),
    thread_ts: z.string().optional(),
    metadata: metadata.optional(),
    reply_broadcast: booleanArgument.optional(),
    unfurl_links: booleanArgument.optional(),
    unfurl_media: booleanArgument.optional(),
    mrkdwn: booleanArgument.optional(),
    ...content,
  }),
  run(parts, args) {
    const channel = speakingIn(parts, args.channel);
    if ('ok' in channel) return channel;
    const refused = refusedContent(parts, args) ?? threadProblem(parts, channel, args.thread_ts);
    if (refused !== null) return refused;
    const message = parts.messages.post({ channel, threadTs: args.thread_ts }, APP_AUTHOR, contentOf(args));
    return { ok: true, channel: channel.id, ts: message.ts, message: messageShape(message) };
  },
});

const postEphemeral = apiMethod({
  scopes: ['chat:write'],
  args: z.object({
    channel: z.string().min(1),
    user: z.string().min(1),
    thread_ts: z.string().optional(),
    ...content,
  }),
  run(parts, args) {
    const channel = speakingIn(parts, args.channel);
    if ('ok' in channel) return channel;
    if (!channel.memberIds.includes(args.user)) return apiError('user_not_in_channel');
    const refused = refusedContent(parts, args) ?? threadProblem(parts, channel, args.thread_ts);
    if (refused !== null) return refused;
    const place = { channel, threadTs: args.thread_ts, ephemeralFor: args.user };
    return { ok: true, message_ts: parts.messages.post(place, APP_AUTHOR, contentOf(args)).ts };
  },
});

/** The app's own message, or why it may not be touched. */
function ownMessage(
  parts: WorkspaceParts,
  channel: SandboxChannel,
  ts: string,
  denied: 'cant_update_message' | 'cant_delete_message',
): StoredMessage | ApiAnswer {
  const message = parts.state.findMessage(channel.id, ts);
  if (message === undefined || message.ephemeralFor !== undefined) return apiError('message_not_found');
  return message.app_id === APP.id ? message : apiError(denied);
}

const update = apiMethod({
  scopes: ['chat:write'],
  args: z.object({
    channel: z.string().min(1),
    ts: z.string().min(1),
    metadata: metadata.optional(),
    ...content,
  }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    const message = ownMessage(parts, channel, args.ts, 'cant_update_message');
    if ('ok' in message) return message;
    if ((args.text?.length ?? 0) > UPDATE_TEXT_MAX) return apiError('msg_too_long');
    const refused = refusedContent(parts, args);
    if (refused !== null) return refused;
    const updated = parts.messages.update(channel, message, {
      ...(args.text === undefined ? {} : { text: args.text }),
      blocks: args.blocks,
      attachments: args.attachments,
      metadata: args.metadata,
    });
    return {
      ok: true,
      channel: channel.id,
      ts: updated.ts,
      text: updated.text,
      message: messageShape(updated),
    };
  },
});

const remove = apiMethod({
  scopes: ['chat:write'],
  args: z.object({ channel: z.string().min(1), ts: z.string().min(1) }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    const message = ownMessage(parts, channel, args.ts, 'cant_delete_message');
    if ('ok' in message) return message;
    parts.messages.remove(channel, message);
    return { ok: true, channel: channel.id, ts: message.ts };
  },
});

const getPermalink = apiMethod({
  args: z.object({ channel: z.string().min(1), message_ts: z.string().min(1) }),
  run(parts, args) {
    const channel = channelForApp(parts.state, args.channel);
    if (channel === undefined) return apiError('channel_not_found');
    const message = parts.state.findMessage(channel.id, args.message_ts);
    if (message === undefined) return apiError('message_not_found');
    const thread = message.thread_ts === undefined ? '' : `?thread_ts=${message.thread_ts}&cid=${channel.id}`;
    const permalink = `https://${TEAM.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}${thread}`;
    return { ok: true, channel: channel.id, permalink };
  },
});

export const chatMethods: Record<string, ApiMethod> = {
  'chat.delete': remove,
  'chat.getPermalink': getPermalink,
  'chat.postEphemeral': postEphemeral,
  'chat.postMessage': postMessage,
  'chat.update': update,
};
