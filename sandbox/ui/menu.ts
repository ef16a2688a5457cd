import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useFloating, useLeaving } from './floating.ts';
import { html } from './html.ts';

export interface MenuItem {
  key: string;
  label: ComponentChildren;
  /** A second, quieter line. */
  detail?: string | undefined;
  icon?: ComponentChildren;
  checked?: boolean;
  run: () => void;
}

/** A button that opens a menu: arrow keys, Home, End and first letters move, Escape closes and gives the focus back. */
export function Menu({
  label,
  className,
  items,
  align,
  title,
  children,
  id,
}: {
  /** What the button is called when `children` are only a picture. */
  label?: string;
  className: string;
  items: MenuItem[];
  align: 'start' | 'end';
  /** A heading inside the menu. */
  title?: string;
  children: ComponentChildren;
  id?: string;
}): VNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = useFloating(button, open, align, 240);
  const close = useCallback(() => setOpen(false), []);
  useLeaving(root, open, close);

  useEffect(() => {
    if (open) itemsIn(list.current)[0]?.focus();
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || !moveInMenu(event, list.current)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    close();
    button.current?.focus();
  };
  const choose = (item: MenuItem) => {
    close();
    button.current?.focus();
    item.run();
  };

  return html`<span class="menu-root" ref=${root} onKeyDown=${onKeyDown}>
    <button type="button" ref=${button} id=${id} class=${className} aria-haspopup="menu" aria-expanded=${open}
      aria-label=${label} title=${label} onClick=${() => setOpen(!open)}>${children}</button>
    ${
      open &&
      html`<div class="floating menu" role="menu" aria-label=${title ?? label} ref=${list} style=${place}>
      ${title && html`<div class="menu-title" aria-hidden="true">${title}</div>`}
      ${items.map(
        (item) => html`<button type="button" key=${item.key} class="menu-item" tabindex="-1"
        role=${item.checked === undefined ? 'menuitem' : 'menuitemradio'} aria-checked=${item.checked}
        onClick=${() => choose(item)}>
        ${item.icon && html`<span class="menu-icon">${item.icon}</span>`}
        <span class="menu-words"><span class="menu-label">${item.label}</span>
          ${item.detail && html`<span class="menu-detail">${item.detail}</span>`}</span>
      </button>`,
      )}
    </div>`
    }
  </span>`;
}

function itemsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.menu-item') ?? [])];
}

/** Moves the focus by the key; true when the key belonged to the menu. */
function moveInMenu(event: KeyboardEvent, list: HTMLElement | null): boolean {
  const items = itemsIn(list);
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  switch (event.key) {
    case 'Escape':
      return true;
    case 'ArrowDown':
      items[(at + 1) % items.length]?.focus();
      return true;
    case 'ArrowUp':
      items.at(at - 1)?.focus();
      return true;
    case 'Home':
      items[0]?.focus();
      return true;
    case 'End':
      items.at(-1)?.focus();
      return true;
    default:
      return focusByLetter(event, items, at);
  }
}

function focusByLetter(event: KeyboardEvent, items: HTMLElement[], at: number): boolean {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const letter = event.key.toLowerCase();
  const fromNext = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  fromNext.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
  return true;
}
