import type { VNode } from 'preact';
import { html } from './html.ts';

/** A person's initials on their colour; an app shows its own sign. */
export function Avatar({
  name,
  color,
  kind,
  size,
}: {
  name: string;
  color?: string | undefined;
  kind: 'person' | 'app' | 'otherApp';
  size?: 'small' | 'large';
}): VNode {
  const className = `avatar avatar-${kind} ${size ? `avatar-${size}` : ''}`;
  if (kind === 'app') return html`<span class=${className} aria-hidden="true"><${HeraldSign} /></span>`;
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('');
  const background = color ? `#${color.replace(/^#/, '')}` : undefined;
  return html`<span class=${className} style=${{ background }} aria-hidden="true">${initials}</span>`;
}

/** A herald's horn. */
export function HeraldSign(): VNode {
  return html`<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.2"
    stroke-linejoin="round" stroke-linecap="round">
    <path d="M6 13.5v5l3 .6L21 24V8L9 12.9z" fill="currentColor" fill-opacity=".22" />
    <path d="M10.5 19.5l1.5 6h3.2l-1.3-4.6M24.5 13a4.2 4.2 0 0 1 0 6" />
  </svg>`;
}
