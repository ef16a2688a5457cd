import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const FOCUSABLE =
  'a[href], [tabindex="0"], ' +
  ['button', 'input', 'textarea', 'select']
    .map((tag) => `${tag}:not([disabled], [tabindex="-1"])`)
    .join(', ');

/** Whatever Tab can reach inside, in order, as far as it is in sight. */
export function focusableIn(root: HTMLElement | null): HTMLElement[] {
  const all = [...(root?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  return all.filter((element) => element.offsetParent !== null || element.getClientRects().length > 0);
}

/** Keeps Tab inside the element while it is there. */
export function useFocusTrap(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || !root.current?.contains(document.activeElement)) return;
      const inside = focusableIn(root.current);
      const first = inside[0];
      const last = inside.at(-1);
      const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last;
      if (!leaving && document.activeElement !== root.current) return;
      event.preventDefault();
      (event.shiftKey ? last : first)?.focus();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Gives the focus back, once a dialog is gone, to where it was when the dialog came. That place is noted while
 * drawing, since afterwards it is inert and no longer has the focus.
 */
export function useReturnFocus(active: boolean): void {
  const before = useRef<Element | null>(null);
  const wasActive = useRef(false);
  if (active && !wasActive.current) before.current = document.activeElement;
  wasActive.current = active;
  useEffect(() => {
    if (!active) return;
    return () => {
      const place = before.current;
      if (place instanceof HTMLElement && place.isConnected) place.focus();
    };
  }, [active]);
}
