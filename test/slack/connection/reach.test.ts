import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchReach } from '../../../src/slack/connection/reach.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { clientOf } from '../test-app.ts';

const QUESTION_MS = 3_000;
const PATIENCE_MS = 4_000;

let slack: FakeSlack;
let clock: ManualClock;
let said: boolean[];
let sayingFails: boolean;
let stopping: AbortController;
let watching: Promise<void>;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  said = [];
  sayingFails = false;
  stopping = new AbortController();
  const logger = createRecordingLogger();
  const { client } = clientOf(slack, clock, logger);
  const announceReach = async (reached: boolean) => {
    said.push(reached);
    if (sayingFails) throw new Error('The database is gone.');
  };
  answer({ ok: true });
  watching = watchReach({ client, announceReach, clock, logger, stopping: stopping.signal });
  await asked(1);
});

afterEach(async () => {
  stopping.abort();
  await watching;
  await slack.close();
});

const answer = (...answers: FakeAnswer[]) => void slack.answers.set('api.test', answers);
const asked = async (times: number) => {
  await expect.poll(() => slack.calls.filter(({ method }) => method === 'api.test').length).toBe(times);
  // The answer was given; whoever asked has slept since, or waits for one that does not come.
  await expect.poll(() => clock.sleeping).toBeGreaterThan(0);
};
/** Asks once more and hears the answer. */
async function question(times: number): Promise<void> {
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(QUESTION_MS);
  await asked(times);
}

test('Slack that answers, even with no, is reached, and nothing need be said', async () => {
  answer({ ok: false, error: 'invalid_auth' }, { status: 429 });
  await question(2);
  await question(3);
  await question(4);
  expect(said).toEqual([]);
});

test('one question without an answer is nothing; two are a cut, said until it is over', async () => {
  answer('reset');
  await question(2);
  await expect.poll(() => clock.sleeping).toBe(1);
  expect(said).toEqual([]);
  await question(3);
  await expect.poll(() => said).toEqual([false]);
  await question(4);
  await expect.poll(() => said).toEqual([false, false]);
  answer({ ok: true });
  await question(5);
  await expect.poll(() => said).toEqual([false, false, true]);
  await question(6);
  expect(said).toEqual([false, false, true]);
});

test('an answer that does not come is none', async () => {
  answer('hang');
  await question(2);
  await clock.advance(PATIENCE_MS);
  await question(3);
  await clock.advance(PATIENCE_MS);
  await expect.poll(() => said).toEqual([false]);
});

test('what could not be said is said again', async () => {
  answer('reset');
  await question(2);
  await question(3);
  await expect.poll(() => said).toEqual([false]);
  answer({ ok: true });
  sayingFails = true;
  await question(4);
  await expect.poll(() => said).toEqual([false, true]);
  sayingFails = false;
  await question(5);
  await expect.poll(() => said).toEqual([false, true, true]);
  await question(6);
  expect(said).toEqual([false, true, true]);
});
