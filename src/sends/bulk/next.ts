import { canariesOf } from '../dispatch/canary.ts';
import type { Failure } from '../outcome.ts';
import { isUnsent, type Send, type SendState } from '../send.ts';
import { type TemplateMark, type Warning, warningOf } from '../templates/mark.ts';
import * as say from './sentences.ts';

/* A table of what is due for a bulk send. ARCHITECTURE.md draws it (`npm run documents`). */

const MINUTE_MS = 60_000;
/** Approvers are reminded once, when this share of their time is left. */
const REMIND_BEFORE = 1 / 4;
/** A send that is later than this for its schedule is paused, not started. */
const LATEST_MS = 60 * MINUTE_MS;
/** Longer than any wait for a retry, except for a pause that the service asked for, during which the run itself waits. */
const IDLE_MS = 15_000;
/** Until somebody outside of Herald is asked again, e.g. because Slack did not say who may approve. */
export const AGAIN_MS = 15_000;
/** How often a process with nothing to claim of a send looks for recipients that others released. */
export const LOOK_AGAIN_MS = 1_000;

/** These are looked up, and only when they decide. Of true and false, true lets the send go on. */
export interface Answers {
  /** Whether this process owns the send. */
  readonly owner: boolean;
  /** Whether message, template, audience and schedule are those that were approved. */
  readonly template: boolean;
  /** Those who approved the send, as Slack says at this moment. */
  readonly approvers: {
    /** So many of them may approve it still. */
    readonly standing: number;
    /** Slack does not say so of each of them. */
    readonly isUnsure: boolean;
    /** When the last of them approved it; 0 for nobody. */
    readonly lastAt: number;
  };
  /** Whether the recipients are those that were approved. It takes as long as the list is. */
  readonly list: boolean;
  /** The latest mark of its template at the service. */
  readonly mark: TemplateMark | 'none';
}

/** These are known of a send besides what is stored with it. */
export interface Facts extends Partial<Answers> {
  /** How many approvals the rules ask for now; 0 for none. */
  readonly needed: number;
  readonly lateAfterMinutes: number;
  /** This process is completing the draft. */
  readonly isPreparing?: boolean;
  readonly isReminded?: boolean;
  /** Somebody who may asks for this at the moment. */
  readonly click?: 'approve' | 'resume';
  /** This process has worked on it, and looks what is left. */
  readonly isAtWork?: boolean;
  /** It has just found nothing more to do. */
  readonly isThrough?: boolean;
  /** How long recipients have been left and nobody worked on them. */
  readonly idleMs?: number;
}

export type Step =
  /** Nothing is due before this time, in milliseconds since the epoch. */
  | { readonly wait: number }
  | { readonly ask: keyof Answers }
  | { readonly move: SendState; readonly reason?: Failure }
  | { readonly do: 'ask for more approvals' | 'remind' | 'send' | 'make claimable again' | 'nothing' };

interface Seen {
  readonly send: Send;
  readonly facts: Facts;
  readonly now: number;
}

/** It says what is due while this fact of a send holds, as data that a document can draw. */
interface Row {
  readonly fact: string;
  readonly holds: (seen: Seen) => boolean;
  readonly then:
    | Extract<Step, { ask: unknown } | { do: unknown }>
    | { readonly wait: (seen: Seen) => number }
    | { readonly move: SendState; readonly why?: (seen: Seen) => Failure };
}

function row(fact: string, holds: Row['holds'], then: Row['then']): Row {
  return { fact, holds, then };
}

/** A fact that is looked up, unless this comes before it is needed. */
function asked(fact: string, ask: keyof Answers, isNeeded: Row['holds'] = always): Row {
  return row(fact, (seen) => seen.facts[ask] === undefined && isNeeded(seen), { ask });
}

const always = () => true;
const NOTHING = { do: 'nothing' } as const;
const MORE = { do: 'ask for more approvals' } as const;
const MOMENT = { wait: ({ now }: Seen) => now + LOOK_AGAIN_MS };
const LATER = { wait: ({ now }: Seen) => now + AGAIN_MS };
const isChanged = ({ facts }: Seen) => facts.template === false;
const isReminded = ({ facts }: Seen) => facts.isReminded === true;
const isEarly = ({ send, now }: Seen) => (send.startAt ?? 0) > now;
const isOthers = ({ facts }: Seen) => facts.owner === false;
const waitsForCanaries = ({ send }: Seen) => canariesOf(send) > 0;
const expiry = ({ send }: Seen) => send.approval?.expiresAt ?? 0;
const reminder = (seen: Seen) => expiry(seen) - (expiry(seen) - seen.send.createdAt) * REMIND_BEFORE;
const hasTooFew = ({ send, facts }: Seen) => facts.needed > (send.approval?.needed ?? 0);
const hasOpen = ({ send: { counts } }: Seen) => counts.pending + counts.attempting > 0;
const isResumed = ({ facts }: Seen) => facts.click === 'resume';
const isShort = ({ facts }: Seen) => (facts.approvers?.standing ?? 0) < facts.needed;
const isUnsure = (seen: Seen) => isShort(seen) && seen.facts.approvers?.isUnsure === true;
const lostNobody = ({ send, facts }: Seen) =>
  (facts.approvers?.standing ?? 0) >= (send.approval?.needed ?? 0);

function isLate({ send: { activeAt }, facts, now }: Seen): boolean {
  const lateMs = facts.lateAfterMinutes * MINUTE_MS;
  return facts.isAtWork !== true && activeAt !== undefined && now - activeAt > lateMs;
}

