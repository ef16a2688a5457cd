import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { askByNumbers, clickOn, reached } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, CUSTOMER, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { howMany } from './how-many.ts';
import {
  ANY_METHOD,
  errorsOf,
  faultsOf,
  METHODS,
  type Method,
  type Refusable,
  SHARE,
  TOO_MANY,
} from './slack-errors.ts';
import { ALERTS, callsOf, disturb, type Fault, got, toldTo } from './world.ts';

/* What people do while Slack refuses the calls that it takes: they are told, and nothing is sent without leave. */

const ON_CALL = '+919812345099';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 2, singlesPerHour: 10000 }
access: { send: { flash: [${TEAM}] } }
alerts:
  groups: { night: [{ name: Mei, number: "${ON_CALL}" }] }
  capPerPersonPerHour: 10000
  rules:
    - { name: fire, channel: ${ALERTS}, match: "^Fire", notify: [night], capPerHour: 10000, coolDownMinutes: 0.001 }
`;

const stack = runningStack({ mode: 'socket', config: CONFIG, others: { rateLimits: false } });
beforeAll(async () => {
  await stack.person(ASHA).command(TEAM, `/optout add ${ON_CALL.replace('99', '98')}`);
  await askByNumbers(stack, APPROVALS, 'Waiting.');
});

/** Only who is in the channel may. */
const flashStep = (text: string) =>
  stack.person(RAVI).runStep('send_flash_sms', { channel: TEAM, to: CUSTOMER, text });
const exported = () => stack.person(ASHA).command(TEAM, '/optout export');
const approved = () => clickOn(stack, RAVI, APPROVALS, 'approval_approve');
const homeOpened = () => stack.workspace.act({ type: 'home_opened', as: ASHA });

interface Deed {
  readonly as: string;
  readonly act: () => Promise<unknown>;
  /** Slack shows nobody a Home that it does not take. */
  readonly isSilent?: true;
  /** The others have asked it: while Slack takes no more questions, what it said within a minute counts. */
  readonly isKnown?: true;
  /** What Slack refuses besides, so that the method is called. */
  readonly also?: readonly Fault[];
}

const DEEDS: Readonly<Partial<Record<Refusable, Deed>>> = {
  'views.open': { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/sms') },
  'views.publish': { as: ASHA, act: homeOpened, isSilent: true },
  'usergroups.users.list': { as: RAVI, act: approved },
  'conversations.members': {
    as: RAVI,
    act: async () => expect((await flashStep('Without leave.')).outputs).toMatchObject({ status: 'refused' }),
    isSilent: true,
  },
  'files.getUploadURLExternal': { as: ASHA, act: exported },
  'files.completeUploadExternal': { as: ASHA, act: exported },
  // The words above a file are taken back when the file does not come.
  'chat.delete': {
    ...{ as: ASHA, act: exported },
    also: [{ ...refusesOnce('files.completeUploadExternal'), error: 'file_not_found' }],
  },
  response_url: { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/sends') },
  // Last, because each of the others asks it as well.
  'users.info': { as: RAVI, act: approved, isKnown: true },
};

function refusesOnce(method: Method) {
  return { on: 'api', method, times: 1, do: 'error' } as const;
}

const isTooMany = (fault: Fault) =>
  fault.do === 'rate_limit' || ('error' in fault && TOO_MANY.includes(fault.error));

/** What somebody was told alone, or sees open. */
function seenBy(userId: string): number {
  return toldTo(stack, userId).length + stack.person(userId).views().length;
}

test('calls: people hear what Slack has refused, and nothing is sent', async ({ task }) => {
  let tried = 0;
  const untold: string[] = [];
  for (const [method, { as, act, isSilent, isKnown, also = [] }] of Object.entries(DEEDS) as [
    Refusable,
    Deed,
  ][]) {
    for (const fault of faultsOf(method).filter((one) => !isKnown || !isTooMany(one))) {
      disturb(stack, fault, ...also);
      const before = { seen: seenBy(as), asked: callsOf(stack, method) };
      await act();
      tried += 1;
      if (!isSilent)
        await stack
          .eventually('a word', () => seenBy(as) > before.seen)
          .catch(() => untold.push(`${method}: ${JSON.stringify(fault)}`));
      if (method !== 'response_url' && !isTooMany(fault))
        await expect
          .poll(() => callsOf(stack, method), { message: JSON.stringify(fault) })
          .toBeGreaterThan(before.asked);
      await stack.closeViews(as);
    }
  }
  expect(untold).toEqual([]);
  disturb(stack);
  expect([stack.wholeRequests(), reached(stack)]).toEqual([[], []]);
  // Once Slack takes it, each of them does what it is for.
  // A Herald that was told “too many” asks nothing for half a minute: a new one knows nothing of that.
  await stack.restart();
  await approved();
  await stack.eventually('everybody', () => reached(stack).length === 12);
  expect((await flashStep('With leave.')).outputs).toMatchObject({ status: 'accepted' });
  await homeOpened();
  await stack.eventually('Home', () => stack.workspace.snapshot().homes[ASHA]);
  task.meta.figure = `${tried} refusals of ${Object.keys(DEEDS).length} methods${SHARE}: people heard of it, nothing sent`;
});

/** What Herald calls for an alert: none of it is waited for. Its other questions are asked in `questions.test.ts`. */
const AROUND_ALERTS = ['reactions.add', 'chat.postMessage'] satisfies Method[];

/** A Herald that was told “too many” asks nothing for half a minute. */
const AFTER_TOO_MANY = { timeout: 60_000 };

test('alerts: whoever is on call gets them, once, whatever Slack refuses meanwhile', async ({ task }) => {
  const texts: string[] = [];
  for (const method of AROUND_ALERTS) {
    const isAny = (fault: Fault) => 'error' in fault && ANY_METHOD.includes(fault.error);
    const before = callsOf(stack, method);
    const own = faultsOf(method).filter((fault) => method === 'chat.postMessage' || !isAny(fault));
    for (const [place, fault] of own.entries()) {
      disturb(stack, fault);
      const text = `Fire ${place} of ${method.replaceAll('.', ' ')}.`;
      texts.push(text);
      await stack.workspace.act({ type: 'app_post', appId: 'A0GRAFANA', channel: ALERTS, text });
      await stack.eventually(text, () => got(stack, text).length > 0);
    }
    await expect.poll(() => callsOf(stack, method), AFTER_TOO_MANY).toBeGreaterThan(before);
  }
  disturb(stack);
  expect(texts.filter((text) => got(stack, text).join() !== ON_CALL)).toEqual([]);
  task.meta.figure = `${texts.length} refusals of ${AROUND_ALERTS.length} methods${SHARE}: one flash SMS each`;
});

/** Slack says by these that nobody waits for the step any more. */
const ENDED = ['execution_not_in_running_state', 'function_execution_not_found'];
const OUTPUTS_WRONG = 'parameter_validation_failed';

test('steps: a workflow hears what became of its step, whatever Slack refuses at first', async ({ task }) => {
  let tried = 0;
  for (const method of ['functions.completeSuccess', 'functions.completeError'] as const) {
    const skipped = [...ENDED, ...TOO_MANY];
    const faults = faultsOf(method).filter((fault) => !('error' in fault && skipped.includes(fault.error)));
    // An output that Slack does not take as it is declared becomes an error.
    const wrong = { ...refusesOnce('functions.completeSuccess'), error: OUTPUTS_WRONG } as const;
    // Also for what is told again of a step before, because Slack's answer to that was lost.
    const times = method === 'functions.completeError' ? 99 : 0;
    disturb(stack, { ...wrong, times }, ...faults.map((fault) => ({ ...fault, times: 1 })));
    const texts = faults.map((_fault, n) => `Step ${n} by ${method}.`);
    const runs = await Promise.all(texts.map(flashStep));
    const ends = runs.map(({ status, outputs }) => (status === 'failed' ? status : outputs?.status));
    const failed = times > 0 ? texts.length : 1;
    expect(ends.toSorted()).toEqual([
      ...Array(texts.length - failed).fill('accepted'),
      ...Array(failed).fill('failed'),
    ]);
    expect(texts.filter((text) => got(stack, text).join() !== CUSTOMER)).toEqual([]);
    tried += faults.length;
  }
  task.meta.figure = `${tried} refusals of 2 methods${SHARE}: ${tried} steps ended, one message each`;
});

test('methods: none is called whose refusals are not known here, and tried', ({ task }) => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const source = files.map((name) => readFileSync(join('src', name), 'utf8')).join('\n');
  const calls = source.matchAll(
    /\b(?:apps|auth|bots|chat|conversations|files|functions|reactions|usergroups|users|views)(?:\.\w+){1,2}(?=\(\{)/g,
  );
  const called = new Set([...calls].map(([method]) => method));
  expect(called.size).toBeGreaterThan(15);
  expect([...called].filter((method) => !METHODS.includes(method as Method))).toEqual([]);
  const attacks = ['calls', 'calls-in-forms', 'calls-unanswered', 'questions', 'results']
    .map((name) => readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'))
    .join('\n');
  expect(METHODS.filter((method) => !attacks.includes(`'${method}'`))).toEqual([]);
  task.meta.figure = `${METHODS.length} methods, ${new Set(METHODS.flatMap(errorsOf)).size} different refusals`;
});

test('sockets: closed in the middle, and each envelope twice', async ({ task }) => {
  const { count, said } = howMany(6, 200);
  const duplicate: Fault = { on: 'delivery', times: 1, do: 'duplicate' };
  const disconnect: Fault = { on: 'socket', times: 1, do: 'disconnect' };
  const taken: string[] = [];
  const types = async (text: string, ...faults: readonly Fault[]) => {
    disturb(stack, ...faults);
    if ((await stack.person(ASHA).command(TEAM, `/sms ${CUSTOMER} ${text}`)).ok) taken.push(text);
  };
  for (let n = 0; n < count; n += 1) {
    await types(`Socket ${n}.`, disconnect, duplicate);
    await types(`Again, socket ${n}.`, duplicate);
  }
  const phone = () => stack.carrier.state().phones[CUSTOMER]?.map(({ text }) => text) ?? [];
  await stack.eventually('all of them', () => taken.every((text) => phone().includes(text)), 60_000);
  disturb(stack);
  await stack.stopHerald();
  expect(phone().length).toBe(new Set(phone()).size);
  expect(taken.length).toBeGreaterThan(count);
  task.meta.figure = `${count} lost sockets, ${2 * count} envelopes twice: ${taken.length} commands taken, each sent once${said}`;
});
