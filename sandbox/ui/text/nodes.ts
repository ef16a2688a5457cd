/** What formatted text is made of, whichever notation it was written in. Parsers make it, `text/view.ts` draws it. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; url: string; children: Inline[] }
  | { type: 'user' | 'channel' | 'usergroup'; id: string; label?: string }
  | { type: 'broadcast'; range: string }
  | { type: 'date'; epochSeconds: number; format: string; fallback: string; url?: string }
  | { type: 'emoji'; name: string }
  | { type: 'break' };

export interface ListItem {
  children: Inline[];
  /** 0 is the outermost level. */
  indent: number;
  ordered: boolean;
  /** The number or bullet's place, counted from 1 within its level. */
  position: number;
}

export type TextBlock =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'quote'; children: Inline[] }
  | { type: 'preformatted'; text: string }
  | { type: 'list'; items: ListItem[] }
  | { type: 'rule' }
  | { type: 'table'; header: Inline[][]; rows: Inline[][][] };

/** Only these open from a link; anything else (`javascript:` above all) stays text. */
const SAFE_LINK = /^(https?:|mailto:|tel:)/i;

export function isSafeLink(url: string): boolean {
  return SAFE_LINK.test(url);
}

/** `&amp; &lt; &gt;`: the three characters that Slack escapes. */
export function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}

/** The other way round: what Slack's client does to a text before it stores it. */
export function encodeEntities(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
