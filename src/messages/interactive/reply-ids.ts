import type { Choice, InteractiveMessage } from './message.ts';

/*
 * The id of a button or row comes back when a customer taps it. An id that Herald made says, besides what was tapped, of
 * which send it was: `yes~S-7K2M9QX4TB`. The reference is added when a send is stored, since only then it has a name; an
 * id that its author chose goes out as it was written.
 */

const REFERENCE = /^(?<id>.*)~(?<sendId>S-[0-9A-HJKMNP-TV-Z]{10})$/su;

/** What an id that came back says. */
export interface ReplyId {
  /** As it was proposed or written, without a reference. */
  readonly id: string;
  /** The send whose message was tapped; absent for ids that their author chose. */
  readonly sendId?: string;
}

export function readReplyId(replyId: string): ReplyId {
  const { id, sendId } = REFERENCE.exec(replyId)?.groups ?? {};
  return id === undefined || sendId === undefined ? { id: replyId } : { id, sendId };
}

/** The message as it goes out with this send: ids that Herald made name it, in the place of any send before. */
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

/** Room for a number behind a title that is used twice, and far below every limit of an id. */
const LONGEST_WORDS = 60;

/** What an id is made of: the words of a title, in lower case, with dashes between them. */
export function idFrom(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...words].slice(0, LONGEST_WORDS).join('');
  return short === '' ? otherwise : short;
}

/** The id, or the id with the first free number behind it; what is returned is then taken. */
export function takeFreeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}
