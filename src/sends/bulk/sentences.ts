import type { ApproverProblem, Refusal } from '../bulk.ts';
import type { Failure } from '../outcome.ts';
import { isWithdrawn, type Send, type SendState } from '../send.ts';
import { markSentence, type Warning } from '../templates/mark.ts';

export function refusal(what: string, next: string, path?: string): Refusal {
  return { state: 'refused', what, next, ...(path !== undefined && { path }) };
}

export const NO_AUDIENCE = refusal(
  'This list is no longer there. Nothing was sent.',
  'Give the recipients again.',
);
export const EMPTY_AUDIENCE = refusal(
  'This list has no valid recipient. Nothing was sent.',
  'Look at the rows that were left out, correct them, and upload the list again.',
);
export const noTemplate = (name: string) =>
  refusal(
    `The template “${name}” is not in the catalogue, so nobody could check what is sent. Nothing was sent.`,
    'Restore it under /templates, or choose another one.',
    'template',
  );
export const NO_APPROVER = refusal(
  'A send to so many recipients needs an approval, and no approvers are configured. Nothing was sent.',
  'Ask whoever runs Herald to name approvers.',
);
export const NO_PASSWORDS = refusal(
  'A one-time password is for one person and cannot be sent to a list. Nothing was sent.',
  'Choose another template.',
);
export const IN_THE_PAST = refusal(
  'The start is in the past. Nothing was sent.',
  'Choose a later time, or none to start at once.',
  'schedule',
);
export const STOPPING = refusal(
  'Herald is being restarted and takes nothing new. Nothing was sent.',
  'Try again in a minute.',
);
export const CANNOT_STORE = refusal(
  'Herald could not write this send to its database. Nothing was sent.',
  'Try again; if it happens again, ask whoever runs Herald to look at its database.',
);
export const MAY_BE_STORED: Refusal = {
  ...refusal(
    'Herald’s database did not answer, so nobody knows whether it has this send: it may be sent, or wait for approval.',
    'Look at /sends in a minute before you ask again: what does not stand there was not sent.',
  ),
  isUnsure: true,
};
export const NOT_FOUND = refusal('There is no such send.', 'Check the reference.');
export const NOT_ENDED = refusal(
  'Some messages of this send are still on their way, or it has not ended. Nothing was sent again.',
  'Try again once it has ended.',
);
export const REMOVED = refusal(
  'The texts or numbers of this send are no longer kept, so it cannot be tried again. Nothing was sent.',
  'Ask for a new send.',
);
export const NOTHING_TO_RETRY = refusal(
  'No recipient is left to try again. Nothing was sent.',
  'Look at the report of the send.',
);

export const WHY_NOT_APPROVE = {
  requester: refusal('Nobody approves their own send. Nothing was approved.', 'Ask another approver.'),
  requester_before: refusal(
    'You asked for the send that this one tries again, so it counts as your own. Nothing was approved.',
    'Ask another approver.',
  ),
  not_listed: refusal('You are not among the approvers. Nothing was approved.', 'Ask somebody who is.'),
  guest: refusal('Guests may not approve. Nothing was approved.', 'Ask a member who is an approver.'),
  other_workspace: refusal(
    'People of another workspace may not approve. Nothing was approved.',
    'Ask an approver of this workspace.',
  ),
  unknown: refusal(
    'Slack did not say whether you may approve. Nothing was approved.',
    'Try again in a minute.',
  ),
} as const;

/** For a click on a card that did not say so yet. */
export const REPEATS_SINCE = refusal(
  'Since this card was shown, more or other sends have come to bring these people the very same message. Nothing was approved.',
  'Read on the card how many get it again, and approve it once more if it is meant.',
);

/** The record says this about a refused approval. */
export const REFUSED_APPROVAL: Readonly<Record<ApproverProblem, Failure>> = {
  requester: refusedBecause('It was their own send.'),
  requester_before: refusedBecause('They asked for the send that it tries again.'),
  not_listed: refusedBecause('They were not among the approvers.'),
  guest: refusedBecause('They were a guest.'),
  other_workspace: refusedBecause('They were of another workspace.'),
  unknown: refusedBecause('Slack did not say whether they may approve.'),
};

function refusedBecause(what: string): Failure {
  return reason(what, 'Nothing was approved.');
}

