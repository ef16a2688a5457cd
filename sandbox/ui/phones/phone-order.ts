import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CarrierView } from '../carrier-state.ts';

/** How long phones keep their places: with 80 that ring in a second nobody could look at one. */
const STANDS_FOR_MS = 400;

/**
 * The numbers as their phones stand, the latest to ring first. While somebody has scrolled down to one or has the focus in
 * one, no phone moves, and new ones come to the end.
 */
export function usePhoneOrder(view: CarrierView, grid: RefObject<HTMLElement | null>): readonly string[] {
  const { phones } = view;
  const [, redraw] = useState({});
  const standing = useRef<{ order: readonly string[]; since: number }>({ order: [], since: -STANDS_FOR_MS });
  const { order, since } = standing.current;
  const isHeld =
    grid.current?.contains(document.activeElement) ||
    (grid.current?.closest('.panel-content')?.scrollTop ?? 0) > 0;
  const now = performance.now();
  if (phones.size < order.length || now - since >= STANDS_FOR_MS) {
    const numbers = [...phones.keys()];
    const held = phones.size === order.length ? order : [...new Set([...order, ...numbers])];
    standing.current = {
      order: isHeld && phones.size >= order.length ? held : numbers.reverse(),
      since: now,
    };
  }
  useEffect(() => {
    const timer = setTimeout(() => redraw({}), STANDS_FOR_MS);
    return () => clearTimeout(timer);
  }, [view]);
  return standing.current.order;
}
