import { expect, test } from 'vitest';
import { startReplicas } from '../e2e/replicas.ts';
import { running } from '../e2e/stack.ts';
import { APPROVALS, CUSTOMER, RAVI, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { describeWithPostgres, directly } from '../postgres/database.ts';
import { requestOf } from './forged.ts';
import {
  CLOCK_OF_SLACK_S,
  commandBody,
  JSON_TYPE,
  messageEvent,
  now,
  postSigned,
  type Signed,
  sign,
} from './signed.ts';
import { ALERTS, callsOf, got, groupOf } from './world.ts';

/* Slack gives a request that got no answer to any replica once more, with the same signature; and so may somebody who has seen it. */

const crew = ['+919812346100', '+919812346101', '+919812346102'];
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 2 }
alerts:
  groups:
    night: [{ name: Mei, number: "${CUSTOMER}" }]
    three: ${groupOf(crew)}
  approvalOver: 2
  rules: [{ name: fire, channel: ${ALERTS}, match: "^Fire", notify: [night], coolDownMinutes: 0.001 }]
`;
const TIMES = 10;
/** What Slack signs is good for five minutes. */
const ALMOST_OLD_S = 280;
const TOO_OLD_S = 300 + CLOCK_OF_SLACK_S;

await describeWithPostgres('two replicas', () => {
  const stack = running(() => startReplicas('http', CONFIG, 2));

  const command = (name: string, text: string) => commandBody(stack.workspace.origin, name, text);
  const event = (text: string) => JSON.stringify(messageEvent(ALERTS, text));
  const click = (value: string) => {
    const name = 'action:approval_approve';
    const { payload } = requestOf(stack.workspace.origin, name, { userId: RAVI }, { value });
    return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  };

  const to = (replica: number, request: Signed) => {
    stack.balancer.sendTo(replica);
    return postSigned(stack.heraldUrl, request);
  };
  const at = async (replica: number, requests: readonly Signed[]) => {
    for (const request of requests) await to(replica, request);
  };
  const atBoth = (requests: readonly Signed[]) => {
    stack.balancer.sendTo(undefined);
    return Promise.all(
      requests.flatMap((one) => Array.from({ length: TIMES }, () => postSigned(stack.heraldUrl, one))),
    );
  };
  const times = (text: string) => got(stack, text).length;
  const find = async (text: string) => {
    const [row] = await directly(
      stack.database,
      `SELECT id || '.' || digest AS value FROM sends WHERE message LIKE '%${text}%' AND state = 'awaiting_approval'`,
    );
    return row?.value as string | undefined;
  };

  test('replay: what one replica has had does nothing at the other', async ({ task }) => {
    const old = String(now() - ALMOST_OLD_S);
    const commandLine = command('/flash', `${CUSTOMER} Command.`);
    const inTurn = [
      sign(commandLine),
      sign(command('/flash', `${CUSTOMER} Almost old.`), undefined, old),
      sign(event('Fire. Event.'), JSON_TYPE),
      sign(command('/flash', '@three Group.')),
    ];
    const atOnce = [
      sign(command('/flash', `${CUSTOMER} At once.`)),
      sign(event('Fire. All at once.'), JSON_TYPE),
    ];
    const texts = ['Command.', 'Almost old.', 'Event.', 'At once.', 'All at once.'];
    await at(0, inTurn);
    // Signed anew, as Slack does not, and as nobody else can: the same delivery all the same.
    await at(1, [...inTurn, sign(commandLine, undefined, String(now() - 1))]);
    await atBoth([...atOnce, ...inTurn]);
    for (const text of texts) await stack.watch.until(text, () => times(text) > 0);
    await expect.poll(() => find('Group.')).toBeDefined();
    const approval = sign(click((await find('Group.')) ?? ''));
    await at(1, [approval]);
    await at(0, [approval]);
    await atBoth([approval]);
    await stack.watch.until('the group', () => times('Group.') === crew.length, 60_000);
    // A window has no key of its own that would keep it from being opened twice.
    const form = sign(command('/sms', ''));
    await at(0, [form]);
    await atBoth([form]);
    const opened = () => callsOf(stack, 'views.open');
    await stack.watch.until('a form', () => opened() > 0);
    const tooOld = sign(command('/flash', `${CUSTOMER} Too old.`), undefined, String(now() - TOO_OLD_S));
    for (const replica of [0, 1]) expect(await to(replica, tooOld)).toBe('401');
    for (const { process } of stack.replicas) await process.stop();
    expect(texts.map((text) => [text, times(text)])).toEqual(texts.map((text) => [text, 1]));
    expect([times('Group.'), times('Too old.'), opened()]).toEqual([crew.length, 0, 1]);
    const requests = inTurn.length + atOnce.length + 2;
    task.meta.figure = `${requests} requests at both, in turn and ${TIMES} times at once: each had its effect once`;
  });
});
