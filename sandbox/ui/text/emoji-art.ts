import type { VNode } from 'preact';
import { html } from '../html.ts';
import { type DrawnEmoji, drawnEmoji } from './drawn-emoji.ts';

type Drawing = () => VNode;

const disc = (fill: string, inner: unknown): VNode =>
  html`<svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="9" fill=${fill} />${inner}</svg>`;
const stroke = (path: string, color = '#fff'): VNode =>
  html`<path d=${path} fill="none" stroke=${color} stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" />`;
const tick = 'M5.6 10.4l3 3 5.8-6.4';
const dot =
  (fill: string): Drawing =>
  () =>
    disc(fill, null);
/** A rounded square button with a sign in white. */
const key =
  (sign: unknown, fill = '#5b6472'): Drawing =>
  () =>
    html`<svg viewBox="0 0 20 20"><rect x="1" y="1" width="18" height="18" rx="4.5" fill=${fill} />${sign}</svg>`;
const speaker = html`<path d="M2.5 7.5h3.2L10 4v12l-4.3-3.5H2.5z" fill="#7c8794" />`;
const bang = html`<rect x="9" y="5" width="2.1" height="6.4" rx="1" fill="#fff" /><circle cx="10" cy="14.2" r="1.3" fill="#fff" />`;

/** A letter box, its flag up or down. */
const letterBox =
  (fill: string, flag: string): Drawing =>
  () =>
    html`<svg viewBox="0 0 20 20"><path d="M9 13h2v6H9z" fill="#8a6a3b" /><path d="M2 9a4 4 0 0 1 4-4h8a4 4 0 0 1 4 4v5H2z" fill=${fill} /><path d="M2 9a3.5 3.5 0 0 1 7 0v5H2z" fill="#fff" fill-opacity=".35" />${stroke(flag, '#d92d3a')}</svg>`;

