import { useState } from 'preact/hooks';
import { useWorkspace } from '../context.ts';
import { commandProblem, problemSentence } from '../problems.ts';
import type { AttachedFiles } from './attached-files.ts';
import { splitCommand, storedText, type Vocabulary } from './completion.ts';
import type { Draft } from './use-draft.ts';

interface SendingOptions {
  channelId: string;
  threadTs: string | undefined;
  vocabulary: Vocabulary;
  draft: Draft;
  attached: AttachedFiles;
  onNote: (text: string) => void;
}

/**
 * After these the app has not seen the command. After any other (a time-out above all) it may have carried it
 * out, and a text put back into the composer would ask for a second message to the same customer.
 */
const NEVER_REACHED_THE_APP: ReadonlySet<string> = new Set(['unknown_command', 'app_not_connected']);

/**
 * Sends what was written, as a command or as a message. What surely was not sent goes back into the composer.
 * `sending` tells whether something is under way.
 */
export function useSending(options: SendingOptions): {
  sending: boolean;
  send: (text: string) => Promise<void>;
} {
  const { me, bootstrap, perform, notify } = useWorkspace();
  const { channelId, threadTs, vocabulary, draft, attached, onNote } = options;
  const [underWay, setUnderWay] = useState(0);

  const runCommand = async (command: string, rest: string, written: string) => {
    if (threadTs) {
      draft.restore(written);
      return notify(`${command} cannot be used in threads. Write it in the channel.`);
    }
    const result = await perform({ type: 'command', as: me.id, channel: channelId, command, text: rest });
    if (result.ok) return;
    onNote(commandProblem(command, result, bootstrap.app.name));
    if (NEVER_REACHED_THE_APP.has(result.error)) draft.restore(written);
  };
  const post = async (written: string) => {
    const place = threadTs ? { thread_ts: threadTs } : {};
    const text = storedText(written, vocabulary);
    const files = attached.take();
    const shared = files.length > 0 ? { files: files.map(({ id }) => id) } : {};
    const result = await perform({
      type: 'post',
      as: me.id,
      channel: channelId,
      text,
      isEncoded: true,
      ...place,
      ...shared,
    });
    if (result.ok) return;
    attached.putBack(files);
    draft.restore(written);
    notify(`Your message was not posted. ${problemSentence(result, bootstrap.app.name)}`);
  };
  const send = async (text: string) => {
    const written = text.trim();
    if (attached.uploading || (written === '' && attached.files.length === 0)) return;
    draft.setText('');
    setUnderWay((count) => count + 1);
    // As in Slack, a line that shares files is a message.
    const command = attached.files.length > 0 ? undefined : splitCommand(written);
    await (command ? runCommand(command.command, command.rest, written) : post(written));
    setUnderWay((count) => count - 1);
  };
  return { sending: underWay > 0, send };
}
