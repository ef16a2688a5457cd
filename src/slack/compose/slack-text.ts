import { unescapeEntities } from '../blocks/escape.ts';

/**
 * What a person typed after a command, out of what Slack makes of it. Slack escapes `& < >` and turns numbers,
 * addresses and mentions into `<target|label>`; the label is what was typed, the target what it means.
 */

/** A run of text as typed; `target` is there when Slack made a link of it. */
export interface Piece {
  readonly text: string;
  /** A URL, or a phone number without its `tel:`. */
  readonly target?: string;
}

const NOTATION =
  /<(?<link>https?:\/\/[^<>|\s]+|mailto:[^<>|\s]+|tel:[^<>|]+)(?:\|(?<linkLabel>[^<>]*))?>|<(?<mention>@[UW][A-Z0-9]+|#C[A-Z0-9]+|![a-z]+[^<>|]*)(?:\|(?<mentionLabel>[^<>]*))?>|&(?:amp|lt|gt);/g;

/** The pieces of a command's text, unescaped once: `&amp;lt;` was typed as `&lt;` and stays that. */
export function slackPieces(raw: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  let end = 0;
  const closePlain = () => {
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
  };
  for (const match of raw.matchAll(NOTATION)) {
    plain += raw.slice(end, match.index);
    end = match.index + match[0].length;
    const { link, linkLabel, mention, mentionLabel } = match.groups ?? {};
    if (link !== undefined) {
      closePlain();
      pieces.push(linkPiece(unescapeEntities(link), linkLabel));
    } else if (mention !== undefined) {
      plain += mentionText(mention, mentionLabel);
    } else {
      plain += unescapeEntities(match[0]);
    }
  }
  plain += raw.slice(end);
  closePlain();
  return pieces;
}

/** The text as typed. */
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