const STATE_WORDS: Readonly<Record<SendState, string>> = {
  draft: 'is still being prepared',
  awaiting_approval: 'waits for approval',
  approved: 'is approved and about to start',
  scheduled: 'is approved and waits for its time',
  sending: 'is being sent',
  paused: 'is paused',
  done: 'is done',
  rejected: 'was rejected',
  expired: 'has expired',
  cancelled: 'was cancelled',
  stopped: 'was stopped',
};

/** For a click that came too late: the send's current state. */
export function notAnyMore(send: Send): Refusal {
  const how = isWithdrawn(send) ? 'was withdrawn' : STATE_WORDS[send.state];
  return refusal(
    `${send.id} ${how}, so this changed nothing.`,
    'Look at its card or at /sends for how it stands.',
  );
}

export const ONLY_REQUESTER = refusal(
  'Only the person who asked for this send may do that. Nothing changed.',
  'Ask them.',
);
export const ONLY_INVOLVED = refusal(
  'Only the person who asked for this send, or an approver, may do that. Nothing changed.',
  'Ask one of them.',
);

export const begunMeanwhile = (id: string) =>
  refusal(
    `${id} has begun as it was, so it can no longer be changed, and this was not asked for.`,
    'Look at its progress; it can be stopped there.',
  );

function reason(what: string, next: string): Failure {
  return { what, next, scope: 'send' };
}

export const replacedBy = (id: string) =>
  reason(`Changed, and asked for again as ${id}.`, 'Look at that one.');
export const EXPIRED = reason(
  'Nobody approved it in time. Nothing was sent.',
  'Ask for it again if it is still wanted.',
);
export const MISSED = reason(
  'Herald was not running when it should have started, and it is more than an hour late.',
  'Resume it to send it now, or stop it.',
);
export const APPROVED_LATE = reason(
  'It was approved after its scheduled start, so it did not start by itself.',
  'Resume it to send it now, or stop it.',
);
export const stricter = (needed: number) =>
  reason(
    `The rules for approvals have become stricter: it needs ${needed} ${needed === 1 ? 'approval' : 'approvals'} now.`,
    'Approvals that were given still count. Approve it, or reject it.',
  );
export const brokenOff = (minutes: number) =>
  reason(
    `Herald was stopped in the middle of it, and its last attempt is more than ${minutes} minutes ago, so it did not resume by itself. If an older copy of Herald’s database was restored, some recipients shown as not tried may have received it.`,
    'Look in this channel and in the service’s own log for what went out; then resume it, or stop it.',
  );
export const LEFT_BEHIND = reason('Its preparation was interrupted. Nothing was sent.', 'Ask for it again.');
export const ROLE_LOST = reason(
  'Somebody who approved it is no longer an approver. Nothing was sent.',
  'Ask for it again.',
);
export const CHANGED = reason('It is no longer what was approved. Nothing was sent.', 'Ask for it again.');

export const APPROVERS_UNSURE = refusal(
  'Slack did not say whether those who approved it still may, so it was not resumed. Nothing was sent.',
  'Try again in a minute.',
);

export const templateChanged = (label: string) =>
  reason(
    `The template “${label}” was changed, so its approvals are void. Nothing was sent.`,
    'Look at the message as it is now and ask for it again.',
  );

/** For a send whose template was marked after it was approved. */
export const templateMarked = (mark: Warning | undefined) =>
  reason(
    `${mark ? markSentence(mark) : ''} Nothing was sent.`.trim(),
    'Look at the template under /templates and settle it with the service; then resume the send, or stop it.',
  );

/** For resuming a send that must not begin. */
export const stoppedUnbegun = ({ what, next }: Failure) => refusal(`${what} The send was stopped.`, next);

/** For resuming a send whose pause must last. */
export const stillPaused = ({ what, next }: Failure) =>
  refusal(`${what} So it was not resumed, and nothing was sent.`, next);

export const warnedOf = (warnings: string) =>
  reason(`The card warned: ${warnings}`, 'It was approved all the same.');

export const rejectedFor = (why: string) => reason(why, 'Change it and ask again.');

export const OPTED_OUT: Failure = {
  what: 'This number has opted out.',
  short: 'opted out',
  next: 'There is nothing to do.',
  scope: 'recipient',
};
export const TAKEN_MEANWHILE: Failure = {
  what: 'The message which this one repeats was taken after all, as a delivery report says, or another send has repeated it.',
  next: 'There is nothing to do here: what became of it stands with that send.',
  scope: 'recipient',
};
export const TOO_OFTEN: Failure = {
  what: 'This number was sent as many messages as the frequency cap allows.',
  short: 'had enough messages lately',
  next: 'Send it later.',
  scope: 'recipient',
};
