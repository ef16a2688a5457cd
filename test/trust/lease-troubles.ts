import { type Line, TIMES } from './lease-replica.ts';

/** How the machine of the replica that is attacked spends time. A clock that measures stands still while it is suspended. */
export type Spent = 'runs' | 'is suspended' | 'is stopped' | 'has no clock that goes';

/** What can be done to the replica that is attacked, and to its database. */
export interface Hands {
  /** Sets its wall clock. */
  set(byMs: number): void;
  /** Sets the database's clock, by which leases end. */
  setDatabase(byMs: number): Promise<void>;
  /** @param others whether another looks for replicas that are silent meanwhile */
  passes(ms: number, spent: Spent, others?: 'look' | 'do not look'): Promise<void>;
  /** Another looks for replicas that are silent. */
  look(): Promise<void>;
  line(now: Line): void;
  /** What was held goes on, as far as it gets at once. */
  letGo(): Promise<void>;
}

export interface Trouble {
  readonly name: string;
  does(hands: Hands): Promise<void>;
  /** Whether the replica must have been taken over. */
  readonly isTaken: boolean;
  /** Where no replica can know that it may be taken over: then it may start what it had claimed. */
  readonly isHidden?: true;
}

const HOUR_MS = 3_600_000;
const SHIFTS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS];
/** Longer than a replica may start requests after a heartbeat, and shorter than its lease. */
const SHORT_MS = TIMES.leaseMs - TIMES.heartbeatMs;
/** Longer than a lease that was renewed a heartbeat later. */
const LONG_MS = TIMES.leaseMs + 3 * TIMES.heartbeatMs;

const hours = (ms: number) => `${ms > 0 ? '+' : ''}${ms / HOUR_MS} h`;

const ofClocks = SHIFTS.flatMap((byMs): Trouble[] => [
  {
    name: `the clock is set by ${hours(byMs)}`,
    isTaken: false,
    does: async ({ set }) => set(byMs),
  },
  {
    name: `the clock is set by ${hours(byMs)}, and the machine suspended`,
    isTaken: true,
    does: async ({ set, passes }) => {
      set(byMs);
      await passes(LONG_MS, 'is suspended');
    },
  },
  {
    name: `the machine is suspended, and its clock set by ${hours(byMs)}`,
    isTaken: true,
    does: async ({ set, passes }) => {
      await passes(LONG_MS, 'is suspended');
      set(byMs);
    },
  },
  {
    name: `the process is stopped, its clock is set by ${hours(byMs)}, and its work goes on before it is heard`,
    isTaken: true,
    does: async ({ set, passes, line, letGo }) => {
      line('questions wait');
      await passes(LONG_MS, 'is stopped');
      set(byMs);
      await letGo();
      line('good');
    },
  },
]);

const ofStandingStill = (['is suspended', 'is stopped'] as const).flatMap((how): Trouble[] => [
  { name: `it ${how}`, isTaken: true, does: ({ passes }) => passes(LONG_MS, how) },
  { name: `it ${how} for a while`, isTaken: false, does: ({ passes }) => passes(SHORT_MS, how) },
  {
    name: `it ${how}, and nobody takes over`,
    isTaken: false,
    does: ({ passes }) => passes(LONG_MS, how, 'do not look'),
  },
]);

const LINES = ['questions wait', 'answers wait', 'questions are lost', 'answers are lost'] as const;

const ofLines = LINES.flatMap((bad): Trouble[] => [
  {
    name: `${bad}`,
    // What is asked renews the lease, be it answered or not.
    isTaken: bad !== 'answers are lost',
    does: async ({ line, passes }) => {
      line(bad);
      await passes(LONG_MS, 'runs');
      line('good');
    },
  },
  {
    name: `${bad}, and its work goes on before`,
    isTaken: bad !== 'answers are lost',
    does: async ({ line, passes, letGo }) => {
      line(bad);
      await passes(LONG_MS, 'runs');
      await letGo();
      line('good');
    },
  },
  {
    name: `${bad} for a while`,
    isTaken: false,
    does: async ({ line, passes, letGo }) => {
      line(bad);
      await passes(SHORT_MS, 'runs');
      await letGo();
      line('good');
    },
  },
  {
    name: `${bad}, and nobody takes over`,
    isTaken: false,
    does: async ({ line, passes }) => {
      line(bad);
      await passes(LONG_MS, 'runs', 'do not look');
      line('good');
    },
  },
  {
    name: `${bad}, the machine is suspended, and its clock set by ${hours(-HOUR_MS)}`,
    isTaken: true,
    does: async ({ line, passes, set, letGo }) => {
      line(bad);
      await passes(TIMES.heartbeatMs, 'runs');
      await passes(LONG_MS, 'is suspended');
      set(-HOUR_MS);
      await letGo();
      line('good');
    },
  },
]);

const OTHERS: readonly Trouble[] = [
  {
    name: 'both clocks of the machine stand still',
    ...{ isTaken: true, isHidden: true },
    does: ({ passes }) => passes(LONG_MS, 'has no clock that goes'),
  },
  {
    name: `the database’s clock is set by ${hours(HOUR_MS)}`,
    ...{ isTaken: true, isHidden: true },
    does: async ({ setDatabase, look }) => {
      await setDatabase(HOUR_MS);
      await look();
    },
  },
  {
    name: `the database’s clock is set by ${hours(-HOUR_MS)}`,
    isTaken: false,
    does: ({ setDatabase }) => setDatabase(-HOUR_MS),
  },
];

export const TROUBLES: readonly Trouble[] = [...ofClocks, ...ofStandingStill, ...ofLines, ...OTHERS];
