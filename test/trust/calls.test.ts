import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Faults } from '../../sandbox/protocol.ts';
import { askByNumbers, clickOn, reached } from '../e2e/bulk-steps.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from '../e2e/stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { howMany } from './how-many.ts';
import { ANY_METHOD, errorsOf, type Method } from './slack-errors.ts';

/* What people do while Slack refuses the calls that it takes: they are told, and nothing is sent without leave. */

const APPROVALS = 'C0APPROVALS';
const ALERTS = 'C0ALERTS';
const ON_CALL = '+919812345099';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 2 }
access: { send: { flash: [${TEAM}] } }
alerts:
  groups: { night: [{ name: Mei, number: "${ON_CALL}" }] }
  capPerPersonPerHour: 10000
  rules:
    - { name: fire, channel: ${ALERTS}, match: "^Fire", notify: [night], capPerHour: 10000, coolDownMinutes: 0.001 }
`;

let stack: E2eStack;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: CONFIG, others: { rateLimits: false } });
  await stack.person(ASHA).command(TEAM, `/optout add ${ON_CALL.replace('99', '98')}`);
  await askByNumbers(stack, APPROVALS, 'Waiting.');
});
afterAll(() => stack?.stop());

/** Only who is in the channel may. */
const flashStep = (text: string) =>
  stack.person(RAVI).runStep('send_flash_sms', { channel: TEAM, to: CUSTOMER, text });

type Fault = Faults['faults'][number];
type Refusable = Method | 'response_url';

interface Deed {
  readonly as: string;
  readonly act: () => Promise<unknown>;
  /** Slack shows nobody a Home that it does not take. */
  readonly isSilent?: true;
}

const DEEDS: Readonly<Partial<Record<Refusable, Deed>>> = {
  'views.open': { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/sms') },
  'views.publish': {
    as: ASHA,
    act: () => stack.workspace.act({ type: 'home_opened', as: ASHA }),
    isSilent: true,
  },
  'users.info': { as: RAVI, act: () => clickOn(stack, RAVI, APPROVALS, 'approval_approve') },
  'usergroups.users.list': { as: RAVI, act: () => clickOn(stack, RAVI, APPROVALS, 'approval_approve') },
  'conversations.members': {
    as: RAVI,
    act: async () => expect((await flashStep('Without leave.')).outputs).toMatchObject({ status: 'refused' }),
    isSilent: true,
  },
  'files.getUploadURLExternal': { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/optout export') },
  'files.completeUploadExternal': { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/optout export') },
  response_url: { as: ASHA, act: () => stack.person(ASHA).command(TEAM, '/sends') },
};

function faultsOf(method: Refusable): readonly Fault[] {
  const errors = method === 'response_url' ? ['used_url', 'expired_url', 'no_text'] : errorsOf(method);
  const on = { on: 'api', method, times: 99 } as const;
  return [
    // By this one Slack says that the window of a click is open already, because the click came twice.
    ...errors
      .filter((error) => error !== 'exchanged_trigger_id')
      .map((error): Fault => ({ ...on, do: 'error', error })),
    { ...on, do: 'rate_limit', retryAfterSeconds: 1 },
    { ...on, do: 'drop_answer' },
  ];
}

/** What somebody was told alone, or sees open. */
function seenBy(userId: string): number {
  const { messages } = stack.workspace.snapshot();
  const own = messages.filter(
    ({ ephemeralFor, channel }) => ephemeralFor === userId || channel === `D${userId.slice(1)}`,
  );
  return own.length + stack.person(userId).views().length;
}

test('calls: people are told what Slack has refused, and nothing is sent', async ({ task }) => {
  let tried = 0;
  const untold: string[] = [];
  for (const [method, { as, act, isSilent }] of Object.entries(DEEDS) as [Refusable, Deed][]) {
    for (const fault of faultsOf(method)) {
      stack.workspace.setFaults({ faults: [fault] });
      const before = seenBy(as);
      await act();
      tried += 1;
      if (!isSilent)
        await stack
          .eventually('a word', () => seenBy(as) > before)
          .catch(() => untold.push(`${method}: ${JSON.stringify(fault)}`));
      for (const view of stack.person(as).views())
        await stack.workspace.act({ type: 'view_closed', as, viewId: view.id });
    }
  }
  expect(untold).toEqual([]);
  stack.workspace.setFaults({ faults: [] });
  const called = new Set<string>(stack.workspace.apiCalls().map(({ method }) => method));
  expect(Object.keys(DEEDS).filter((method) => method !== 'response_url' && !called.has(method))).toEqual([]);
  expect([stack.wholeRequests(), reached(stack)]).toEqual([[], []]);
  // Once Slack takes it, each of them does what it is for.
  // A Herald that was told “too many” asks nothing for half a minute: a new one knows nothing of that.
  await stack.restart();
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  await stack.eventually('everybody', () => reached(stack).length === 12);
  expect((await flashStep('With leave.')).outputs).toMatchObject({ status: 'accepted' });
  await stack.workspace.act({ type: 'home_opened', as: ASHA });
  await stack.eventually('Home', () => stack.workspace.snapshot().homes[ASHA]);
  task.meta.figure = `${tried} refusals of ${Object.keys(DEEDS).length} methods: people told, nothing sent`;
});

/** What Herald calls around an alert: none of it is waited for. */
const AROUND_ALERTS = [
  'chat.postMessage',
  'chat.update',
  'reactions.add',
  'reactions.remove',
  'bots.info',
  'conversations.info',
  'conversations.history',
  'conversations.replies',
  'users.info',
] satisfies Method[];

test('alerts: whoever is on call gets them, once, whatever Slack refuses meanwhile', async ({ task }) => {
  const texts: string[] = [];
  const got = () => (stack.carrier.state().phones[ON_CALL] ?? []).map(({ text }) => text);
  for (const method of AROUND_ALERTS) {
    const isAny = (fault: Fault) => 'error' in fault && ANY_METHOD.includes(fault.error);
    const own = faultsOf(method).filter((fault) => method === 'chat.postMessage' || !isAny(fault));
    for (const [place, fault] of own.entries()) {
      stack.workspace.setFaults({ faults: [fault] });
      const text = `Fire ${place} of ${method.replaceAll('.', ' ')}.`;
      texts.push(text);
      await stack.workspace.act({ type: 'app_post', appId: 'A0GRAFANA', channel: ALERTS, text });
      await stack.eventually(text, () => got().some((one) => one.includes(text)));
    }
  }
  stack.workspace.setFaults({ faults: [] });
  expect(texts.filter((text) => got().filter((one) => one.includes(text)).length !== 1)).toEqual([]);
  task.meta.figure = `${texts.length} refusals of ${AROUND_ALERTS.length} methods: one flash SMS each`;
});

test('sockets: closed in the middle, and each envelope twice', async ({ task }) => {
  const asha = stack.person(ASHA);
  const { count, said } = howMany(20, 200);
  const texts = Array.from({ length: count }, (_none, n) => `Socket ${n}.`);
  const taken: string[] = [];
  for (const text of texts) {
    const faults: Fault[] = [{ on: 'delivery', times: 1, do: 'duplicate' }];
    stack.workspace.setFaults({ faults: [{ on: 'socket', times: 1, do: 'disconnect' }, ...faults] });
    if ((await asha.command(TEAM, `/sms ${CUSTOMER} ${text}`)).ok) taken.push(text);
    stack.workspace.setFaults({ faults });
    if ((await asha.command(TEAM, `/sms ${CUSTOMER} Again: ${text}`)).ok) taken.push(`Again: ${text}`);
  }
  const got = () => stack.carrier.state().phones[CUSTOMER]?.map((one) => one.text) ?? [];
  await stack.eventually('all of them', () => taken.every((text) => got().includes(text)));
  stack.workspace.setFaults({ faults: [] });
  await stack.stopHerald();
  expect(got().length).toBe(new Set(got()).size);
  expect(taken.length).toBeGreaterThan(texts.length);
  task.meta.figure = `${count} lost sockets, ${2 * count} envelopes twice: ${taken.length} commands taken, each sent once${said}`;
});
