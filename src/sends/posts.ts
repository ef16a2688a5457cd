import type { Announcement } from './send.ts';

/*
 * The outbox. A post is one message that is to stand in Slack once and to show the latest state of its subject. Whoever
 * changes a subject wants its posts in the same transaction; one loop shows what is wanted. So nobody announces anything,
 * and nothing that was not shown can be forgotten.
 */

/**
 * The first word of a mark: who renders the post. `send` shows what became of a send to one person. Of a send to many
 * `card` asks for approval and `progress` shows how far it is; `file` gives who asked the report, which `report` announces
 * below, where `unknown` asks what is to be done about doubts; `course` counts how it went over time. `news` notifies who asked of one
 * line of the record, `reminder` the approvers. `alert` shows an alert with its sends; `hold` says that a rule holds alerts
 * back, and `digest` names them when that is over. `signal` is the message of what a monitoring tool reports. `reply`
 * shows answers of customers, once. `notice` notifies whoever runs Herald of what needs a person, `over` that it is over.
 */
export type PostKind =
  | 'send'
  | 'card'
  | 'progress'
  | 'file'
  | 'report'
  | 'unknown'
  | 'course'
  | 'news'
  | 'reminder'
  | 'alert'
  | 'hold'
  | 'digest'
  | 'signal'
  | 'reply'
  | 'notice'
  | 'over';

/** These show a send: each change of one wants them all. Each renderer knows whether there is anything to show. */
export const POSTS_OF_SEND: { readonly toOne: readonly PostKind[]; readonly toMany: readonly PostKind[] } = {
  toOne: ['send'],
  toMany: ['card', 'progress', 'file', 'report', 'unknown', 'course'],
};
/** A send to one person for an alert wants these instead; their subject is the alert. */
export const POSTS_OF_ALERT: readonly PostKind[] = ['alert'];

/** The others show where these stand, or what was given. */
export const LINKED_POSTS: ReadonlySet<PostKind> = new Set(['card', 'progress', 'file', 'report', 'course']);

/** Most answers of customers in one post: as many addresses as stand beside each other in the width of a channel. */
export const MOST_ANSWERS = { words: 200, address: 4 } as const;

const NEWS = ['approved', 'rejected', 'expired', 'cancelled', 'paused'] as const;
/** Lines of the record of a send to many that may be news to who asked; the report says how it ended. */
export const NEWS_ACTIONS: ReadonlySet<string> = new Set(NEWS);

/**
 * A send is shown as being sent only when that takes longer than this, in milliseconds, and one that was just approved as
 * what becomes of it right then.
 */
export const SLOW_AFTER_MS = 1_200;

/** A post that is due, as it was claimed. */
export interface Post {
  /** `kind:subject`, unique; how a message of which nobody noted where it stands is found again. */
  readonly mark: string;
  /** The id of what it shows. */
  readonly subject: string;
  /** Counts the wishes; what is shown is at least as new as the wish that was read before. */
  readonly wanted: number;
  /** When its subject began, in milliseconds since the epoch: the message is not older. */
  readonly since: number;
  /** Where it stands; absent while nobody knows. */
  readonly place?: Announcement;
  /** The digest of what was shown last, or what is to be known of what was given. */
  readonly digest?: string;
  /** Earlier claims of which nobody noted an end: their process died, or they could not be rendered. */
  readonly attempts: number;
  /** How often it was posted without an answer from Slack. */
  readonly lost: number;
  /** How often Slack has refused it in a row, and since when. */
  readonly tries: number;
  readonly refusedSince?: number;
}

/** How one showing ended. */
export interface PostResult
  extends Partial<Pick<Post, 'place' | 'digest' | 'attempts' | 'lost' | 'tries' | 'refusedSince'>> {
  readonly mark: string;
  /** The wish that is fulfilled or given up; absent: it stays due. */
  readonly shown?: number;
  /** The first message of the thread in which people talk with customers. */
  readonly threadTs?: string;
  /** It is left alone for so long, in milliseconds. */
  readonly restMs: number;
  /** After so long it is wanted by itself, in milliseconds. */
  readonly againAfterMs?: number;
}

/** It says which posts may be claimed now. */
export interface PostClaim {
  readonly now: number;
  readonly limit: number;
  /** Channels whose turn has not come. */
  readonly restingChannels: readonly string[];
  /** Posts that are being shown. */
  readonly inFlight: readonly string[];
  /** `post`: those that do not stand anywhere yet; `update`: those that do. */
  readonly how: 'post' | 'update';
  /** So many milliseconds before it is due. */
  readonly early?: number;
}

/** Durable memory of posts; the same rules as `SendStore`. Wishes are written by whatever changes a subject. */
export interface PostStore {
  /** Takes what is due, the longest waiting first, and counts an attempt at each. */
  claim(claim: PostClaim): Promise<readonly Post[]>;
  note(result: PostResult, now: number): Promise<void>;
  /** Posts that are wanted and not shown, and since when the oldest has been. */
  waiting(): Promise<{ readonly count: number; readonly since?: number }>;
}

export function kindOfMark(mark: string): PostKind {
  return mark.slice(0, mark.indexOf(':')) as PostKind;
}
