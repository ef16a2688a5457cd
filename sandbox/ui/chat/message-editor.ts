import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SandboxMessage } from '../../protocol.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { problemSentence } from '../problems.ts';
import { storedText, vocabularyOf, writtenText } from './completion.ts';

/** A person's message in a field, to be changed: Enter saves, Escape leaves it as it is. */
export function MessageEditor({ message, onDone }: { message: SandboxMessage; onDone: () => void }): VNode {
  const workspace = useWorkspace();
  const { me, perform, notify, bootstrap } = workspace;
  const vocabulary = vocabularyOf(workspace);
  const area = useRef<HTMLTextAreaElement>(null);
  // Before the page is drawn: whoever types at once types here.
  useLayoutEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, []);

  const save = async () => {
    const text = storedText(area.current?.value.trim() ?? '', vocabulary);
    const { channel, ts } = message;
    const result = await perform({ type: 'edit', as: me.id, channel, ts, text, isEncoded: true });
    if (result.ok) onDone();
    else notify(`Your message was not changed. ${problemSentence(result, bootstrap.app.name)}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onDone();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  };

  return html`<div class="message-editor">
    <textarea ref=${area} rows="2" aria-label="Edit message" onKeyDown=${onKeyDown}
      defaultValue=${writtenText(message.text, vocabulary)}></textarea>
    <div class="message-editor-tools">
      <button type="button" class="button" onClick=${onDone}>Cancel</button>
      <button type="button" class="button button-primary" onClick=${() => void save()}>Save</button>
    </div>
  </div>`;
}
