import { describe, expect, it } from 'vitest';
import { type Facts, NEXT, next, type Step } from '../../../src/sends/bulk/next.ts';
import * as say from '../../../src/sends/bulk/sentences.ts';
import type { Failure } from '../../../src/sends/outcome.ts';
import type { Send, SendState } from '../../../src/sends/send.ts';
import { mayMove } from '../../../src/sends/states.ts';
import { NO_RECIPIENTS } from '../../fakes/sends.ts';

/* Each fact of each state, in the order in which they are looked at, with a send of which it holds and what is due then. */

const NOW = 1_000_000_000;
const HOUR = 3_600_000;
const EARLY = { startAt: NOW + HOUR };
const UNSENT = { ...NO_RECIPIENTS, pending: 9 };
const SENT = { ...UNSENT, accepted: 1 };
const EXPIRED = { approval: { needed: 1, expiresAt: NOW } };
const OLD = { activeAt: NOW - HOUR - 1 };
const NOTHING = { do: 'nothing' } as const;
const MORE = { do: 'ask for more approvals' } as const;
const TWO = { needed: 2 };
const to = (move: SendState, reason: Failure): Step => ({ move, reason });
const CLICKED = { click: 'approve' } as const;
const LATE = { standing: 1, isUnsure: false, lastAt: 1 };
const APPROVED = { standing: 1, isUnsure: false, lastAt: NOW - 9 };
/** What was found as it was approved, so far. */
const FOUND = { needed: 1, template: true, approvers: APPROVED };

type Cell = readonly [fact: string, send: Partial<Send>, facts: Partial<Facts>, due: Step];

function asApproved(otherwise: SendState, send: Partial<Send>): readonly Cell[] {
  const lost = { standing: 0, isUnsure: false, lastAt: 1 };
  return [
    ['it may start, if it is as approved', send, {}, { ask: 'template' }],
    ['message, template, list or time changed', send, { template: false }, to(otherwise, say.CHANGED)],
    ['it needs approvals', send, { template: true }, { ask: 'approvers' }],
    [
      'Slack does not say whether approvers still are',
      send,
      { ...FOUND, approvers: { ...lost, isUnsure: true } },
      { wait: NOW + 15_000 },
    ],
    ['it needs more approvals than it was asked for', send, { ...FOUND, ...TWO }, MORE],
    ['an approver is none any more', send, { ...FOUND, approvers: lost }, to(otherwise, say.ROLE_LOST)],
    ['its approvals hold', send, FOUND, { ask: 'list' }],
    ['its recipients changed', send, { ...FOUND, list: false }, to(otherwise, say.CHANGED)],
  ];
}

const WHOLE = { ...FOUND, list: true, mark: 'none' } as const;
const PAUSED = { status: 'paused', words: 'LOW_QUALITY', at: NOW - 5 } as const;
const START: readonly Cell[] = [
  ...asApproved('cancelled', {}),
  ['its recipients are as approved', {}, { ...FOUND, list: true }, { ask: 'mark' }],
  [
    'the service has paused or refused its template since',
    {},
    { ...WHOLE, mark: PAUSED },
    to('paused', say.templateMarked(PAUSED)),
  ],
  ['it was approved after its time', { startAt: NOW - 10 }, WHOLE, to('paused', say.APPROVED_LATE)],
  [
    'it is more than an hour late',
    { startAt: NOW - HOUR - 1 },
    { ...WHOLE, approvers: LATE },
    to('paused', say.MISSED),
  ],
  ['all is as approved', { startAt: NOW - 9 }, WHOLE, { move: 'sending' }],
];

