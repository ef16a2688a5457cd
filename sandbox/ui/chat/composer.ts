import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SandboxCommand } from '../../protocol.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { problemSentence } from '../problems.ts';
import { AttachButton, AttachedFileList, useAttachedFiles } from './attached-files.ts';
import { type Completion, completionsAt, vocabularyOf } from './completion.ts';
import { CompletionList } from './completion-list.ts';
import { useDraft } from './use-draft.ts';
import { useSending } from './use-sending.ts';

export interface ComposerProps {
  channelId: string;
  /** What the text field is called: `Message #team`. */
  label: string;
  threadTs?: string;
  /** A line that only this person sees, on this page: Slackbot's words about a command. */
  onNote: (text: string) => void;
}

export function Composer({ channelId, label, threadTs, onNote }: ComposerProps): VNode {
  const workspace = useWorkspace();
  const vocabulary = vocabularyOf(workspace);
  const draftKey = `${workspace.me.id} ${channelId} ${threadTs ?? ''}`;
  const draft = useDraft(draftKey);
  const { text } = draft;
  const attached = useAttachedFiles(draftKey);
  const { sending, send } = useSending({ channelId, threadTs, vocabulary, draft, attached, onNote });
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const completion = dismissed || threadTs ? undefined : completionsAt(text, caret, vocabulary);
  const [pointed, setPointed] = useState(0);
  const active = Math.min(pointed, (completion?.items.length ?? 1) - 1);
  useEffect(() => area.current?.focus(), [draftKey]);
  useGrowing(area, text);

  const noteCaret = () => setCaret(area.current?.selectionStart ?? 0);
  const onInput = (event: Event & { currentTarget: HTMLTextAreaElement }) => {
    draft.setText(event.currentTarget.value);
    setPointed(0);
    setDismissed(false);
    noteCaret();
  };
  const complete = (item: Completion) => {
    const from = completion?.from ?? 0;
    const place = from + item.insert.length + 1;
    const completed = `${text.slice(0, from)}${item.insert} ${text.slice(caret).replace(/^\s/, '')}`;
    // At once and not after the next drawing: who types on fast would type before the caret has moved.
    if (area.current) {
      area.current.value = completed;
      area.current.focus();
      area.current.setSelectionRange(place, place);
    }
    draft.setText(completed);
    setCaret(place);
  };
  const onCompletionKey = (event: KeyboardEvent, items: Completion[]): boolean => {
    const item = items[active];
    if (event.key === 'ArrowDown') setPointed((active + 1) % items.length);
    else if (event.key === 'ArrowUp') setPointed((active - 1 + items.length) % items.length);
    else if (event.key === 'Escape') setDismissed(true);
    else if (event.key === 'Tab' && !event.shiftKey && item) complete(item);
    else if (event.key === 'Enter' && !event.shiftKey && item) {
      if (item.kind === 'command') void send(item.insert);
      else complete(item);
    } else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (completion && onCompletionKey(event, completion.items)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send(text);
    }
  };
  const listId = `completions-${channelId}`;
  const usage = usageOf(text, caret, vocabulary.commands);

  return html`<div class="composer">
    ${
      completion &&
      html`<${CompletionList} id=${listId} items=${completion.items} active=${active}
        onChoose=${complete} onPoint=${setPointed} />`
    }
    ${
      usage &&
      html`<div class="composer-usage" role="status"><code>${usage.command}</code> ${usage.usageHint}
        <span>${usage.description}</span></div>`
    }
    <div class="composer-box">
      <${AttachedFileList} attached=${attached} />
      <textarea ref=${area} rows="1" value=${text} aria-label=${label} placeholder=${label} aria-autocomplete="list"
        aria-controls=${completion ? listId : undefined}
        aria-activedescendant=${completion ? `${listId}-${active}` : undefined}
        onInput=${onInput} onKeyUp=${noteCaret} onClick=${noteCaret} onKeyDown=${onKeyDown}></textarea>
      <div class="composer-tools">
        ${!threadTs && html`<${ShortcutMenu} />`}
        <${AttachButton} attached=${attached} />
        <span class="composer-keys">${
          sending
            ? html`<span class="spinner" role="status" aria-label="Sending"></span>`
            : html`<span class="composer-hint"><kbd>Shift</kbd>+<kbd>Enter</kbd> for a new line</span>`
        }</span>
        <button type="button" class="send-button" aria-label="Send" disabled=${attached.uploading || (text.trim() === '' && attached.files.length === 0)}
          onClick=${() => void send(text)}><${Icon} name="send" /></button>
      </div>
    </div>
  </div>`;
}

/** The app's global shortcuts, behind a lightning. */
function ShortcutMenu(): VNode | null {
  const { me, bootstrap, perform, notify, snapshot } = useWorkspace();
  const shortcuts = snapshot.shortcuts.filter((shortcut) => shortcut.type === 'global');
  if (shortcuts.length === 0) return null;
  const items = shortcuts.map((shortcut) => ({
    key: shortcut.callbackId,
    label: shortcut.name,
    detail: shortcut.description,
    run: async () => {
      const result = await perform({ type: 'shortcut', as: me.id, callbackId: shortcut.callbackId });
      if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
    },
  }));
  return html`<${Menu} label="Shortcuts" title="Shortcuts" className="icon-button" align="start" items=${items}>
    <${Icon} name="lightning" /><//>`;
}

/** A text field as tall as its text, up to what the style sheet allows. */
function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.style.height = 'auto';
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);
}

/** The command whose arguments are being typed. */
function usageOf(
  text: string,
  caret: number,
  commands: readonly SandboxCommand[],
): SandboxCommand | undefined {
  const typed = /^(\/\S+)\s/.exec(text.slice(0, caret))?.[1];
  return commands.find((command) => command.command === typed);
}