/** Asks whether what has not begun is still what enough people approved. The slowest look comes last. */
function asApproved(otherwise: 'cancelled' | 'stopped'): readonly Row[] {
  const changed = { move: otherwise, why: () => say.CHANGED };
  return [
    asked('it may start, if it is as approved', 'template'),
    row('message, template, list or time changed', isChanged, changed),
    asked('it needs approvals', 'approvers', ({ facts }) => facts.needed > 0),
    row('Slack does not say whether approvers still are', isUnsure, LATER),
    row('it needs more approvals than it was asked for', (seen) => isShort(seen) && lostNobody(seen), MORE),
    row('an approver is none any more', isShort, { move: otherwise, why: () => say.ROLE_LOST }),
    asked('its approvals hold', 'list'),
    row('its recipients changed', ({ facts }) => facts.list === false, changed),
  ];
}

/** The mark of its template, if it was set after people looked at the card, which warns of earlier ones. */
function markedSince({ send, facts: { mark, approvers }, now }: Seen): Warning | undefined {
  const warning = warningOf(mark === 'none' ? undefined : mark, now);
  const seenAt = approvers?.lastAt || send.createdAt;
  return warning?.status !== 'doubted' && (warning?.at ?? 0) > seenAt ? warning : undefined;
}

const MARKED = [
  asked('its recipients are as approved', 'mark'),
  row('the service has paused or refused its template since', (seen) => markedSince(seen) !== undefined, {
    move: 'paused',
    why: (seen) => say.templateMarked(markedSince(seen)),
  }),
];
const APPROVED_LATE = row(
  'it was approved after its time',
  ({ send, facts }) => (facts.approvers?.lastAt ?? 0) > (send.startAt ?? Number.POSITIVE_INFINITY),
  { move: 'paused', why: () => say.APPROVED_LATE },
);
const MISSED = row(
  'it is more than an hour late',
  ({ send, now }) => now - (send.startAt ?? now) > LATEST_MS,
  { move: 'paused', why: () => say.MISSED },
);
const AS_APPROVED = row('all is as approved', always, { move: 'sending' });
const START = [...asApproved('cancelled'), ...MARKED, APPROVED_LATE, MISSED, AS_APPROVED];

/** The first row of its state that holds says what is due for a send. */
export const NEXT: Readonly<Record<SendState, readonly Row[]>> = {
  draft: [
    row('this process is completing it', ({ facts }) => facts.isPreparing === true, NOTHING),
    asked('this process is not completing it', 'owner'),
    row('another process owns it', isOthers, NOTHING),
    row('nobody is completing it', always, { move: 'cancelled', why: () => say.LEFT_BEHIND }),
  ],
  awaiting_approval: [
    row('its time is over', (seen) => expiry(seen) <= seen.now, { move: 'expired', why: () => say.EXPIRED }),
    asked('somebody approves it', 'template', ({ facts }) => facts.click === 'approve'),
    row('somebody approves it, and it changed', isChanged, { move: 'cancelled', why: () => say.CHANGED }),
    row('the rules ask for more approvals than before', hasTooFew, MORE),
    row('its approvers were reminded', isReminded, { wait: expiry }),
    row('a quarter of its time is left', (seen) => reminder(seen) <= seen.now, { do: 'remind' }),
    row('its approvers have time', always, { wait: reminder }),
  ],
  approved: [row('its time has not come', isEarly, { move: 'scheduled' }), ...START],
  scheduled: [
    row('the rules ask for more, before its time', (seen) => isEarly(seen) && hasTooFew(seen), MORE),
    row('its time has not come', isEarly, { wait: ({ send }) => send.startAt ?? 0 }),
    ...START,
  ],
  sending: [
    asked('it was not active for long', 'owner', isLate),
    row('it was not active for long, and is another’s', (seen) => isLate(seen) && isOthers(seen), NOTHING),
    row('it was not active for long, and is ours', isLate, {
      move: 'paused',
      why: ({ facts }) => say.brokenOff(facts.lateAfterMinutes),
    }),
    asked('its canaries are not judged', 'owner', waitsForCanaries),
    row('they are another’s', (seen) => waitsForCanaries(seen) && isOthers(seen), MOMENT),
    row('nobody worked on those left for 15 s', ({ facts }) => (facts.idleMs ?? 0) >= IDLE_MS, {
      do: 'make claimable again',
    }),
    row('nothing was left to claim a moment ago', ({ facts }) => facts.isThrough === true, MOMENT),
    row('recipients are left or on their way', hasOpen, { do: 'send' }),
    row('all have an outcome', always, NOTHING),
  ],
  paused: [
    row('it waits for a person', (seen) => seen.send.resumeAt === undefined && !isResumed(seen), NOTHING),
    row('its time has not come', (seen) => (seen.send.resumeAt ?? 0) > seen.now && !isResumed(seen), {
      wait: ({ send }) => send.resumeAt ?? 0,
    }),
    row('something was sent', ({ send }) => !isUnsent(send), { move: 'sending' }),
    ...asApproved('stopped'),
    AS_APPROVED,
  ],
  done: [],
  rejected: [],
  expired: [],
  cancelled: [],
  stopped: [],
};

/** Says what is due for a send at `now`: pure, so that looking twice changes nothing. */
export function next(send: Send, facts: Facts, now: number): Step {
  const seen = { send, facts, now };
  const then = NEXT[send.state].find(({ holds }) => holds(seen))?.then ?? NOTHING;
  if ('wait' in then) return { wait: then.wait(seen) };
  if (!('move' in then)) return then;
  return { move: then.move, ...(then.why && { reason: then.why(seen) }) };
}