const CELLS: Readonly<Record<SendState, readonly Cell[]>> = {
  draft: [
    ['this process is completing it', {}, { isPreparing: true }, NOTHING],
    ['this process is not completing it', {}, {}, { ask: 'owner' }],
    ['another process owns it', {}, { owner: false }, NOTHING],
    ['nobody is completing it', {}, { owner: true }, to('cancelled', say.LEFT_BEHIND)],
  ],
  awaiting_approval: [
    ['its time is over', EXPIRED, CLICKED, to('expired', say.EXPIRED)],
    ['somebody approves it', {}, CLICKED, { ask: 'template' }],
    [
      'somebody approves it, and it changed',
      {},
      { ...CLICKED, template: false },
      to('cancelled', say.CHANGED),
    ],
    ['the rules ask for more approvals than before', {}, TWO, MORE],
    ['its approvers were reminded', {}, { isReminded: true }, { wait: NOW + HOUR }],
    ['a quarter of its time is left', {}, {}, { do: 'remind' }],
    ['its approvers have time', { createdAt: NOW - 3 * HOUR + 4 }, {}, { wait: NOW + 1 }],
  ],
  approved: [['its time has not come', EARLY, {}, { move: 'scheduled' }], ...START],
  scheduled: [
    ['the rules ask for more, before its time', EARLY, TWO, MORE],
    ['its time has not come', EARLY, {}, { wait: NOW + HOUR }],
    ...START,
  ],
  sending: [
    ['it was not active for long', OLD, {}, { ask: 'owner' }],
    ['it was not active for long, and is another’s', OLD, { owner: false }, NOTHING],
    ['it was not active for long, and is ours', OLD, { owner: true }, to('paused', say.brokenOff(60))],
    ['its canaries are not judged', { recipientCount: 9 }, {}, { ask: 'owner' }],
    ['they are another’s', { recipientCount: 9 }, { owner: false }, { wait: NOW + 1_000 }],
    [
      'nobody worked on those left for 15 s',
      {},
      { idleMs: 15_000, isThrough: true },
      { do: 'make claimable again' },
    ],
    [
      'nothing was left to claim a moment ago',
      OLD,
      { isAtWork: true, isThrough: true, idleMs: 14_999 },
      { wait: NOW + 1_000 },
    ],
    ['recipients are left or on their way', { recipientCount: 9 }, { owner: true }, { do: 'send' }],
    ['all have an outcome', { counts: { ...SENT, pending: 0 } }, {}, NOTHING],
  ],
  paused: [
    ['it waits for a person', {}, {}, NOTHING],
    ['its time has not come', { resumeAt: NOW + 1 }, {}, { wait: NOW + 1 }],
    ['something was sent', { resumeAt: NOW, counts: SENT }, {}, { move: 'sending' }],
    ...asApproved('stopped', { resumeAt: NOW }),
    ['all is as approved', { resumeAt: NOW }, WHOLE, { move: 'sending' }],
  ],
  done: [],
  rejected: [],
  expired: [],
  cancelled: [],
  stopped: [],
};

function given(state: SendState, more: Partial<Send>): Send {
  const approval = { needed: 1, expiresAt: NOW + HOUR };
  const audience = { id: 'A', columns: [] };
  const times = { createdAt: NOW - 3 * HOUR, activeAt: NOW - HOUR };
  return { state, audience, approval, ...times, recipientCount: 1, counts: UNSENT, ...more } as Send;
}

const knowing = (facts: Partial<Facts>): Facts => ({ needed: 1, lateAfterMinutes: 60, ...facts });

describe.each(Object.keys(NEXT) as SendState[])('%s', (state) => {
  it('has a cell here for each fact, in order', () => {
    expect(CELLS[state].map(([fact]) => fact)).toEqual(NEXT[state].map(({ fact }) => fact));
  });

  it('moves only where a send may go', () => {
    const moves = NEXT[state].flatMap(({ then }) => ('move' in then ? [then.move] : []));
    expect(moves.filter((to) => !mayMove(state, to))).toEqual([]);
  });

  it.each(CELLS[state])('%s', (fact, send, facts, due) => {
    const seen = { send: given(state, send), facts: knowing(facts), now: NOW };
    expect(NEXT[state].find(({ holds }) => holds(seen))?.fact).toBe(fact);
    expect(next(seen.send, seen.facts, seen.now)).toEqual(due);
  });
});

describe('what a click may not hurry or need not ask', () => {
  it.each<[SendState, Partial<Send>, Partial<Facts>, Step]>([
    ['done', {}, { click: 'resume' }, NOTHING],
    ['paused', {}, { click: 'resume' }, { ask: 'template' }],
    ['paused', { counts: SENT }, { click: 'resume' }, { move: 'sending' }],
    ['approved', {}, { needed: 0, template: true }, { ask: 'list' }],
    ['approved', { startAt: NOW - HOUR }, { ...WHOLE, approvers: LATE }, { move: 'sending' }],
    ['scheduled', { startAt: NOW }, {}, { ask: 'template' }],
    ['approved', {}, { ...FOUND, approvers: { ...APPROVED, isUnsure: true } }, { ask: 'list' }],
    ['sending', { counts: { ...SENT, pending: 0, attempting: 1 } }, {}, { do: 'send' }],
    ['sending', { activeAt: undefined as never }, {}, { do: 'send' }],
  ])('%s %j %j', (state, send, facts, due) => {
    expect(next(given(state, send), knowing(facts), NOW)).toEqual(due);
  });
});
