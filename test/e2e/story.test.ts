import { describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { askByNumbers, clickOn } from './bulk-steps.ts';
import { running, startStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, RAVI, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(1);
const NUMBERS = ['50', '51', '52', '53', '54', '55', '56', '57'].map((end) => `+9198123450${end}`);
/** The carrier answers 422. */
const REFUSED = '+919999900422';

describe('the log', () => {
  const stack = running(async () => {
    metricsPort = await freePort('127.0.0.1');
    const env = { METRICS_PORT: String(metricsPort), HOST: '127.0.0.1' };
    return startStack({ config: CONFIG, env });
  });
  let metricsPort: number;

  /** What is logged of one send, without the time and the names of this run. */
  function storyOf(sendId: string): object[] {
    return stack
      .logs()
      .split('\n')
      .filter((line) => line.includes(sendId) && line.includes('"level":30'))
      .map((line) => {
        const { time, level, sendId: of, replica, until, ...rest } = JSON.parse(line);
        expect(of).toBe(sendId);
        expect(typeof replica).toBe(process.env.HERALD_E2E_STORE === 'postgres' ? 'string' : 'undefined');
        return rest;
      });
  }

  async function press(person: string, action: string): Promise<void> {
    await stack.eventually(action, () =>
      JSON.stringify(stack.shown(TEAM, /of 9/)?.blocks ?? '').includes(action),
    );
    await clickOn(stack, person, TEAM, action);
  }

  test('tells one send as a story, with who did what, why, and the counts by code', async () => {
    await askByNumbers(stack, APPROVALS, 'The shop opens at nine.', [...NUMBERS, REFUSED]);
    await clickOn(stack, ASHA, APPROVALS, 'approval_approve');
    await stack.eventually('the refusal', () => stack.logs().includes('approval refused'));
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await press(RAVI, 'send_pause');
    await press(ASHA, 'send_resume');
    const done = await stack.untilShown(TEAM, /: done/);
    const [sendId] = /S-[0-9A-Z]{10}/.exec(JSON.stringify(done.blocks)) ?? [''];
    expect(storyOf(sendId)).toEqual([
      { msg: 'send asked for', kind: 'sms', by: ASHA, channel: TEAM },
      { msg: 'send waits for approval', by: ASHA, recipients: 9, needed: 1 },
      { msg: 'approval refused', by: ASHA, why: 'It was their own send.' },
      { msg: 'send approved', by: RAVI, approvals: 1 },
      { msg: 'send started' },
      { msg: 'send paused', by: RAVI },
      { msg: 'send resumed', by: ASHA },
      { msg: 'send done', accepted: 8, rejected: 1, codes: { 'rejected http_422': 1 } },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^herald_outcomes_total\{outcome="accepted",code="none"\} 8$/m);
    expect(metrics).toMatch(/^herald_outcomes_total\{outcome="rejected",code="http_422"\} 1$/m);
    expect(metrics).toMatch(/^herald_recipients_left 0$/m);
    expect(metrics).toMatch(/^herald_database_seconds_count\{result="done"\} \d+$/m);
    expect(metrics).toMatch(/^herald_slack_api_seconds_count\{method="chat.postMessage",result="ok"\} \d+$/m);
    expect((await fetch(`${stack.heraldUrl}/metrics`)).status).toBe(404);
    for (const number of [...NUMBERS, REFUSED]) expect(stack.logs()).not.toContain(number.slice(1));
  });

  test('tells of a message to one person, of opt-outs and of templates', async () => {
    const asha = stack.person(ASHA);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello`);
    // The end of the send before may come into the thread only now, in the same words.
    const blocks = await stack.eventually('the result', () => {
      const result = JSON.stringify(stack.shown(TEAM, /Hello/)?.blocks);
      return /accepted by the service/i.test(result) && result;
    });
    const [sendId] = /S-[0-9A-Z]{10}/.exec(blocks) ?? [''];
    expect(storyOf(sendId)).toEqual([
      { msg: 'send asked for', kind: 'sms', by: ASHA, channel: TEAM, recipients: 1 },
      { msg: 'send started', by: ASHA },
      { msg: 'send done', accepted: 1 },
    ]);
    expect(stack.logs()).toMatch(/"by":"herald.yml",.*"added chatapp\/order_update",.*"templates changed"/);
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await expect
      .poll(() => stack.logs())
      .toMatch(/"number":"\[number …4567\]","by":"U0ASHA","source":"command","msg":"opted out"/);
  });
});
