import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Table } from './table.ts';
import type { Block, Cell } from './types.ts';

const WIDTH = 600;
const HEIGHT = 160;
/** Share of the place of a category that is left free. */
const GAP = 0.2;

/** Series side by side in each category, and for whoever sees none of it the same as a table. */
export function Chart({ block }: { block: Block & { title?: unknown } }): VNode {
  const { series = [], segments = [], axis_config: axes } = block.chart ?? {};
  const shown = segments.length > 0 ? [{ name: 'Value', data: segments }] : series;
  const categories = axes?.categories ?? segments.map(({ label }) => label);
  const most = Math.max(1, ...shown.flatMap(({ data }) => data.map(({ value }) => value)));
  const place = WIDTH / Math.max(1, categories.length);
  const width = (place * (1 - GAP)) / Math.max(1, shown.length);
  const text = (words: string): Cell => ({ type: 'raw_text', text: words });
  const rows = [
    [text(axes?.x_label ?? ''), ...shown.map(({ name }) => text(name))],
    ...categories.map((category, at) => [
      text(category),
      ...shown.map(({ data }) => text(String(data[at]?.value ?? ''))),
    ]),
  ];
  return html`<figure class="block-chart">
    <figcaption>${String(block.title)}</figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">${shown.map(({ data }, which) =>
      data.map(({ value }, at) => {
        const height = (HEIGHT * value) / most;
        return html`<rect class=${`chart-${which}`} x=${place * (at + GAP / 2) + width * which}
          y=${HEIGHT - height} width=${width} height=${height} />`;
      }),
    )}</svg>
    <div class="chart-legend">${shown.map(
      ({ name }, which) => html`<span class=${`chart-name chart-${which}`}>${name}</span>`,
    )}</div>
    <details><summary>As a table</summary><${Table} block=${{ type: 'table', caption: 'The chart', rows }} /></details>
  </figure>`;
}
