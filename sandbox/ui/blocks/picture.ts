import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';

/** An image of somewhere else; where it cannot be had, a frame with its name stands for it. */
export function Picture({
  url,
  alt,
  className,
}: {
  url: string | undefined;
  alt: string | undefined;
  className: string;
}): VNode {
  const [failed, setFailed] = useState<string>();
  if (url && failed !== url) {
    return html`<img class=${className} src=${url} alt=${alt ?? ''} referrerpolicy="no-referrer"
      onError=${() => setFailed(url)} />`;
  }
  return html`<span class=${`${className} picture-missing`} role="img" aria-label=${alt ?? 'Image'}
    title=${url}>
    <${Icon} name="picture" size=${22} /><span>${alt || fileName(url)}</span>
  </span>`;
}

/** Where the page finds a file of the workspace. */
export function addressOf(file: { id?: string; url?: string } | undefined): string | undefined {
  return file?.id === undefined ? file?.url : `/files/${encodeURIComponent(file.id)}/shown`;
}

/** The last part of an address: what a person would call the file. */
export function fileName(url: string | undefined): string {
  if (!url || !URL.canParse(url)) return 'Image';
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || new URL(url).host;
}
