import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const FOCUSABLE =
  'a[href], button:not([disabled]):not([tabindex="-1"]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex="0"]';

/** Whatever Tab can reach inside, in order, as far as it is in sight. */
export function focusableIn(root: HTMLElement | null): HTMLElement[] {
  const all = [...(root?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  return all.filter((element) => element.offsetParent !== null || element.getClientRects().length > 0);
}

/** Keeps Tab inside the element while it is there, and gives the focus back to where it was before. */
export function useFocusTrap(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
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
    root.current?.addEventListener('keydown', onKeyDown);
    const element = root.current;
    return () => {
      element?.removeEventListener('keydown', onKeyDown);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
