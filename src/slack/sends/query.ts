import type { SendState } from '../../sends/send.ts';

/** What was asked of `/sends`. */
export type SendsQuery =
  | { readonly ask: 'list'; readonly list: ListQuery }
  | { readonly ask: 'one'; readonly sendId: string }
  | { readonly ask: 'audit' }
  | { readonly ask: 'help' }
  | { readonly ask: 'not_understood'; readonly word: string };

export interface ListQuery {
  readonly whose: 'mine' | 'all';
  /** Absent: every state. */
  readonly states?: readonly SendState[];
  /** Older than this moment. */
  readonly before?: number;
}

/** Words by which sends are filtered, as people type them. */
export const STATE_WORDS: Readonly<Record<string, readonly SendState[]>> = {
  waiting: ['awaiting_approval'],
  approved: ['approved'],
  scheduled: ['scheduled'],
  sending: ['sending'],
  running: ['sending'],
  paused: ['paused'],
  done: ['done'],
  rejected: ['rejected'],
  expired: ['expired'],
  cancelled: ['cancelled'],
  canceled: ['cancelled'],
  stopped: ['stopped'],
  drafts: ['draft'],
};

const WHOSE_WORDS: Readonly<Record<string, ListQuery['whose']>> = {
  mine: 'mine',
  all: 'all',
  everyone: 'all',
  everyones: 'all',
};

const SEND_ID = /^S-[0-9A-Z]{10}$/;

/** `[mine | all] [state …]`, a send's reference, `audit` or `help`. */
export function readQuery(text: string): SendsQuery {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .split(/[\s,]+/)
    .filter(Boolean);
  const [first] = words;
  const id = first?.toUpperCase() ?? '';
  if (SEND_ID.test(id)) return { ask: 'one', sendId: id };
  if (first === 'audit' || first === 'help') return { ask: first };
  const unknown = words.find(
    (word) => !Object.hasOwn(STATE_WORDS, word) && !Object.hasOwn(WHOSE_WORDS, word),
  );
  if (unknown !== undefined) return { ask: 'not_understood', word: unknown };
  const whose = words.map((word) => WHOSE_WORDS[word]).find((one) => one !== undefined);
  const states = words.flatMap((word) => STATE_WORDS[word] ?? []);
  return { ask: 'list', list: { whose: whose ?? 'mine', ...(states.length > 0 ? { states } : {}) } };
}

/** A query as a button carries it. */
export function writeListQuery({ whose, states = [], before }: ListQuery): string {
  return JSON.stringify({ whose, states, before });
}
