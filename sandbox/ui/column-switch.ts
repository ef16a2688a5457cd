import type { VNode } from 'preact';
import { html } from './html.ts';
import { Icon, type IconName } from './icons.ts';

/** What a narrow window shows; a wide one shows channels, chat and the last of the other two side by side. */
export type Column = 'channels' | 'chat' | 'phones' | 'log';

const COLUMNS: readonly { column: Column; label: string; icon: IconName }[] = [
  { column: 'channels', label: 'Channels', icon: 'list' },
  { column: 'chat', label: 'Chat', icon: 'reply' },
  { column: 'phones', label: 'Phones', icon: 'phone' },
  { column: 'log', label: 'Log', icon: 'log' },
];

/** The bar of a narrow window. */
export function ColumnSwitch({
  column,
  onColumn,
}: {
  column: Column;
  onColumn: (column: Column) => void;
}): VNode {
  return html`<nav class="column-switch" aria-label="Columns">${COLUMNS.map(
    (
      one,
    ) => html`<button type="button" key=${one.column} aria-current=${one.column === column ? 'page' : undefined}
      onClick=${() => onColumn(one.column)}><${Icon} name=${one.icon} size=${20} />${one.label}</button>`,
  )}</nav>`;
}
