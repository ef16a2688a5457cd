import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Confirm } from './blocks/types.ts';
import { useFocusTrap, useReturnFocus } from './focus-trap.ts';
import { html } from './html.ts';
import { PlainText, TextObject } from './text/view.ts';

/** Slack's question before an action with a `confirm`. Escape and a click beside it mean no. */
export function ConfirmDialog({
  confirm,
  onConfirm,
  onClose,
}: {
  confirm: Confirm | undefined;
  onConfirm: () => void;
  onClose: () => void;
}): VNode {
  const root = useRef<HTMLDivElement>(null);
  const yes = useRef<HTMLButtonElement>(null);
  useFocusTrap(root);
  useReturnFocus(true);
  useEffect(() => yes.current?.focus(), []);
  const title = confirm?.title?.text ?? 'Are you sure?';
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
  };
  const agree = () => {
    onClose();
    onConfirm();
  };
  return html`<div class="backdrop backdrop-confirm" onKeyDown=${onKeyDown}
    onPointerDown=${(event: Event) => event.target === event.currentTarget && onClose()}>
    <div class="dialog dialog-confirm" role="alertdialog" aria-modal="true" aria-label=${title} ref=${root}>
      <h2><${PlainText} text=${title} /></h2>
      <div class="dialog-text"><${TextObject} text=${confirm?.text} /></div>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick=${onClose}>${confirm?.deny?.text ?? 'Cancel'}</button>
        <button type="button" ref=${yes} class=${`button button-${confirm?.style ?? 'primary'}`}
          onClick=${agree}>
          ${confirm?.confirm?.text ?? 'OK'}</button>
      </div>
    </div>
  </div>`;
}
