import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export interface FloatingPlace {
  left: string;
  top?: string;
  bottom?: string;
  width?: string;
  maxHeight: string;
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * Where a pop-up hangs under its anchor, or above it where there is more room. Fixed to the window, so that no
 * scrolling container cuts it off.
 *
 * @param align `stretch` makes it as wide as the anchor; `end` aligns the right edges
 */
export function useFloating(
  anchor: RefObject<HTMLElement | null>,
  open: boolean,
  align: 'start' | 'end' | 'stretch',
  minWidthPx = 0,
): FloatingPlace {
  const [place, setPlace] = useState<FloatingPlace>({ left: '0px', top: '0px', maxHeight: '0px' });
  useLayoutEffect(() => {
    if (!open) return;
    const update = () => {
      if (anchor.current) setPlace(placeBeside(anchor.current.getBoundingClientRect(), align, minWidthPx));
    };
    update();
    addEventListener('resize', update);
    addEventListener('scroll', update, true);
    return () => {
      removeEventListener('resize', update);
      removeEventListener('scroll', update, true);
    };
  }, [open, align, minWidthPx]);
  return place;
}

function placeBeside(rect: DOMRect, align: string, minWidthPx: number): FloatingPlace {
  const below = innerHeight - rect.bottom - GAP_PX - MARGIN_PX;
  const above = rect.top - GAP_PX - MARGIN_PX;
  const upwards = below < 200 && above > below;
  const width = Math.max(rect.width, minWidthPx);
  const wanted = align === 'end' ? rect.right - width : rect.left;
  const left = Math.max(MARGIN_PX, Math.min(wanted, innerWidth - width - MARGIN_PX));
  return {
    left: `${left}px`,
    ...(upwards ? { bottom: `${innerHeight - rect.top + GAP_PX}px` } : { top: `${rect.bottom + GAP_PX}px` }),
    ...(align === 'stretch' || minWidthPx > 0 ? { width: `${width}px` } : {}),
    maxHeight: `${Math.min(320, upwards ? above : below)}px`,
  };
}

/** Calls back when the person clicks, or moves the focus, outside of the given element. */
export function useLeaving(
  inside: RefObject<HTMLElement | null>,
  active: boolean,
  onLeave: () => void,
): void {
  useEffect(() => {
    if (!active) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !inside.current?.contains(event.target)) onLeave();
    };
    addEventListener('pointerdown', leave, true);
    addEventListener('focusin', leave, true);
    return () => {
      removeEventListener('pointerdown', leave, true);
      removeEventListener('focusin', leave, true);
    };
  }, [active, onLeave]);
}
