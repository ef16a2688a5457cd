import { validateMessage, validateView } from '../../sandbox/slack/block-kit/index.ts';
import { parseMarkdown } from '../../sandbox/ui/text/markdown.ts';
import { parseMrkdwn } from '../../sandbox/ui/text/mrkdwn.ts';
import type { Inline, TextBlock } from '../../sandbox/ui/text/nodes.ts';
import { MARKS } from './hostile-strings.ts';

/*
 * Judges what Herald shows in Slack, as Slack reads it: by the sandbox’s own readers and limits, which share no code with
 * Herald.
 */

/** Half a character, or a mark that turns around what stands beside it. */
const TURNING = /[\ud800-\udfff\u202a-\u202e\u2066-\u2069]/u;

/** A notification, a link or a person that only a hostile string can have named. */
const NAMED = /^(?:channel|here|everyone)$|VICTIM|evil\.example/;

/** What is wrong with a message: who is called, what is formatted, and which of Slack’s limits it breaks. */
export function faultsOfMessage(message: object): string[] {
  const { text = '', blocks = [] } = message as { readonly text?: unknown; readonly blocks?: unknown };
  const inText =
    Array.isArray(blocks) && blocks.length > 0
      ? callsIn(parseMrkdwn(String(text)))
      : faultsOf(parseMrkdwn(String(text)));
  return [...validateMessage(message), ...inText, ...faultsIn(blocks)];
}

/** The same of a window or a Home. */
export function faultsOfView(view: object): string[] {
  return [...validateView(view), ...faultsIn(view)];
}

/** Wherever Slack reads marks or draws more than letters. */
function faultsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(faultsIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Readonly<Record<string, unknown>>;
  const turned = typeof node.text === 'string' && TURNING.test(node.text) ? ['something turns around'] : [];
  const within = [...turned, ...Object.values(node).flatMap(faultsIn)];
  switch (node.type) {
    case 'mrkdwn':
      return [...turned, ...faultsOf(parseMrkdwn(String(node.text)))];
    case 'markdown':
      return [...turned, ...faultsOf(parseMarkdown(String(node.text)))];
    case 'user':
    case 'usergroup':
    case 'channel':
    case 'broadcast':
    case 'link': {
      const named = String(node.user_id ?? node.usergroup_id ?? node.channel_id ?? node.range ?? node.url);
      return NAMED.test(named) ? [`${node.type} ${named}`, ...within] : within;
    }
    case 'button':
      return NAMED.test(String(node.url)) ? [`button ${String(node.url)}`, ...within] : within;
    default:
      return within;
  }
}

function faultsOf(blocks: readonly TextBlock[]): string[] {
  const visible = blocks.map(visibleIn).join('\n').replaceAll('’', '`').replaceAll('∗', '*');
  const drawn = MARKS.filter(({ word, mark }) =>
    visible
      .split(word)
      .slice(0, -1)
      .some((before) => !before.trimEnd().endsWith(mark)),
  );
  return [...callsIn(blocks), ...drawn.map(({ word, mark }) => `${mark}${word} is drawn`)];
}

function callsIn(blocks: readonly TextBlock[]): string[] {
  return blocks.flatMap(inlinesOf).flatMap(callsOf);
}

function callsOf(node: Inline): string[] {
  if ('children' in node) {
    const inside = node.children.flatMap(callsOf);
    return node.type === 'link' && NAMED.test(node.url) && !isBare(node)
      ? [`link ${node.url}`, ...inside]
      : inside;
  }
  const named = 'id' in node ? node.id : 'range' in node ? node.range : 'url' in node ? (node.url ?? '') : '';
  return NAMED.test(named) ? [`${node.type} ${named}`] : [];
}

/** Shows where it leads. `verbatim` keeps Slack from making one of a bare address. */
function isBare({ url, children }: Inline & { readonly type: 'link' }): boolean {
  return children.map(inlineText).join('') === url;
}

function inlinesOf(block: TextBlock): readonly Inline[] {
  switch (block.type) {
    case 'list':
      return block.items.flatMap(({ children }) => children);
    case 'table':
      return [block.header, ...block.rows].flat(2);
    case 'preformatted':
    case 'rule':
      return [];
    default:
      return block.children;
  }
}

function visibleIn(block: TextBlock): string {
  return block.type === 'preformatted' ? block.text : inlinesOf(block).map(inlineText).join('');
}

function inlineText(node: Inline): string {
  if (node.type === 'text') return node.text;
  if (node.type === 'code') return node.text;
  if (node.type === 'break') return '\n';
  return 'children' in node ? node.children.map(inlineText).join('') : '';
}
