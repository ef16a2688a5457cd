import { z } from 'zod';
import { fileShape } from '../api-shapes.ts';
import { validateMessage } from '../block-kit/index.ts';
import { channelForApp, isBotIn } from '../channel-lookup.ts';
import { FILE_BYTES_MAX } from '../files.ts';
import { APP_AUTHOR } from '../messages.ts';
import { refusalCode } from '../responses.ts';
import { APP } from '../seed.ts';
import type { StoredFile, WorkspaceState } from '../state.ts';
import { type ApiMethod, apiError, apiMethod, jsonArgument, numberArgument, refusal } from './method.ts';

const getUploadUrl = apiMethod({
  scopes: ['files:write'],
  args: z.object({
    filename: z.string().min(1),
    length: numberArgument.pipe(z.int()),
    alt_txt: z.string().optional(),
    snippet_type: z.string().optional(),
  }),
  run(parts, args) {
    if (args.length < 1) return apiError('length_must_be_positive');
    if (args.length > FILE_BYTES_MAX) return apiError('file_upload_size_restricted');
    const { fileId, uploadUrl } = parts.files.begin(args.filename, args.length);
    return { ok: true, upload_url: uploadUrl, file_id: fileId };
  },
});

const completeUpload = apiMethod({
  scopes: ['files:write'],
  args: z.object({
    files: jsonArgument(z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1)),
    channel_id: z.string().optional(),
    channels: z.string().optional(),
    initial_comment: z.string().optional(),
    blocks: jsonArgument(z.array(z.unknown())).optional(),
    thread_ts: z.string().optional(),
  }),
  async run(parts, args) {
    const reference = args.channel_id ?? args.channels;
    const channel = reference === undefined ? undefined : channelForApp(parts.state, reference);
    if (reference !== undefined && channel === undefined) return apiError('channel_not_found');
    if (channel !== undefined && !isBotIn(channel)) return apiError('not_in_channel');
    const problems = args.blocks === undefined ? [] : validateMessage({ blocks: args.blocks });
    if (problems.length > 0) return refusal(refusalCode(problems), problems);
    const files: StoredFile[] = [];
    for (const { id, title } of args.files) {
      const file = await parts.files.complete(id, title, APP.botUserId);
      if (file === null) return apiError('file_not_found');
      files.push(channel === undefined ? file : { ...file, channels: [channel.id] });
    }
    for (const file of files) parts.state.putFile(file);
    if (channel !== undefined) {
      const content = { text: args.initial_comment ?? '', blocks: args.blocks, files };
      parts.messages.post({ channel, threadTs: args.thread_ts }, APP_AUTHOR, content);
    }
    return { ok: true, files: files.map(fileShape) };
  },
});

/**
 * Of files that people post, the app is shown those of conversations that it is a member of.
 * Source: https://docs.slack.dev/reference/scopes/files.read
 */
function isShown(state: WorkspaceState, { channels, user }: StoredFile): boolean {
  if (user === APP.botUserId || channels.length === 0) return true;
  return channels.some((id) => isBotIn(state.channels.get(id) ?? { memberIds: [] }));
}

const info = apiMethod({
  scopes: ['files:read'],
  args: z.object({ file: z.string().min(1) }),
  run(parts, args) {
    if (parts.files.isRemoved(args.file)) return apiError('file_deleted');
    const file = parts.state.files.get(args.file);
    return file === undefined || !isShown(parts.state, file)
      ? apiError('file_not_found')
      : {
          ok: true,
          file: fileShape(parts.files.lookAt(file)),
          comments: [],
          response_metadata: { next_cursor: '' },
        };
  },
});

export const fileMethods: Record<string, ApiMethod> = {
  'files.completeUploadExternal': completeUpload,
  'files.getUploadURLExternal': getUploadUrl,
  'files.info': info,
};
