import type { VNode } from 'preact';
import { html } from '../html.ts';
import type { Completion } from './completion.ts';

/** What could complete the word at the caret, above the composer. The focus stays in the text. */
export function CompletionList({
  id,
  items,
  active,
  onChoose,
  onPoint,
}: {
  id: string;
  items: Completion[];
  active: number;
  onChoose: (item: Completion) => void;
  onPoint: (index: number) => void;
}): VNode {
  const commands = items[0]?.kind === 'command';
  return html`<div class="completions">
    <div role="listbox" id=${id} aria-label=${commands ? 'Commands' : 'Suggestions'}>
      ${items.map(
        (
          item,
          index,
        ) => html`<div key=${item.key} id=${`${id}-${index}`} role="option" aria-selected=${index === active}
        class=${`completion ${index === active ? 'is-active' : ''}`} onPointerMove=${() => onPoint(index)}
        onPointerDown=${(event: Event) => event.preventDefault()} onClick=${() => onChoose(item)}>
        <span class="completion-title">${item.title}</span>
        ${item.hint && html`<span class="completion-hint">${item.hint}</span>`}
        ${item.detail && html`<span class="completion-detail">${item.detail}</span>`}
      </div>`,
      )}
    </div>
    <div class="completion-keys" aria-hidden="true"><kbd>↑</kbd><kbd>↓</kbd> choose
      <kbd>Tab</kbd> complete <kbd>Enter</kbd> ${commands ? 'run' : 'insert'} <kbd>Esc</kbd> dismiss</div>
  </div>`;
}
