import { z } from 'zod';
import type { SandboxChannel } from '../protocol.ts';
import { validateMessage } from './block-kit/index.ts';
import { APP_AUTHOR, type MessageContent } from './messages.ts';
import type { WorkspaceParts } from './parts.ts';
import type { ResponseTarget } from './response-urls.ts';

/** What an app may say to a response_url, or in the acknowledgement of a command. */
const responseBody = z.object({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  attachments: z.array(z.unknown()).optional(),
  replace_original: z.boolean().default(false),
  delete_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
  metadata: z.unknown().optional(),
});

export type ResponseOutcome = { ok: true } | { ok: false; error: string; problems: string[] };

/**
 * Posts, replaces or deletes a message on the strength of a response: ephemeral unless it says in_channel.
 * Source: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 *
 * @param target whom the response goes to, and the message that was clicked
 */
export function applyResponse(parts: WorkspaceParts, target: ResponseTarget, body: unknown): ResponseOutcome {
  const parsed = responseBody.safeParse(typeof body === 'string' ? { text: body } : body);
  if (!parsed.success) {
    return { ok: false, error: 'invalid_payload', problems: [z.prettifyError(parsed.error)] };
  }
  const response = parsed.data;
  const channel = parts.state.channels.get(target.channel);
  if (channel === undefined) return { ok: false, error: 'channel_not_found', problems: [] };
  const original =
    target.messageTs === undefined ? undefined : parts.state.findMessage(channel.id, target.messageTs);
  if (response.delete_original) {
    if (original !== undefined) parts.messages.remove(channel, original);
    return { ok: true };
  }
  const problems = validateMessage(response);
  if (problems.length > 0) return { ok: false, error: refusalCode(problems), problems };
  const content: MessageContent = {
    text: response.text ?? '',
    blocks: response.blocks,
    attachments: response.attachments,
    metadata: response.metadata,
  };
  if (response.replace_original && original !== undefined) {
    parts.messages.update(channel, original, content);
    return { ok: true };
  }
  post(parts, channel, target, response.response_type, response.thread_ts, content);
  return { ok: true };
}

/** The error code for sentences of `validateMessage`. */
export function refusalCode(problems: readonly string[]): string {
  if (problems.some((problem) => problem.startsWith('no_text'))) return 'no_text';
  if (problems.some((problem) => problem.startsWith('msg_blocks_too_long'))) return 'msg_blocks_too_long';
  if (problems.some((problem) => problem.includes('[json-pointer:/text]'))) return 'msg_too_long';
  if (problems.some((problem) => problem.includes('[json-pointer:/attachments')))
    return 'invalid_attachments';
  return 'invalid_blocks';
}

function post(
  parts: WorkspaceParts,
  channel: SandboxChannel,
  target: ResponseTarget,
  type: 'ephemeral' | 'in_channel',
  threadTs: string | undefined,
  content: MessageContent,
): void {
  const place = {
    channel,
    threadTs: threadTs ?? target.threadTs,
    ephemeralFor: type === 'ephemeral' ? target.userId : undefined,
  };
  parts.messages.post(place, APP_AUTHOR, content);
}
