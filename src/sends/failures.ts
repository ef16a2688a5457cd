import type { Failure } from './outcome.ts';

/* Failures that Herald finds itself, without an answer from the service. */

/** Herald ended between writing `attempting` and writing the outcome. */
export const INTERRUPTED: Failure = {
  what: 'Herald was stopped while this message was on its way to the service, so its answer was lost.',
  next: 'Ask the recipient or look in the service’s own log; send it again only if it did not arrive.',
  scope: 'recipient',
};

/** Stored but not started for so long that it may no longer be wanted. */
export const TOO_LATE: Failure = {
  what: 'Herald was not running when this message should have gone out, and it is too late to send it by itself.',
  next: 'Send it again if it is still wanted.',
  scope: 'recipient',
};

/** The one-time password was only in the memory of a process that ended. */
export const SECRET_LOST: Failure = {
  what: 'Herald was restarted before it could send this message, and one-time passwords are never stored.',
  next: 'Send it again with a fresh one-time password.',
  scope: 'recipient',
};

/** The database is an older copy: what is unsent in it may have been sent after the copy was made. */
export const RESTORED: Failure = {
  what: 'Herald’s database was restored from an older copy, so what was sent after that copy was made is not known.',
  next: 'Look in this channel and in the service’s own log for what went out; send again only to those who got nothing.',
  scope: 'send',
};
