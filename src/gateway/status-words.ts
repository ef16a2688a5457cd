import type { DeliveryStatus } from '../sends/replies/event.ts';

/** What a service's word, or sentence, says of a message; `fine` tells of no more than a request that was taken. */
export type Said = DeliveryStatus | 'fine';

/** Longer texts are no status, and their beginning says as much. */
export const MOST_READ = 400;

/*
 * The one table of status words, for answers and delivery reports. Services write NO-CREDITS, UserInBlacklist and "Not
 * enough credit", so words are known by their beginnings, in lower case and with blanks for all signs.
 */

/** Counts of nobody, and errors that there are not. */
const NO_ERROR = /\b(?:no|without|0) (?:err|fail)[a-z]*/g;
const COUNT_OF_NOBODY = /\b(?:err|fail|reject|invalid|block)[a-z]{0,9} 0{1,5}\b/g;
const FAILED =
  /\b(?:abort|absent|bad\b|banned|barred|black ?list|block|bounce|cancel|cannot|deactiv|dead\b|delet|den[iy]|disabled|discard|dnc|dnd|do not disturb|drop|err|except|fail|false|fault|forbidden|fraud|inactive|incorrect|insufficient|inv\b|invalid|ko\b|mismatch|missing|ndnc|no (?:balance|cover|credit|fund|match|network|number|perm|recip|route|sender|such|templ|valid)|nok\b|not(?:\b|accept|allow|auth|deliv|found|opt|regist|sent|valid)|opt(?:ed)? ?out|refus|rej|revok|skipp|spam|stopped|suspen|throttl|timed? ?out|too\b|un(?:able|alloc|assign|auth|avail|deliv|known (?:err|sub)|permi|reach|regist|rout|sent|subscri|success|support|verif)|violat|wrong)/;
/** What is a failure only where nothing beside it tells of a success: "queued, your balance is 20". */
const FAILED_ALONE =
  /\b(?:balance|credit|duplicate|exceed|expir|exist|fund|kredit|limit|max|over|quota|rate)/;
const READ = /\b(?:read|seen|displayed|opened|viewed)\b/;
const DELIVERED = /\b(?:delivered|device ack|delivrd|deliverd|dlvrd|received by (?:recipient|handset))\b/;
const ON_THE_WAY = /\bdelivered to (?:gateway|network|operator|carrier|smsc|upstream|provider)\b/;
const SENT =
  /\b(?:accept|await|buffer|dispatch|en ?queue|en ?route|forward|in progress|pending|process|queue|relayed|releas|rout(?:ed|ing)|schedul|sen[dt]\b|sending|start|submit|transmit)/;
const SUCCESS = /\bsuccess/;
const FINE =
  /\b(?:ok|okay|done|created|complete|finished|received|running|saved|stored|true|y|yes)\b|^(?:message )?id\b/;

/** What words say; undefined where they say nothing that is known here. A failure wins over whatever stands beside it. */
export function saidIn(words: string): Said | undefined {
  const said = plain(words).replaceAll(NO_ERROR, 'ok').replaceAll(COUNT_OF_NOBODY, 'ok');
  if (FAILED.test(said)) return 'failed';
  if (READ.test(said)) return 'read';
  if (DELIVERED.test(said)) return ON_THE_WAY.test(said) ? 'sent' : 'delivered';
  if (SENT.test(said)) return 'sent';
  if (SUCCESS.test(said)) return 'delivered';
  if (FINE.test(said)) return 'fine';
  return FAILED_ALONE.test(said) ? 'failed' : undefined;
}

/** Whether words tell of a request that was taken. */
export function isTaken(words: string): boolean {
  return (saidIn(words) ?? 'failed') !== 'failed';
}

/** `UserInBlacklist`, `USER_IN_BLACKLIST` and `User in blacklist` as one. */
export function plain(words: string): string {
  return words
    .slice(0, MOST_READ)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
