import { unescapeEntities } from '../../connection/escape.ts';
import { withEmoji } from './emoji.ts';

/**
 * Reads what a person typed after a command or into a workflow out of what Slack makes of it. Slack escapes `& < >`, names
 * emoji, and turns numbers, addresses and mentions into `<target|label>`; the label is what was typed, the target what
 * it means.
 */

/** A run of text as typed; `target` is there when Slack made a link of it. */
export interface Piece {
  readonly text: string;
  /** A URL, or a phone number without its `tel:`. */
  readonly target?: string;
}

/** `<target>`, `<target|label>` or an escaped character. */
const NOTATION = /<(?<target>[^<>|]+)(?:\|(?<label>[^<>]*))?>|&(?:amp|lt|gt);/g;
const LINK = /^(?:(?:https?:\/\/|mailto:)\S+|tel:.+)$/s;
const MENTION = /^(?:@[UW][A-Z0-9]+|#C[A-Z0-9]+|![a-z].*)$/s;

/** The pieces of a command's text, unescaped once: `&amp;lt;` was typed as `&lt;` and stays that. */
export function slackPieces(raw: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  let end = 0;
  const closePlain = () => {
    if (plain !== '') pieces.push({ text: withEmoji(plain) });
    plain = '';
  };
  for (const match of raw.matchAll(NOTATION)) {
    plain += raw.slice(end, match.index);
    end = match.index + match[0].length;
    const { target, label } = match.groups ?? {};
    if (target === undefined) {
      plain += unescapeEntities(match[0]);
    } else if (LINK.test(target)) {
      closePlain();
      pieces.push(linkPiece(unescapeEntities(target), label));
    } else {
      plain += MENTION.test(target) ? mentionText(target, label) : match[0];
    }
  }
  plain += raw.slice(end);
  closePlain();
  return pieces;
}

export function typedText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('');
}

function linkPiece(link: string, label: string | undefined): Piece {
  const target = link.replace(/^(?:tel|mailto):/, '');
  return { text: label ? unescapeEntities(label) : target, target };
}

/** `<@U0ASHA|asha>` was typed as `@asha`; without a label only the id is left to show. */
function mentionText(mention: string, label: string | undefined): string {
  const sign = mention.charAt(0) === '#' ? '#' : '@';
  if (label)
    return label.startsWith(sign) || mention.startsWith('!')
      ? unescapeEntities(label)
      : sign + unescapeEntities(label);
  return sign + mention.slice(1);
}
