import { afterAll, test } from 'vitest';
import { startReplicas } from '../e2e/replicas.ts';
import { running } from '../e2e/stack.ts';
import { APPROVALS, ASHA, MEI, RAVI, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { describeWithPostgres, directly } from '../postgres/database.ts';
import { isFull } from './how-many.ts';
import { nameSeed, SEED, startLateWay } from './late-answers.ts';
import { createLeaveSteps, numbers, type Sent } from './leave-steps.ts';
import { groupOf } from './world.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${ASHA}, ${RAVI}, ${MEI}], over: 2, tiers: [{ over: 4, approvals: 2 }] }
alerts: { groups: { three: ${groupOf(numbers(3))}, five: ${groupOf(numbers(5))} }, approvalOver: 2 }
`;
const CLICKS = isFull ? 50 : 20;
const RACES = isFull ? 10 : 4;

await describeWithPostgres('two replicas', () => {
  nameSeed();
  let way: Awaited<ReturnType<typeof startLateWay>> | undefined;
  const wayToDatabase = async (direct: string) => {
    way = await startLateWay(direct, SEED);
    return way.url;
  };
  // Hooks at the end run in the other order: the way is closed last.
  afterAll(() => way?.close());
  const stack = running(() => startReplicas('http', CONFIG, 2, { wayToDatabase }));
  const steps = createLeaveSteps(stack, (sql) => directly(stack.database, sql));

  test('leave: clicks that come to both replicas at once', async ({ task }) => {
    const { ask, clicks, reject, click, becomes, ends } = steps;
    const own = await ask('three', 'By who asked.');
    const one = await ask('five', 'By one of two.');
    const both = await ask('five', 'By both.');
    await Promise.all([
      clicks(CLICKS, [ASHA], own),
      clicks(CLICKS, [RAVI, ASHA], one),
      clicks(CLICKS, [RAVI, MEI], both),
    ]);
    await becomes(both, /^done$/);
    const races: Sent[] = [];
    for (let race = 0; race < RACES; race += 1) {
      const send = await ask('three', `Race ${race}.`);
      await Promise.all([reject(MEI, send), click(RAVI, send)]);
      races.push(send);
    }
    for (const send of races) await becomes(send, /^(?:done|rejected)$/);
    for (const { process } of stack.replicas) await process.stop();
    await ends(both, ['done'], numbers(5));
    for (const send of [own, one]) await ends(send, ['awaiting_approval']);
    for (const send of races) await ends(send, ['done', 'rejected'], numbers(3));
    task.meta.figure = `${3 * CLICKS} clicks and ${RACES} races of approve against reject on two replicas`;
  });
});
