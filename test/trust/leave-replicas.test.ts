import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replicas, startReplicas } from '../e2e/replicas.ts';
import { ASHA, RAVI, TEAM } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { describeWithPostgres, directly } from '../postgres/database.ts';
import { forge } from './forged.ts';
import { nameSeed, SEED, startLateWay } from './late-answers.ts';

const MEI = 'U0MEI';
const crew = (count: number) => Array.from({ length: count }, (_none, n) => `+91981234610${n}`);
const group = (count: number) => JSON.stringify(crew(count).map((number, n) => ({ name: `P${n}`, number })));
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [${ASHA}, ${RAVI}, ${MEI}], over: 2, tiers: [{ over: 4, approvals: 2 }] }
alerts: { groups: { three: ${group(3)}, five: ${group(5)} }, approvalOver: 2 }
`;
const CLICKS = 50;
const RACES = 10;

await describeWithPostgres('two replicas', () => {
  nameSeed();
  let stack: Replicas;
  let way: Awaited<ReturnType<typeof startLateWay>>;
  beforeAll(async () => {
    stack = await startReplicas('http', CONFIG, 2, {
      wayToDatabase: async (direct) => {
        way = await startLateWay(direct, SEED);
        return way.url;
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    way?.close();
  });

  async function find(text: string) {
    const where = `message LIKE '%"${text}"%' AND state <> 'draft'`;
    const [row] = await directly(stack.database, `SELECT id, digest, state FROM sends WHERE ${where}`);
    return row as { id: string; digest: string; state: string } | undefined;
  }
  async function ask(to: string, text: string) {
    await forge(stack, 'command:/flash', { userId: ASHA }, { text: `@${to} ${text}` });
    await expect.poll(() => find(text), { message: text }).toBeDefined();
    return { text, ...(await find(text)) };
  }
  type Sent = Awaited<ReturnType<typeof ask>>;
  const click = (userId: string, { id, digest }: Sent) =>
    forge(stack, 'action:approval_approve', { userId }, { value: `${id}.${digest}` });
  const reject = (userId: string, { id }: Sent) =>
    forge(
      stack,
      'view:approval_rejection',
      { userId },
      {
        metadata: { sendId: id, channelId: TEAM },
        state: { reason: { value: { type: 'plain_text_input', value: 'No.' } } },
      },
    );
  const many = (userIds: readonly string[], send: Sent) =>
    Promise.all(Array.from({ length: CLICKS }, (_none, n) => click(userIds[n % userIds.length] ?? '', send)));
  const becomes = ({ text }: Sent, state: RegExp) =>
    expect.poll(async () => (await find(text))?.state, { message: text }).toMatch(state);
  const got = ({ text }: Sent) =>
    Object.values(stack.carrier.state().phones)
      .flat()
      .filter((one) => one.text?.includes(text))
      .map(({ number }) => number)
      .toSorted();

  test('leave: clicks that come to both replicas at once', async ({ task }) => {
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
    expect(got(both)).toEqual(crew(5));
    for (const send of [own, one]) {
      expect([(await find(send.text))?.state, got(send)]).toEqual(['awaiting_approval', []]);
    }
    for (const send of races)
      expect(got(send)).toEqual((await find(send.text))?.state === 'done' ? crew(3) : []);
    task.meta.figure = `${3 * CLICKS} clicks and ${RACES} races of approve against reject on two replicas`;
  });
});
