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

/** What the customer read on what comes back with this id; undefined where the message offers no such thing. */
export function titleOfReply({ action }: InteractiveMessage, replyId: string): string | undefined {
  const { id: wanted } = readReplyId(replyId);
  const choices = action.type === 'button' ? action.buttons : action.sections.flatMap(({ rows }) => rows);
  return choices.find(({ id }) => readReplyId(id).id === wanted)?.title;
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
