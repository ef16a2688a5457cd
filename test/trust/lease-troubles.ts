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
  readonly does: readonly Act[];
  /** Whether the replica must have been taken over. */
  readonly isTaken: boolean;
  /** Where no replica can know that it may be taken over: then it may start what it had claimed. */
  readonly isHidden?: true;
}

type Act = (hands: Hands) => unknown;
const sets =
  (byMs: number): Act =>
  ({ set }) =>
    set(byMs);
const setsDatabase =
  (byMs: number): Act =>
  ({ setDatabase }) =>
    setDatabase(byMs);
const passes =
  (...given: Parameters<Hands['passes']>): Act =>
  (hands) =>
    hands.passes(...given);
const lineIs =
  (now: Line): Act =>
  ({ line }) =>
    line(now);
const letsGo: Act = ({ letGo }) => letGo();
const looks: Act = ({ look }) => look();

const HOUR_MS = 3_600_000;
const SHIFTS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS];
/** Longer than a replica may start requests after a heartbeat, and shorter than its lease. */
const SHORT_MS = TIMES.leaseMs - TIMES.heartbeatMs;
/** Longer than a lease that was renewed a heartbeat later. */
const LONG_MS = TIMES.leaseMs + 3 * TIMES.heartbeatMs;

const hours = (ms: number) => `${ms > 0 ? '+' : ''}${ms / HOUR_MS} h`;
const taken = (name: string, ...does: readonly Act[]): Trouble => ({ name, does, isTaken: true });
const kept = (name: string, ...does: readonly Act[]): Trouble => ({ name, does, isTaken: false });

const ofClocks = SHIFTS.flatMap((byMs) => [
  kept(`the clock is set by ${hours(byMs)}`, sets(byMs)),
  taken(
    `the clock is set by ${hours(byMs)}, and the machine suspended`,
    ...[sets(byMs), passes(LONG_MS, 'is suspended')],
  ),
  taken(
    `the machine is suspended, and its clock set by ${hours(byMs)}`,
    ...[passes(LONG_MS, 'is suspended'), sets(byMs)],
  ),
  taken(
    `the process is stopped, its clock is set by ${hours(byMs)}, and its work goes on before it is heard`,
    ...[lineIs('questions wait'), passes(LONG_MS, 'is stopped'), sets(byMs), letsGo, lineIs('good')],
  ),
]);

const ofStandingStill = (['is suspended', 'is stopped'] as const).flatMap((how) => [
  taken(`it ${how}`, passes(LONG_MS, how)),
  kept(`it ${how} for a while`, passes(SHORT_MS, how)),
  kept(`it ${how}, and nobody takes over`, passes(LONG_MS, how, 'do not look')),
]);

const LINES = ['questions wait', 'answers wait', 'questions are lost', 'answers are lost'] as const;

const ofLines = LINES.flatMap((bad) => {
  // What is asked renews the lease, be it answered or not.
  const silent = bad === 'answers are lost' ? kept : taken;
  const [begins, ends] = [lineIs(bad), lineIs('good')];
  return [
    silent(`${bad}`, begins, passes(LONG_MS, 'runs'), ends),
    silent(`${bad}, and its work goes on before`, begins, passes(LONG_MS, 'runs'), letsGo, ends),
    kept(`${bad} for a while`, begins, passes(SHORT_MS, 'runs'), letsGo, ends),
    kept(`${bad}, and nobody takes over`, begins, passes(LONG_MS, 'runs', 'do not look'), ends),
    taken(
      `${bad}, the machine is suspended, and its clock set by ${hours(-HOUR_MS)}`,
      ...[begins, passes(TIMES.heartbeatMs, 'runs'), passes(LONG_MS, 'is suspended')],
      ...[sets(-HOUR_MS), letsGo, ends],
    ),
  ];
});

const hidden = (trouble: Trouble): Trouble => ({ ...trouble, isHidden: true });
const OTHERS = [
  hidden(taken('both clocks of the machine stand still', passes(LONG_MS, 'has no clock that goes'))),
  hidden(taken(`the database’s clock is set by ${hours(HOUR_MS)}`, setsDatabase(HOUR_MS), looks)),
  kept(`the database’s clock is set by ${hours(-HOUR_MS)}`, setsDatabase(-HOUR_MS)),
];

export const TROUBLES: readonly Trouble[] = [...ofClocks, ...ofStandingStill, ...ofLines, ...OTHERS];
