import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { createAudiences } from '../../src/sends/audiences/service.ts';
import type { ApproverProblem } from '../../src/sends/bulk.ts';
import type { Failure, Outcome } from '../../src/sends/outcome.ts';
import type { RetryGroup, Send } from '../../src/sends/send.ts';
import type { Memory } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import type { TestDatabase } from './databases.ts';
import { createFraction, lateness } from './late-answers.ts';
import { BEGAN, createRules, type Fate, POLICY, QUIET_HOURS } from './life-rules.ts';
import { createProcess, type Process, turn, untilStill } from './process.ts';

const REQUESTER = 'U0ASHA';
export const PEOPLE = [REQUESTER, 'U0RAVI', 'U0MEI', 'U0LENA'] as const;
const APPROVERS: readonly string[] = ['U0RAVI', 'U0MEI'];

export const MODES = ['works', 'refuses connections', 'is busy', 'loses answers', 'rejects'] as const;
type Mode = (typeof MODES)[number];

const failure = (scope: Failure['scope'], status?: number): Failure => ({
  ...{ what: 'It failed.', next: 'Look.', scope },
  ...(status && { status }),
});
const notSent = (why: Failure, retry: Extract<Outcome, { state: 'not_sent' }>['retry']): Outcome => ({
  ...{ state: 'not_sent', failure: why, retry },
});
/** What a request comes to, and whether the service has it afterwards. */
const OUTCOMES: Readonly<Record<Mode, readonly [Outcome, Fate]>> = {
  works: [{ state: 'accepted', status: 200 }, 'taken'],
  'refuses connections': [notSent(failure('service'), { kind: 'backoff' }), 'none'],
  'is busy': [notSent(failure('recipient', 429), { kind: 'after', delayMs: 500 }), 'none'],
  'loses answers': [{ state: 'unknown', failure: failure('service') }, 'lost'],
  rejects: [{ state: 'rejected', failure: failure('recipient', 400) }, 'refused'],
};

