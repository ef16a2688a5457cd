import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface RowsInSight {
  /** The first row to draw, counted from 0. */
  from: number;
  /** The row after the last one. */
  to: number;
  /** Of the list, in pixels. */
  width: number;
  /** Of a row, gap included, in pixels. */
  rowPx: number;
}

/**
 * Which rows of a long list to draw: those in sight, and as much again above and below, so that Tab and a swipe find
 * their next ones there.
 *
 * @param rowPxFor the height of every row, gap included, where so many pixels of the list are in sight at first
 * @param scroller selects the scrolling area around the list
 */
export function useRowsInSight(
  list: RefObject<HTMLElement | null>,
  rowPxFor: (room: number) => number,
  scroller: string,
): RowsInSight {
  const [rows, setRows] = useState<RowsInSight>({ from: 0, to: 1, width: 0, rowPx: rowPxFor(0) });
  useLayoutEffect(() => {
    const area = list.current?.closest(scroller);
    if (!area) return;
    const look = () => {
      if (!list.current) return;
      const { top, width } = list.current.getBoundingClientRect();
      const scrolled = area.getBoundingClientRect().top - top;
      const rowPx = rowPxFor(area.clientHeight - area.scrollTop + scrolled);
      const from = Math.max(0, Math.floor((scrolled - area.clientHeight) / rowPx));
      const to = Math.max(1, Math.ceil((scrolled + 2 * area.clientHeight) / rowPx));
      setRows((before) =>
        before.from === from && before.to === to && before.width === width && before.rowPx === rowPx
          ? before
          : { from, to, width, rowPx },
      );
    };
    const observer = new ResizeObserver(look);
    observer.observe(area);
    // What comes to stand above a list comes with more rows of it.
    if (list.current) observer.observe(list.current);
    area.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      area.removeEventListener('scroll', look);
    };
  }, [rowPxFor, scroller]);
  return rows;
}
