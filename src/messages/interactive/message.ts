import type { Msisdn } from '../numbers/phone-number.ts';

/** Header media: stored by the service, or fetched by a provider (interface document, "Media object forms"). */
export type MediaReference =
  | { readonly id: string }
  | { readonly link: string; readonly provider?: { readonly name: string } };

/** Interface document, "Header object". */
export type InteractiveHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video'; readonly media: MediaReference }
  | { readonly type: 'document'; readonly media: MediaReference; readonly filename: string };

/** What a message shows around whatever it asks for (interface document, "Interactive object"). */
export interface Frame {
  readonly header?: InteractiveHeader;
  readonly body: string;
  readonly footer?: string;
}

export interface Choice {
  /** Comes back by webhook when it is tapped. */
  readonly id: string;
  /** True when Herald made the id, which then names the send (reply-ids.ts). */
  readonly proposed: boolean;
  readonly title: string;
  /** Rows of a list only. */
  readonly description?: string;
}

export interface ListSection {
  readonly id: string;
  readonly title?: string;
  readonly rows: readonly Choice[];
}

/** Interface document, "action". */
export type InteractiveAction =
  | { readonly type: 'button'; readonly buttons: readonly Choice[] }
  | { readonly type: 'list'; readonly button: string; readonly sections: readonly ListSection[] };

/** docs/wire.md row 11, without its recipient. */
export interface InteractiveMessage extends Frame {
  readonly kind: 'interactive';
  readonly from: Msisdn;
  readonly action: InteractiveAction;
  readonly campaignName?: string;
}

/*
 * The id of a button or row comes back when a customer taps it. An id that Herald made also names the send:
 * `yes~S-7K2M9QX4TB`. That reference is added when the send is stored. An id that its author chose is sent unchanged.
 */

const REFERENCE = /^(?<id>.*)~(?<sendId>S-[0-9A-HJKMNP-TV-Z]{10})$/su;

/** The parts of an id that came back: without the reference, and the send whose message was tapped, if Herald made the id. */
export function readReplyId(replyId: string) {
  const { id, sendId } = REFERENCE.exec(replyId)?.groups ?? {};
  return id === undefined || sendId === undefined ? { id: replyId } : { id, sendId };
}

/** What the customer read on what comes back with this id; undefined where the message offers no such thing. */
export function titleOfReply({ action }: InteractiveMessage, replyId: string): string | undefined {
  const { id: wanted } = readReplyId(replyId);
  const choices = action.type === 'button' ? action.buttons : action.sections.flatMap(({ rows }) => rows);
  return choices.find(({ id }) => readReplyId(id).id === wanted)?.title;
}

/** The message whose ids made by Herald name this send, instead of any earlier one. */
export function withReplyReference(message: InteractiveMessage, sendId: string): InteractiveMessage {
  const refer = (choice: Choice): Choice =>
    choice.proposed ? { ...choice, id: `${readReplyId(choice.id).id}~${sendId}` } : choice;
  const { action } = message;
  return {
    ...message,
    action:
      action.type === 'button'
        ? { ...action, buttons: action.buttons.map(refer) }
        : {
            ...action,
            sections: action.sections.map((section) => ({ ...section, rows: section.rows.map(refer) })),
          },
  };
}

/** Leaves room for a number after it, within every limit of an id. */
const LONGEST_WORDS = 60;

/** The words of a title, in lower case, with dashes between them. */
export function idFrom(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...words].slice(0, LONGEST_WORDS).join('');
  return short === '' ? otherwise : short;
}

/** What a section without an id of its own is called; nobody taps it. */
export function sectionId(index: number): string {
  return `section-${index + 1}`;
}

/** The id, with a number after it if it is taken. The result is then taken. */
export function takeFreeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}
