import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replicas, startReplicas } from '../e2e/replicas.ts';
import { ASHA, RAVI } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { describeWithPostgres, directly } from '../postgres/database.ts';
import { isFull } from './how-many.ts';
import { nameSeed, SEED, startLateWay } from './late-answers.ts';
import { createLeaveSteps, MEI, type Sent } from './leave-steps.ts';

const crew = (count: number) => Array.from({ length: count }, (_none, n) => `+91981234610${n}`);
const group = (count: number) => JSON.stringify(crew(count).map((number, n) => ({ name: `P${n}`, number })));
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [${ASHA}, ${RAVI}, ${MEI}], over: 2, tiers: [{ over: 4, approvals: 2 }] }
alerts: { groups: { three: ${group(3)}, five: ${group(5)} }, approvalOver: 2 }
`;
const CLICKS = isFull ? 50 : 20;
const RACES = isFull ? 10 : 4;

await describeWithPostgres('two replicas', () => {
  nameSeed();
  let stack: Replicas;
  let way: Awaited<ReturnType<typeof startLateWay>>;
  let steps: ReturnType<typeof createLeaveSteps>;
  beforeAll(async () => {
    stack = await startReplicas('http', CONFIG, 2, {
      wayToDatabase: async (direct) => {
        way = await startLateWay(direct, SEED);
        return way.url;
      },
    });
    steps = createLeaveSteps(stack, (sql) => directly(stack.database, sql));
  });
  afterAll(async () => {
    await stack?.stop();
    way?.close();
  });

  const many = (userIds: readonly string[], send: Sent) =>
    Promise.all(
      Array.from({ length: CLICKS }, (_none, n) => steps.click(userIds[n % userIds.length] ?? '', send)),
    );

  test('leave: clicks that come to both replicas at once', async ({ task }) => {
    const { ask, click, reject, becomes, stateOf, got } = steps;
    const own = await ask('three', 'By who asked.');
    const one = await ask('five', 'By one of two.');
    const both = await ask('five', 'By both.');
    await Promise.all([many([ASHA], own), many([RAVI, ASHA], one), many([RAVI, MEI], both)]);
    await becomes(both, /^done$/);
    const races: Sent[] = [];
    for (let race = 0; race < RACES; race += 1) {
      const send = await ask('three', `Race ${race}.`);
      await Promise.all([reject(MEI, send), click(RAVI, send)]);
      races.push(send);
    }
    for (const send of races) await becomes(send, /^(?:done|rejected)$/);
    for (const { process } of stack.replicas) await process.stop();
    expect(got(both.text)).toEqual(crew(5));
    for (const send of [own, one]) {
      expect([await stateOf(send), got(send.text)]).toEqual(['awaiting_approval', []]);
    }
    for (const send of races) expect(got(send.text)).toEqual((await stateOf(send)) === 'done' ? crew(3) : []);
    task.meta.figure = `${3 * CLICKS} clicks and ${RACES} races of approve against reject on two replicas`;
  });
});