export type Decision = 'reject' | 'withdraw' | 'pause' | 'resume' | 'stop';
/** A request for a bulk send; `times` is how often the same click comes. */
export interface Asked {
  readonly count: number;
  readonly type: 'TRANS' | 'PROMO';
  readonly inMs: number | undefined;
  readonly times: number;
  /** Also somebody who may approve, but not this. */
  readonly by: string;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

interface Circumstances {
  /** How many turns a step takes at most before and after it is done. */
  readonly turns: number;
  /** At times it takes many more. */
  readonly isLate: boolean;
  /** Whether processes die. */
  readonly isMortal: boolean;
}

/** People, a service, a clock and Herald’s processes on one database, with the rules that hold whatever happens. */
export async function createWorld(
  database: TestDatabase,
  seed: number,
  { turns, isLate, isMortal }: Circumstances,
) {
  const manual = createManualClock(BEGAN);
  // As the machine’s: sleeps may end within a millisecond, what is shown and stored is whole.
  const clock = { ...manual, now: () => Math.floor(manual.now()) };
  const fraction = createFraction(seed);
  const random = {
    fraction,
    bytes: (length: number) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)),
  };
  const logger = createRecordingLogger();
  const roles = new Set(APPROVERS);
  const slack = { answers: true };
  const service: { mode: Mode; afterMs: number } = { mode: 'works', afterMs: 5 };
  const underway = new Set<Promise<unknown>>();
  const errors: unknown[] = [];
  let lists = 0;

  const processes: { herald: Process; memory: Memory; died(): Promise<void> }[] = [];
  const rules = createRules(() => memory().sends, clock, database.replicas);
  /** Of a process that is there: for whoever looks at the database from outside. */
  function memory(): Memory {
    const one = processes.find(({ herald }) => herald.isAlive());
    if (one === undefined) throw new Error('No process is there.');
    return one.memory;
  }

  const howMany = () => Math.floor(fraction() * (turns + 1) + (isLate ? lateness(fraction) : 0));

  async function open(place: number): Promise<void> {
    const { memory, died } = await database.open();
    const herald = createProcess({
      memory: { ...memory, sends: rules.watched(memory.sends) },
      ...{ clock, random, logger, policy: POLICY, quietHours: QUIET_HOURS },
      directory: {
        whyNot: async (userId): Promise<ApproverProblem | undefined> => {
          if (!slack.answers) return 'unknown';
          rules.confirmed(userId, roles.has(userId));
          return roles.has(userId) ? undefined : 'not_listed';
        },
      },
      connectingMs: () => service.afterMs / 2,
      request: async (message, recipients) => {
        const [outcome, fate] = OUTCOMES[service.mode];
        await rules.requested(message, recipients, fate);
        return { outcome, afterMs: service.afterMs };
      },
      making: async (call, work) => {
        // Nothing comes between the last look at the lease and the request.
        if (call === 'service') return work();
        await turn(howMany());
        const [done] = await Promise.allSettled([work()]);
        await turn(howMany());
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      },
    });
    processes[place] = { herald, memory, died };
    keep(
      herald.asked(async () => {
        await herald.sends.start();
        await herald.bulk.start();
      }),
    );
  }

  function keep(work: Promise<unknown>): void {
    const kept = work.catch((error: unknown) => errors.push(error)).finally(() => underway.delete(kept));
    underway.add(kept);
  }

  /** What was asked of a process that dies is never answered. */
  function click(place: number, does: (herald: Process) => Promise<unknown>): void {
    const herald = at(place);
    keep(herald.asked(() => does(herald)));
  }

  /** Until no process is at a step of its own. */
  const quiet = () => untilStill(() => processes.some(({ herald }) => herald.isBusy()), 4);

  async function advance(ms: number): Promise<void> {
    const slice = Math.max(20, Math.ceil(ms / 20));
    for (let left = ms; left > 0; left -= slice) {
      const ms = Math.min(slice, left);
      await clock.advance(ms);
      await database.passed(ms);
      await quiet();
    }
  }

  const at = (place: number) => (processes[place % processes.length] as { herald: Process }).herald;
  const audiences = () =>
    createAudiences({ store: memory().audiences, clock, random, logger, defaultCountry: 'IN' });
  async function found(which: number): Promise<Send | undefined> {
    const sends = await rules.sends();
    return sends[which % Math.max(1, sends.length)];
  }
  const number = (list: number, row: number) => `+9198${String(list * 100 + row).padStart(8, '0')}` as Msisdn;
  const sms = (text: string, type: 'TRANS' | 'PROMO'): Message => ({
    ...{ kind: 'sms', sender: 'ACME', text, type, unicode: false },
  });
  const origin = (userId: string) => ({ teamId: 'T', userId, channelId: 'C' });

  return {
    rules,
    service,
    clock,
    async begin() {
      for (let place = 0; place < database.replicas; place += 1) await open(place);
      await quiet();
    },
    advance,
    /** Lets steps go on for a while; `calm` until there are none. */
    async rest(calm: boolean) {
      if (calm) await quiet();
      else await turn(Math.floor(fraction() * 12));
      if (errors.length > 0) throw errors[0];
      rules.check();
      if (calm) await rules.observe();
    },
    async ask(place: number, { count, type, inMs, times, by }: Asked) {
      lists += 1;
      const mine = lists;
      const text = `List ${mine}`;
      const numbers = Array.from({ length: count }, (_none, row) => number(mine, row));
      const list = await audiences().fromNumbers(numbers.join('\n'), by);
      if (list.state !== 'ready') throw new Error('The list was not taken.');
      const startAt = inMs === undefined ? {} : { startAt: clock.now() + inMs };
      const asked = { message: sms(text, type), audienceId: list.audience.id, origin: origin(by) };
      const request = { ...asked, ...startAt, requestKey: text };
      for (let time = 0; time < times; time += 1) click(place, ({ bulk }) => bulk.request(request));
    },
    submit(place: number, times: number) {
      lists += 1;
      const text = `Single ${lists}`;
      const request = { message: sms(text, 'TRANS'), to: number(lists, 0), origin: origin(REQUESTER) };
      for (let time = 0; time < times; time += 1)
        click(place, ({ sends }) => sends.submit({ ...request, requestKey: text }));
    },
    async approve(place: number, which: number, userId: string, isStale: boolean) {
      const send = await found(which);
      if (send === undefined) return;
      const may = !isStale && roles.has(userId) && !(await rules.requesters(send.id)).includes(userId);
      if (may) rules.permit(send.id, userId);
      const digest = isStale ? `${send.digest}0` : (send.digest ?? '');
      const by = { sendId: send.id, userId, teamId: 'T', digest };
      click(place, async ({ bulk }) => {
        const { state } = await bulk.approve(by);
        if (state === 'recorded' && !may) rules.wrong(`${userId} approved ${send.id} without the right`);
      });
    },
    async decide(place: number, which: number, userId: string, how: Decision) {
      const send = await found(which);
      if (send === undefined) return;
      const isOwn = userId === send.origin.userId;
      const rejects = roles.has(userId) && !(await rules.requesters(send.id)).includes(userId);
      const may = how === 'reject' ? rejects : isOwn || (how !== 'withdraw' && roles.has(userId));
      const by = { sendId: send.id, userId, teamId: 'T', reason: 'No.' };
      click(place, async ({ bulk }) => {
        const { state } = await bulk[how](by);
        if (state !== 'refused' && !may) rules.wrong(`${userId} could ${how} ${send.id}`);
      });
    },
    async retry(place: number, which: number, userId: string, group: RetryGroup) {
      const send = await found(which);
      if (send === undefined) return;
      const requestKey = `${userId} ${send.id} ${group}`;
      click(place, ({ bulk }) => bulk.retry({ sendId: send.id, origin: origin(userId), group, requestKey }));
    },
    /** Whoever is asked now knows it; what was asked before is over. */
    async role(userId: string, has: boolean) {
      await quiet();
      if (has) roles.add(userId);
      else roles.delete(userId);
      rules.forget(userId);
    },
    slackAnswers(does: boolean) {
      slack.answers = does;
    },
    async optOut(which: number, row: number) {
      const send = await found(which);
      const rows = send === undefined ? [] : await memory().sends.recipients(send.id);
      const to = rows[row % Math.max(1, rows.length)]?.number;
      if (to === undefined) return;
      await audiences().optOut(to, 'U0RAVI');
      // Who is claimed already may get it still.
      await quiet();
      rules.optedOut(to);
    },
    /** A process ends between two of its steps, and another one takes its place. */
    async kill(place: number) {
      const one = processes[place % processes.length];
      if (one === undefined || !isMortal) return;
      rules.killed();
      await one.herald.kill();
      await one.died();
      await open(place % processes.length);
    },
    /** Everything works again: whatever can still happen by itself does. */
    async finish() {
      service.mode = 'works';
      service.afterMs = 5;
      slack.answers = true;
      const unfinished = () => rules.unfinished(database.replicas === 1);
      for (let waited = 0; waited < 24; waited += 1) {
        await advance(waited < 8 ? 4_000 : 30_000);
        rules.check();
        if (errors.length > 0) throw errors[0];
        if (underway.size === 0 && (await unfinished()).length === 0) break;
      }
      for (const { id, state } of await unfinished()) rules.wrong(`${id} stays ${state} for ever`);
      if (underway.size > 0) rules.wrong(`${underway.size} clicks got no answer`);
      await rules.observe();
      await rules.judge(logger.lines.map(({ message }) => message));
    },
    requests: rules.requests,
  };
}
