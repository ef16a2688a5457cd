import type { ComponentChild, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { drawText } from '../text/view.ts';
import { RichText } from './rich-text.ts';
import type { Block, Cell } from './types.ts';

function drawCell(cell: Cell): ComponentChild {
  if (cell.type === 'rich_text') return html`<${RichText} elements=${cell.elements} />`;
  return drawText(cell.text ?? (cell.value === undefined ? '' : String(cell.value)));
}

/** The first row is the header, as Slack draws it. */
export function Table({ block }: { block: Block }): VNode {
  const [header = [], ...rows] = block.rows ?? [];
  const style = (column: number) => ({ textAlign: block.column_settings?.[column]?.align ?? 'left' });
  const className = (column: number) => (block.column_settings?.[column]?.is_wrapped ? 'is-wrapped' : '');
  return html`<div class="table-scroll" tabindex="0" role="group"
    aria-label=${block.caption ?? 'Table'}><table>
    <thead><tr>${header.map(
      (cell, at) => html`<th scope="col"
      style=${style(at)}>${drawCell(cell)}</th>`,
    )}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${row.map(
          (cell, at) => html`<td style=${style(at)} class=${className(at)}>${drawCell(cell)}</td>`,
        )}</tr>`,
    )}</tbody>
  </table></div>`;
}

const DEFAULT_PAGE_SIZE = 5;

/** A table with pages. */
export function DataTable({ block }: { block: Block & { page_size?: number } }): VNode {
  const [page, setPage] = useState(0);
  const [header = [], ...rows] = block.rows ?? [];
  const size = block.page_size ?? DEFAULT_PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shown = rows.slice(page * size, (page + 1) * size);
  return html`<div class="data-table">
    ${block.caption && html`<div class="table-caption">${block.caption}</div>`}
    <${Table} block=${{ ...block, rows: [header, ...shown] }} />
    ${
      pages > 1 &&
      html`<div class="table-pages">
      <button type="button" class="button" disabled=${page === 0}
        onClick=${() => setPage(page - 1)}>Previous</button>
      <span>Page ${page + 1} of ${pages}</span>
      <button type="button" class="button" disabled=${page + 1 >= pages}
        onClick=${() => setPage(page + 1)}>Next</button>
    </div>`
    }
  </div>`;
}
