import type { VNode } from 'preact';
import { html } from './html.ts';

const PATHS = {
  chevronDown: 'M6 8l4 4 4-4',
  chevronLeft: 'M12 5l-5 5 5 5',
  close: 'M5.5 5.5l9 9m0-9l-9 9',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  lightning: 'M11 2.5L4.5 11H9l-.8 6.5L15 8.8h-4.5z',
  send: 'M3.5 10.2L16.5 3.8l-4.2 12.7-3-5.3zM9.3 11.2l7.2-7.4',
  reply: 'M4 5.5h12v8H9.5L6 16.5v-3H4z',
  more: 'M4.8 10h.01M10 10h.01M15.2 10h.01',
  lock: 'M6 9V6.8a4 4 0 0 1 8 0V9M5 9h10v7.5H5z',
  home: 'M3.5 9.5L10 4l6.5 5.5M5.5 8.5V16h9V8.5',
  phone: 'M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM9 15h2',
  log: 'M4.5 5h11M4.5 10h11M4.5 15h7',
  list: 'M8 3L6.5 17M13.5 3L12 17M4 7.5h13M3 12.5h13',
  file: 'M5.5 2.5h6l3.5 3.5v11.5h-9.5zM11.5 2.5V6H15',
  calendar: 'M4 5h12v11.5H4zM4 8.5h12M7 3v3.5M13 3v3.5',
  edit: 'M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.4 6l2.6 2.6',
  smile: 'M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM7.3 11.5a3.4 3.4 0 0 0 5.4 0M7.8 8h.01M12.2 8h.01',
  search: 'M9 14.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11zM13.2 13.2L17 17',
  picture: 'M3.5 4.5h13v11h-13zM4 14l4-4.5 3 3 2-2 3.5 4M12.8 8h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing on a 20 × 20 grid in the colour of the text around it. Says nothing to a screen reader. */
export function Icon({ name, size }: { name: IconName; size?: number }): VNode {
  return html`<svg class="icon" width=${size ?? 18} height=${size ?? 18} viewBox="0 0 20 20"
    aria-hidden="true"
    fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
    <path d=${PATHS[name]} stroke-width=${name === 'more' ? 2.6 : 1.6} />
  </svg>`;
}
