import type { ComponentChild, VNode } from 'preact';
import { html } from '../html.ts';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** Indented JSON with its parts in colours. What is no JSON value is shown as it came. */
export function JsonView({ value }: { value: unknown }): VNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<pre class="json">${typeof value === 'string' ? text : colored(text ?? 'undefined')}</pre>`;
}

function colored(text: string): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match;
    parts.push(text.slice(from, match.index));
    const kind = string ? (colon ? 'key' : 'string') : word ? 'word' : 'number';
    parts.push(html`<span class=${`json-${kind}`}>${string ?? whole}</span>`, colon ?? '');
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
