import { z } from 'zod';
import { richTextBlock } from './rich-text.ts';
import { identifier, textOfLength } from './text.ts';

/**
 * Tables and charts.
 * Sources: https://docs.slack.dev/reference/block-kit/blocks/table-block, …/data-table-block,
 * …/data-visualization-block
 */

const rawText = z.strictObject({ type: z.literal('raw_text'), text: textOfLength(10_000) });
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: textOfLength(10_000),
});
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richTextBlock]);

/** Columns of any table, and characters over all its cells. */
const COLUMNS_MAX = 20;
const TABLE_TEXT_MAX = 10_000;

/** The characters a reader would see in a cell or anything that holds cells. */
function shownLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + shownLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) =>
      sum + (key === 'text' && typeof item === 'string' ? item.length : shownLength(item)),
    0,
  );
}

const rowsOfCells = (min: number, max: number) =>
  z
    .array(z.array(cell).min(1).max(COLUMNS_MAX))
    .min(min)
    .max(max)
    .refine((rows) => rows.every((row) => row.length === rows[0]?.length), {
      error: 'must have the same number of cells in every row',
    })
    .refine((rows) => shownLength(rows) <= TABLE_TEXT_MAX, {
      error: `must have no more than ${TABLE_TEXT_MAX} characters in all cells together`,
    });

/** 100 rows of 20 cells; one in a message. */
export const tableBlock = z.strictObject({
  type: z.literal('table'),
  block_id: identifier.optional(),
  rows: rowsOfCells(1, 100),
  column_settings: z
    .array(
      z
        .strictObject({
          align: z.enum(['left', 'center', 'right']).optional(),
          is_wrapped: z.boolean().optional(),
        })
        .nullable(),
    )
    .max(COLUMNS_MAX)
    .optional(),
});

/** A header row without rich text, and 1 to 100 rows below it. */
export const dataTableBlock = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: identifier.optional(),
    caption: textOfLength(3000),
    rows: rowsOfCells(2, 101),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).optional(),
  })
  .check((context) => {
    const table = context.value;
    const header = table.rows[0] ?? [];
    header.forEach((headerCell, index) => {
      if (headerCell.type !== 'rich_text') return;
      const message = 'must not be rich_text in the header row';
      context.issues.push({ code: 'custom', input: table, message, path: ['rows', 0, index] });
    });
    if ((table.row_header_column_index ?? 0) >= header.length) {
      const path = ['row_header_column_index'];
      context.issues.push({ code: 'custom', input: table, message: 'must name a column of the table', path });
    }
  });

const CHART_LABEL_MAX = 20;
const axisConfig = z.strictObject({
  categories: z.array(textOfLength(CHART_LABEL_MAX)).min(1).max(20),
  x_label: textOfLength(50).optional(),
  y_label: textOfLength(50).optional(),
});
const series = z
  .array(
    z.strictObject({
      name: textOfLength(CHART_LABEL_MAX),
      data: z.array(z.strictObject({ label: textOfLength(CHART_LABEL_MAX), value: z.number() })).min(1),
    }),
  )
  .min(1)
  .max(6)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must have another name for each series',
  });

/** Each series has one point for each category, in any order. */
const plotted = <Type extends 'bar' | 'area' | 'line'>(type: Type) =>
  z
    .strictObject({ type: z.literal(type), series, axis_config: axisConfig })
    .refine(
      (chart) =>
        chart.series.every(
          ({ data }) =>
            String(data.map(({ label }) => label).toSorted()) ===
            String(chart.axis_config.categories.toSorted()),
        ),
      { error: 'must have a point for each category' },
    );

/** Title 50 characters; 1 to 6 segments or series. Two in a message. */
export const dataVisualizationBlock = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: identifier.optional(),
  title: textOfLength(50),
  chart: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('pie'),
      segments: z
        .array(z.strictObject({ label: textOfLength(CHART_LABEL_MAX), value: z.number().positive() }))
        .min(1)
        .max(6),
    }),
    plotted('bar'),
    plotted('area'),
    plotted('line'),
  ]),
});
