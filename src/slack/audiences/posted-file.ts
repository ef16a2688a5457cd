import { sayingView } from '../kit/blocks/blocks.ts';
import { notify, openModal } from '../kit/clicks/answering.ts';
import type { MessageShortcutHandler } from '../kit/clicks/arguments.ts';
import { givenFiles } from '../kit/files/file-inputs.ts';
import type { AudienceDependencies } from './dependencies.ts';
import { NO_LIST_POSTED, SEVERAL_LISTS_POSTED } from './sentences.ts';
import { uploadView } from './upload-view.ts';

const LIST_NAME = /\.(csv|tsv|txt)(\.gz)?$/i;

/** "Use file as an audience" on a message: the form of an upload, begun with the message's file, whose size no form bounds. */
export const handlePostedFile: MessageShortcutHandler<AudienceDependencies> = async (
  { shortcut, client },
  { logger },
) => {
  const { message, channel, user, trigger_id: triggerId } = shortcut;
  const [posted, ...others] = givenFiles(message.files).filter(({ name }) => LIST_NAME.test(name));
  const view =
    posted === undefined || others.length > 0
      ? sayingView('Audience', posted ? SEVERAL_LISTS_POSTED : NO_LIST_POSTED)
      : uploadView({ upload: 'audience_upload', name: posted.name.replace(LIST_NAME, ''), posted });
  const opened = await openModal(client, triggerId, view);
  if (opened.ok) return;
  const sentence = `${opened.error} Nothing was saved. Choose the shortcut again.`;
  await notify(client, { channelId: channel.id, userId: user.id }, sentence, logger);
};
