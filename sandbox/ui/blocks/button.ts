import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../confirm-dialog.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { PlainText } from '../text/view.ts';
import { elementId, useScope } from './scope.ts';
import type { Element, Option, Value } from './types.ts';

/** The words on a button, which Slack takes as a text object and some elements as a string. */
export function Button({ element, blockId }: { element: Element; blockId: string }): VNode {
  const scope = useScope();
  const { openLink } = useWorkspace();
  const [confirming, setConfirming] = useState(false);
  const actionId = element.action_id ?? '';
  const pending = scope.pending === `${blockId}/${actionId}`;
  const press = () => {
    if (pending) return;
    if (element.url) openLink(element.url);
    scope.dispatch(blockId, actionId, buttonValue(element));
  };
  const className = `button ${element.style ? `button-${element.style}` : ''} ${pending ? 'is-pending' : ''}`;
  return html`<span class="button-root">
    <button type="button" class=${className} id=${elementId(scope, blockId, actionId)}
      aria-busy=${pending || undefined}
      aria-disabled=${pending || undefined} aria-label=${element.accessibility_label}
      onClick=${() => (element.confirm && !pending ? setConfirming(true) : press())}>
      ${
        pending &&
        html`<span class="spinner"
        aria-hidden="true"></span>`
      }<${PlainText} text=${element.text} />
    </button>
    ${
      confirming &&
      html`<${ConfirmDialog} confirm=${element.confirm} onClose=${() => setConfirming(false)}
      onConfirm=${press} />`
    }
  </span>`;
}

function buttonValue(element: Element): Value {
  const value: Value = { type: 'button', text: element.text };
  if (element.value !== undefined) value.value = element.value;
  if (element.style) value.style = element.style;
  return value;
}

export function OverflowMenu({ element, blockId }: { element: Element; blockId: string }): VNode {
  const scope = useScope();
  const { openLink } = useWorkspace();
  const [confirming, setConfirming] = useState<Option>();
  const send = (option: Option) => {
    if (option.url) openLink(option.url);
    scope.dispatch(blockId, element.action_id ?? '', { type: 'overflow', selected_option: option });
  };
  const items = (element.options ?? []).map((option) => ({
    key: option.value,
    label: html`<${PlainText} text=${option.text} />`,
    detail: option.description?.text,
    run: () => (element.confirm ? setConfirming(option) : send(option)),
  }));
  return html`<span class="button-root">
    <${Menu} label="More options" className="button button-overflow" align="end" items=${items}><${Icon}
      name="more" /><//>
    ${
      confirming &&
      html`<${ConfirmDialog} confirm=${element.confirm} onClose=${() => setConfirming(undefined)}
      onConfirm=${() => send(confirming)} />`
    }
  </span>`;
}
