import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { commandProblem, problemSentence } from '../problems.ts';
import { type Completion, completionsAt, splitCommand, storedText, type Vocabulary } from './completion.ts';
import { CompletionList } from './completion-list.ts';

/** Texts that were begun and not sent, by person and place. They live as long as the page. */
const drafts = new Map<string, string>();

export interface ComposerProps {
  channelId: string;
  /** What the text field is called: `Message #team`. */
  label: string;
  threadTs?: string;
  /** A line that only this person sees, on this page: Slackbot's words about a command. */
  onNote: (text: string) => void;
}

export function Composer({ channelId, label, threadTs, onNote }: ComposerProps): VNode {
  const { me, bootstrap, perform, notify, snapshot } = useWorkspace();
  const draftKey = `${me.id} ${channelId} ${threadTs ?? ''}`;
  const [text, setTextState] = useState(drafts.get(draftKey) ?? '');
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const [sending, setSending] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  const vocabulary = vocabularyOf(useWorkspace());
  const completion = dismissed || threadTs ? undefined : completionsAt(text, caret, vocabulary);

  const setText = (next: string) => {
    drafts.set(draftKey, next);
    setTextState(next);
  };
  useEffect(() => {
    setTextState(drafts.get(draftKey) ?? '');
    area.current?.focus();
  }, [draftKey]);
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.style.height = 'auto';
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);

  const send = async (whole: string) => {
    const written = whole.trim();
    if (written === '') return;
    setText('');
    setSending((count) => count + 1);
    const command = threadTs ? undefined : splitCommand(written);
    if (command) {
      const what = { type: 'command', as: me.id, channel: channelId, command: command.command, text: command.rest } as const;
      const result = await perform(what);
      if (!result.ok) onNote(commandProblem(command.command, result, bootstrap.app.name));
    } else {
      const place = threadTs ? { thread_ts: threadTs } : {};
      const stored = storedText(written, vocabulary);
      const result = await perform({ type: 'post', as: me.id, channel: channelId, text: stored, ...place });
      if (!result.ok) {
        setText(whole);
        notify(`Your message was not posted. ${problemSentence(result, bootstrap.app.name)}`);
      }
    }
    setSending((count) => count - 1);
  };
  const complete = (item: Completion) => {
    const from = completion?.from ?? 0;
    const after = text.slice(caret).replace(/^\s/, '');
    const next = `${text.slice(0, from)}${item.insert} ${after}`;
    setText(next);
    const place = from + item.insert.length + 1;
    setCaret(place);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(place, place);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (completion && handleCompletionKey(event, completion.items)) return event.preventDefault();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void send(text);
  };
  const handleCompletionKey = (event: KeyboardEvent, items: Completion[]): boolean => {
    const item = items[Math.min(active, items.length - 1)];
    if (event.key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (event.key === 'ArrowUp') setActive((active - 1 + items.length) % items.length);
    else if (event.key === 'Escape') setDismissed(true);
    else if (event.key === 'Tab' && item) complete(item);
    else if (event.key === 'Enter' && !event.shiftKey && item) {
      if (item.kind === 'command') void send(item.insert);
      else complete(item);
    } else return false;
    return true;
  };
  const noteCaret = () => setCaret(area.current?.selectionStart ?? 0);
  const usage = usageOf(text, caret, vocabulary);
  const shortcuts = snapshot.shortcuts.filter((shortcut) => shortcut.type === 'global');
  const listId = `completions-${channelId}`;

  return html`<div class="composer">
    ${completion && html`<${CompletionList} id=${listId} items=${completion.items} active=${Math.min(active, completion.items.length - 1)}
      onChoose=${(item: Completion) => complete(item)} onPoint=${setActive} />`}
    ${usage && html`<div class="composer-usage" role="status"><code>${usage.command}</code> ${usage.usageHint}
      <span>${usage.description}</span></div>`}
    <div class="composer-box">
      <textarea ref=${area} rows="1" value=${text} aria-label=${label} placeholder=${label} aria-autocomplete="list"
        aria-controls=${completion ? listId : undefined}
        aria-activedescendant=${completion ? `${listId}-${Math.min(active, completion.items.length - 1)}` : undefined}
        onInput=${(event: Event & { currentTarget: HTMLTextAreaElement }) => {
          setText(event.currentTarget.value);
          setActive(0);
          setDismissed(false);
          noteCaret();
        }}
        onKeyUp=${noteCaret} onClick=${noteCaret} onKeyDown=${onKeyDown}></textarea>
      <div class="composer-tools">
        ${!threadTs && shortcuts.length > 0 && html`<${Menu} label="Shortcuts" title="Shortcuts" className="icon-button" align="start"
          items=${shortcuts.map((shortcut) => ({
            key: shortcut.callbackId,
            label: shortcut.name,
            detail: shortcut.description,
            run: async () => {
              const result = await perform({ type: 'shortcut', as: me.id, callbackId: shortcut.callbackId });
              if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
            },
          }))}><${Icon} name="lightning" /><//>`}
        <span class="composer-keys">${sending > 0 ? html`<span class="spinner" aria-label="Sending"></span>` : html`<kbd>Shift</kbd>+<kbd>Enter</kbd> for a new line`}</span>
        <button type="button" class="send-button" aria-label="Send" disabled=${text.trim() === ''}
          onClick=${() => void send(text)}><${Icon} name="send" /></button>
      </div>
    </div>
  </div>`;
}

function vocabularyOf({ snapshot, bootstrap }: ReturnType<typeof useWorkspace>): Vocabulary {
  return {
    commands: snapshot.commands,
    users: snapshot.users.filter((user) => !user.isBot || user.id === bootstrap.app.botUserId),
    groups: snapshot.userGroups,
    channels: snapshot.channels,
  };
}

/** The command whose arguments are being typed. */
function usageOf(text: string, caret: number, { commands }: Vocabulary): Vocabulary['commands'][number] | undefined {
  const typed = /^(\/\S+)\s/.exec(text.slice(0, caret))?.[1];
  return commands.find((command) => command.command === typed);
}
