import { isEmojiName } from './emoji.ts';
import { decodeEntities, type Inline, isSafeLink } from './nodes.ts';

/** The marks of one notation, longest first, since `**` would otherwise be read as two `*`. */
export interface Dialect {
  marks: readonly { mark: string; type: 'bold' | 'italic' | 'strike' }[];
  /** `[label](address)` links. */
  bracketLinks: boolean;
}

/** A text being read. */
interface Source {
  text: string;
  dialect: Dialect;
  /**
   * By mark: up to here nothing closes it. One that found no end on its line spares the next ones the search,
   * or a long line of asterisks would take quadratic time.
   */
  unclosedUntil: Map<string, number>;
}

/** One construct found at a place of the source: its node and how many characters it takes. */
interface Found {
  node: Inline;
  length: number;
}

const BARE_URL = /https?:\/\/[^\s<>|]+/y;
const EMOJI = /:([a-z0-9_+'-]+)(?:::skin-tone-[2-6])?:/y;
const ENTITY = /&(?:amp|lt|gt);/y;
const BRACKET_LINK = /!?\[([^\]\n]*)\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/y;
const WORD = /[\p{L}\p{N}]/u;

/** Reads a run of text (line breaks allowed) in the given notation. Never fails: what is not a mark is text. */
export function parseInline(source: string, dialect: Dialect): Inline[] {
  const reading: Source = { text: source, dialect, unclosedUntil: new Map() };
  const nodes: Inline[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') nodes.push({ type: 'text', text: plain });
    plain = '';
  };
  let at = 0;
  while (at < source.length) {
    const found = construct(reading, at);
    if (found) {
      if (found.node.type === 'text') plain += found.node.text;
      else {
        flush();
        nodes.push(found.node);
      }
      at += found.length;
    } else {
      plain += source[at] ?? '';
      at += 1;
    }
  }
  flush();
  return nodes;
}

function construct(reading: Source, at: number): Found | undefined {
  const { text: source, dialect } = reading;
  switch (source[at]) {
    case '\n':
      return { node: { type: 'break' }, length: 1 };
    case '`':
      return codeAt(source, at);
    case '<':
      return referenceAt(source, at, dialect);
    case '&':
      return entityAt(source, at);
    case ':':
      return emojiAt(source, at);
    case 'h':
      return urlAt(source, at);
    case '[':
    case '!':
      return dialect.bracketLinks ? bracketLinkAt(source, at, dialect) : undefined;
    default:
      return markAt(reading, at);
  }
}

function codeAt(source: string, at: number): Found | undefined {
  const end = source.indexOf('`', at + 1);
  const text = source.slice(at + 1, end);
  if (end < 0 || text === '' || text.includes('\n')) return undefined;
  return { node: { type: 'code', text: decodeEntities(text) }, length: end + 1 - at };
}

function entityAt(source: string, at: number): Found | undefined {
  const entity = matchAt(ENTITY, source, at)?.[0];
  return entity ? { node: { type: 'text', text: decodeEntities(entity) }, length: entity.length } : undefined;
}

function emojiAt(source: string, at: number): Found | undefined {
  const match = matchAt(EMOJI, source, at);
  const name = match?.[1];
  if (!match || !name || !isEmojiName(name)) return undefined;
  return { node: { type: 'emoji', name }, length: match[0].length };
}

function urlAt(source: string, at: number): Found | undefined {
  if (WORD.test(source[at - 1] ?? '')) return undefined;
  const matched = matchAt(BARE_URL, source, at)?.[0];
  if (!matched) return undefined;
  const written = matched.replace(/[.,;:!?'")\]*_~`]+$/, '');
  const url = decodeEntities(written);
  return { node: { type: 'link', url, children: [{ type: 'text', text: url }] }, length: written.length };
}

function bracketLinkAt(source: string, at: number, dialect: Dialect): Found | undefined {
  const match = matchAt(BRACKET_LINK, source, at);
  const url = decodeEntities(match?.[2] ?? '');
  if (!match || !isSafeLink(url)) return undefined;
  const label = match[1] === '' || match[1] === undefined ? url : match[1];
  return {
    node: { type: 'link', url, children: parseInline(label, { ...dialect, bracketLinks: false }) },
    length: match[0].length,
  };
}

/** `<…>`: links, people, channels, groups, broadcasts and dates. */
function referenceAt(source: string, at: number, dialect: Dialect): Found | undefined {
  const end = source.indexOf('>', at + 1);
  const inner = source.slice(at + 1, end);
  if (end < 0 || inner === '' || /[<\n]/.test(inner)) return undefined;
  const node = reference(inner, dialect);
  return node ? { node, length: end + 1 - at } : undefined;
}

function reference(inner: string, dialect: Dialect): Inline | undefined {
  const bar = inner.indexOf('|');
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? undefined : decodeEntities(inner.slice(bar + 1));
  const named = label ? { label } : {};
  if (/^@[UW][A-Z0-9]+$/.test(target)) return { type: 'user', id: target.slice(1), ...named };
  if (/^#[CDG][A-Z0-9]+$/.test(target)) return { type: 'channel', id: target.slice(1), ...named };
  if (target.startsWith('!subteam^')) return { type: 'usergroup', id: target.slice(9), ...named };
  if (target.startsWith('!date^')) return dateReference(target, label);
  if (/^!(here|channel|everyone)$/.test(target)) return { type: 'broadcast', range: target.slice(1) };
  const url = decodeEntities(target);
  if (!isSafeLink(url)) return undefined;
  const shown = label ?? url.replace(/^(mailto|tel):/i, '');
  const marks = { ...dialect, bracketLinks: false };
  return { type: 'link', url, children: label ? parseInline(shown, marks) : [{ type: 'text', text: shown }] };
}

/** `!date^<epoch seconds>^<format>[^<link>]`, with a fallback behind the bar. */
function dateReference(target: string, fallback: string | undefined): Inline | undefined {
  const [, seconds, format, url] = target.split('^');
  const epochSeconds = Number(seconds);
  if (!format || !Number.isFinite(epochSeconds)) return undefined;
  const link = url && isSafeLink(url) ? { url } : {};
  return { type: 'date', epochSeconds, format, fallback: fallback ?? '', ...link };
}

/** A mark opens between a non-word and a non-space character, and closes the other way round on its line. */
function markAt({ text: source, dialect, unclosedUntil }: Source, at: number): Found | undefined {
  for (const { mark, type } of dialect.marks) {
    if (!source.startsWith(mark, at) || at < (unclosedUntil.get(mark) ?? 0)) continue;
    const first = source[at + mark.length] ?? ' ';
    if (WORD.test(source[at - 1] ?? '') || /\s/.test(first) || first === mark[0]) continue;
    const end = closingMark(source, at + mark.length, mark);
    if (end < 0) {
      unclosedUntil.set(mark, endOfLine(source, at));
      continue;
    }
    const children = parseInline(source.slice(at + mark.length, end), dialect);
    return { node: { type, children }, length: end + mark.length - at };
  }
  return undefined;
}

function closingMark(source: string, from: number, mark: string): number {
  let at = from;
  while (at < source.length && source[at] !== '\n') {
    const opaque = source[at] === '`' ? codeAt(source, at)?.length : skipReference(source, at);
    if (opaque) {
      at += opaque;
      continue;
    }
    const closes =
      at > from &&
      source.startsWith(mark, at) &&
      !/\s/.test(source[at - 1] ?? ' ') &&
      !WORD.test(source[at + mark.length] ?? '') &&
      !isInsideLongerRun(source, at, mark);
    if (closes) return at;
    at += 1;
  }
  return -1;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** In `**a *b* c**` the single mark must not close on one half of a double one. */
function isInsideLongerRun(source: string, at: number, mark: string): boolean {
  if (mark.length > 1) return false;
  return source[at + 1] === mark || source[at - 1] === mark;
}

function skipReference(source: string, at: number): number | undefined {
  if (source[at] !== '<') return undefined;
  const end = source.indexOf('>', at);
  return end < 0 || source.slice(at, end).includes('\n') ? undefined : end + 1 - at;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