const DRAWINGS: Readonly<Record<DrawnEmoji, Drawing>> = {
  '✅': () =>
    html`<svg viewBox="0 0 20 20"><rect x="1" y="1" width="18" height="18" rx="4.5" fill="#1f9d55" />${stroke(tick)}</svg>`,
  '✔': () => html`<svg viewBox="0 0 20 20">${stroke('M4 11l4 4 8-9', '#1f9d55')}</svg>`,
  '☑': () =>
    html`<svg viewBox="0 0 20 20"><rect x="1" y="1" width="18" height="18" rx="4.5" fill="#2b7de0" />${stroke(tick)}</svg>`,
  '❌': () => html`<svg viewBox="0 0 20 20">${stroke('M4.5 4.5l11 11m0-11l-11 11', '#dc3545')}</svg>`,
  '✖': () => html`<svg viewBox="0 0 20 20">${stroke('M5 5l10 10m0-10L5 15', '#6b7280')}</svg>`,
  '⚠': () =>
    html`<svg viewBox="0 0 20 20"><path d="M10 1.6l8.8 15.6a1 1 0 0 1-.9 1.5H2.1a1 1 0 0 1-.9-1.5z" fill="#f5b301" /><rect x="9.1" y="7" width="1.9" height="5.6" rx=".9" fill="#3a2c00" /><circle cx="10" cy="15.2" r="1.15" fill="#3a2c00" /></svg>`,
  '❗': () =>
    html`<svg viewBox="0 0 20 20"><rect x="8.4" y="2" width="3.2" height="10.5" rx="1.6" fill="#dc3545" /><circle cx="10" cy="16.4" r="1.8" fill="#dc3545" /></svg>`,
  '❓': () =>
    disc(
      '#e0524d',
      html`<text x="10" y="14.4" text-anchor="middle" font-size="12.5" font-weight="700" fill="#fff">?</text>`,
    ),
  ℹ: () =>
    disc(
      '#2b7de0',
      html`<circle cx="10" cy="5.9" r="1.3" fill="#fff" /><rect x="9" y="8.4" width="2.1" height="6.6" rx="1" fill="#fff" />`,
    ),
  '⛔': () => disc('#d92d3a', html`<rect x="4.6" y="8.4" width="10.8" height="3.2" rx="1" fill="#fff" />`),
  '🚫': () =>
    html`<svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="7.8" fill="none" stroke="#d92d3a" stroke-width="2.4" />${stroke('M4.7 4.7l10.6 10.6', '#d92d3a')}</svg>`,
  '🛑': () =>
    html`<svg viewBox="0 0 20 20"><path d="M6.2 1h7.6L19 6.2v7.6L13.8 19H6.2L1 13.8V6.2z" fill="#d92d3a" />${bang}</svg>`,
  '🚨': () =>
    html`<svg viewBox="0 0 20 20"><path d="M4.5 15.5V10a5.5 5.5 0 0 1 11 0v5.5z" fill="#e0333f" /><rect x="2.5" y="15.2" width="15" height="3.2" rx="1" fill="#5b6472" />${stroke('M10 1v1.6M2.6 4.2l1.3 1.2M17.4 4.2l-1.3 1.2', '#e0333f')}</svg>`,
  '⏳': () =>
    html`<svg viewBox="0 0 20 20"><path d="M5 2.2h10M5 17.8h10" stroke="#8a6a3b" stroke-width="2.2" stroke-linecap="round" /><path d="M6 3h8c0 4-3 5-3 7s3 3 3 7H6c0-4 3-5 3-7S6 7 6 3z" fill="#cfe3f5" /><path d="M7 16.6c.3-2 2-2.8 3-3.8 1 1 2.7 1.8 3 3.8zM8.2 7h3.6L10 9.6z" fill="#e2a23b" /></svg>`,
  '⌛': () =>
    html`<svg viewBox="0 0 20 20"><path d="M5 2.2h10M5 17.8h10" stroke="#8a6a3b" stroke-width="2.2" stroke-linecap="round" /><path d="M6 3h8c0 4-3 5-3 7s3 3 3 7H6c0-4 3-5 3-7S6 7 6 3z" fill="#cfe3f5" /><path d="M6.4 16.8c.4-2.6 2.6-3.4 3.6-4 1 .6 3.2 1.4 3.6 4z" fill="#e2a23b" /></svg>`,
  '⏸': key(html`<path d="M7 6v8M13 6v8" stroke="#fff" stroke-width="2.4" stroke-linecap="round" />`),
  '⏹': key(html`<rect x="6" y="6" width="8" height="8" rx="1" fill="#fff" />`),
  '▶': key(html`<path d="M7.2 5.4l7 4.6-7 4.6z" fill="#fff" />`, '#2b7de0'),
  '↩': key(stroke('M14.5 13.5c.8-3-1-5-4-5H6m2.6-3L5.6 8.5l3 3')),
  '🔄': key(
    stroke('M5.2 9a5 5 0 0 1 8.6-2.4L15 8m0-3v3h-3m2.8 3a5 5 0 0 1-8.6 2.4L5 12m0 3v-3h3'),
    '#2b7de0',
  ),
  '🔔': () =>
    html`<svg viewBox="0 0 20 20"><path d="M10 1.6a1.2 1.2 0 0 1 1.2 1.3c2.4.6 3.9 2.6 3.9 5.2v3.7l1.9 2.7H3l1.9-2.7V8.1c0-2.6 1.5-4.6 3.9-5.2A1.2 1.2 0 0 1 10 1.6z" fill="#f5b301" /><path d="M7.8 15.8h4.4a2.2 2.2 0 0 1-4.4 0z" fill="#8a6a3b" /></svg>`,
  '🔇': () => html`<svg viewBox="0 0 20 20">${speaker}${stroke('M12.6 7.6l5 5m0-5l-5 5', '#d92d3a')}</svg>`,
  '🏁': () =>
    html`<svg viewBox="0 0 20 20"><path d="M4 2v16.4" stroke="#39424e" stroke-width="1.8" stroke-linecap="round" /><rect x="5" y="3" width="12" height="8.8" fill="#fff" stroke="#39424e" stroke-width=".8" /><path d="M5 3h3v3H5zm6 0h3v3h-3zM8 6h3v3H8zm6 0h3v3h-3zM5 9h3v2.8H5zm6 0h3v2.8h-3z" fill="#39424e" /></svg>`,
  '🗓': () =>
    html`<svg viewBox="0 0 20 20"><rect x="2" y="3" width="16" height="15" rx="1.8" fill="#f4f5f7" stroke="#b8c0ca" /><path d="M2 4.8A1.8 1.8 0 0 1 3.8 3h12.4A1.8 1.8 0 0 1 18 4.8V7H2z" fill="#d92d3a" /><path d="M5 10h2m2 0h2m2 0h2M5 14h2m2 0h2" stroke="#7c8794" stroke-width="1.8" /></svg>`,
  '⏰': () =>
    html`<svg viewBox="0 0 20 20">${stroke('M2.6 4.8l2.6-2.2M17.4 4.8l-2.6-2.2', '#d92d3a')}<circle cx="10" cy="11" r="6.8" fill="#fff" stroke="#d92d3a" stroke-width="1.8" />${stroke('M10 7.2V11l2.6 1.6', '#39424e')}</svg>`,
  '➖': () =>
    html`<svg viewBox="0 0 20 20"><rect x="3" y="8.6" width="14" height="2.8" rx="1.2" fill="#5b6472" /></svg>`,
  '📤': () =>
    html`<svg viewBox="0 0 20 20"><path d="M2 12h4l1.4 2.4h5.2L14 12h4v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" fill="#7c8794" />${stroke('M10 10.5V2.6M6.8 5.6L10 2.4l3.2 3.2', '#2b7de0')}</svg>`,
  '⚡': () =>
    html`<svg viewBox="0 0 20 20"><path d="M11.8 1L3.8 11.6h5L7.6 19l8.6-11H11z" fill="#f5b301" /></svg>`,
  '💬': () =>
    html`<svg viewBox="0 0 20 20"><path d="M3.5 3h13A1.5 1.5 0 0 1 18 4.5v8a1.5 1.5 0 0 1-1.5 1.5H9l-4 3.6V14H3.5A1.5 1.5 0 0 1 2 12.5v-8A1.5 1.5 0 0 1 3.5 3z" fill="#7c8794" /></svg>`,
  '📱': () =>
    html`<svg viewBox="0 0 20 20"><rect x="5" y="1" width="10" height="18" rx="2.2" fill="#39424e" /><rect x="6.2" y="3" width="7.6" height="12.8" rx=".6" fill="#8cc2f0" /><circle cx="10" cy="17.4" r=".8" fill="#fff" /></svg>`,
  '📎': () =>
    html`<svg viewBox="0 0 20 20">${stroke('M14.5 9.5l-5 5a3.2 3.2 0 0 1-4.6-4.6l6.2-6.2a2.2 2.2 0 0 1 3.1 3.1l-5.8 5.8a1 1 0 0 1-1.5-1.5l4.7-4.7', '#7c8794')}</svg>`,
  '👀': () =>
    html`<svg viewBox="0 0 20 20"><ellipse cx="5.7" cy="10" rx="4.2" ry="6" fill="#fff" stroke="#b8c0ca" /><ellipse cx="14.3" cy="10" rx="4.2" ry="6" fill="#fff" stroke="#b8c0ca" /><circle cx="6.8" cy="11" r="2" fill="#222" /><circle cx="15.4" cy="11" r="2" fill="#222" /></svg>`,
  '📣': () =>
    html`<svg viewBox="0 0 20 20"><path d="M2 8.2v3.6l2 .4 1 4.8h2.6l-.8-4.2L16.5 16V4L4 7.8z" fill="#d9534f" /><rect x="16.3" y="4" width="1.9" height="12" rx=".9" fill="#7c8794" /></svg>`,
  '🔒': () =>
    html`<svg viewBox="0 0 20 20"><path d="M6 9V6.5a4 4 0 0 1 8 0V9" fill="none" stroke="#7c8794" stroke-width="2" /><rect x="3.8" y="8.6" width="12.4" height="9.4" rx="2" fill="#e2a23b" /></svg>`,
  '📝': () =>
    html`<svg viewBox="0 0 20 20"><rect x="3" y="2" width="13" height="16" rx="1.6" fill="#f4f5f7" stroke="#b8c0ca" />${stroke('M6 6h7M6 9h7M6 12h4', '#9aa5b1')}<path d="M17.8 8.6l-6 7.6-2.2 1 .6-2.4 6-7.5z" fill="#e2a23b" /></svg>`,
  '🧪': () =>
    html`<svg viewBox="0 0 20 20"><path d="M8 2h4v10.5a2 2 0 0 1-4 0z" transform="rotate(30 10 9)" fill="#d6eadf" stroke="#7c8794" /><path d="M8 8h4v4.5a2 2 0 0 1-4 0z" transform="rotate(30 10 9)" fill="#1f9d55" /></svg>`,
  '👋': () =>
    html`<svg viewBox="0 0 20 20"><path d="M4.5 9.5l5 6.5c2.6 2.6 6.5 1 7-2.5l.6-5.3c.1-1.2-1.5-1.5-1.9-.3l-.7 2L9.6 3.6c-.7-.9-2 0-1.4 1L6.7 3.8c-.8-.8-2 .3-1.3 1.2l-.5.5c-.8-.5-1.7.5-1.1 1.3z" fill="#f7c648" stroke="#d79b1e" stroke-width=".6" /></svg>`,
  '🟢': dot('#1f9d55'),
  '🔴': dot('#d92d3a'),
  '🟡': dot('#f5b301'),
  '🟠': dot('#ee8b2d'),
  '🔵': dot('#2b7de0'),
  '⚪': () => disc('#d5dae0', null),
  '📬': letterBox('#2b7de0', 'M13 8.5V2.5h3'),
  '📪': letterBox('#7c8794', 'M12.5 9.5h4'),
  '📈': () =>
    html`<svg viewBox="0 0 20 20"><rect x="1.5" y="1.5" width="17" height="17" rx="1.8" fill="#f4f5f7" stroke="#b8c0ca" /><path d="M7 2v16M13 2v16M2 7h16M2 13h16" stroke="#d5dae0" />${stroke('M4 15l4-4 3 2 5-7m-3.2-.4l3.3.3.1 3.4', '#d92d3a')}</svg>`,
  '📋': () =>
    html`<svg viewBox="0 0 20 20"><rect x="3" y="2.5" width="14" height="16.5" rx="2" fill="#b07a45" /><rect x="5" y="5" width="10" height="12.2" fill="#f4f5f7" /><rect x="6.8" y="1" width="6.4" height="4" rx="1.2" fill="#7c8794" />${stroke('M7.4 9h5.2M7.4 12h5.2M7.4 15h3', '#9aa5b1')}</svg>`,
  '🏠': () =>
    html`<svg viewBox="0 0 20 20"><path d="M3.5 9.5h13V18h-13z" fill="#f0dcb8" /><path d="M1.2 10.4L10 2.4l8.8 8" fill="none" stroke="#c0492f" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" /><rect x="8.2" y="12" width="3.6" height="6" fill="#8a6a3b" /></svg>`,
  '✍': () =>
    html`<svg viewBox="0 0 20 20">${stroke('M2.5 18.2h15', '#9aa5b1')}<path d="M9.4 16.4l.8-3.2 6.6-9.4 2 1.4-6.5 9.5z" fill="#2b7de0" /><path d="M3 11.4l5.4-3 4.6.6c1.2.2 1.2 1.8 0 1.9l-2.2.2 1.4 1c1 .8.2 2.2-1 1.8l-1.6-.5-2.2 2.2H3z" fill="#f7c648" stroke="#d79b1e" stroke-width=".6" /></svg>`,
  '✏': () =>
    html`<svg viewBox="0 0 20 20"><path d="M2 18l1-4.6L13.4 3a1.6 1.6 0 0 1 2.3 0L17 4.3a1.6 1.6 0 0 1 0 2.3L6.6 17z" fill="#f5b301" /><path d="M2 18l1-4.6L6.6 17z" fill="#f0dcb8" /><path d="M12 4.4L13.4 3a1.6 1.6 0 0 1 2.3 0L17 4.3a1.6 1.6 0 0 1 0 2.3L15.6 8z" fill="#d9534f" /></svg>`,
  '✋': () =>
    html`<svg viewBox="0 0 20 20"><path d="M5.6 10V4.6c0-1.3 1.9-1.3 1.9 0V2.8c0-1.3 2-1.3 2 0v-.4c0-1.3 2-1.3 2 0v.8c0-1.3 2-1.3 2 0v7.6l1.5-2c.8-1 2.4-.2 1.8 1l-2.9 6C13 17.6 11.6 19 9.6 19 7 19 5.6 17 5.6 14.4z" fill="#f7c648" stroke="#d79b1e" stroke-width=".6" /></svg>`,
};

/** A drawing of the emoji, or undefined when the system's font shall draw it. */
export function emojiDrawing(character: string): VNode | undefined {
  const drawn = drawnEmoji(character);
  return drawn && DRAWINGS[drawn]();
}
