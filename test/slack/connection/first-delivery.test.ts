import type { ReceiverEvent } from '@slack/bolt';
import { expect, it } from 'vitest';
import { createNotes } from '../../../src/sends/notes.ts';
import { createFirstDelivery } from '../../../src/slack/connection/deliveries.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';

function event(deliveryKey: string, body: Record<string, unknown> = { command: '/sms' }): ReceiverEvent {
  return { body, ack: async () => {}, customProperties: { deliveryKey } };
}

it('of two processes that are handed the same delivery one runs it', async () => {
  const clock = createManualClock();
  const notes = createNotes(clock);
  const [one, other] = [1, 2].map(() => createFirstDelivery(notes.claim, clock, createRecordingLogger()));
  const answers = await Promise.all([one?.(event('k')), other?.(event('k')), other?.(event('another'))]);
  expect(answers).toEqual([true, false, true]);
});

it('an event that comes again is run: whoever had it first may have died before it was done', async () => {
  const clock = createManualClock();
  const isFirst = createFirstDelivery(createNotes(clock).claim, clock, createRecordingLogger());
  const step = event('k', { event: { type: 'function_executed' } });
  expect([await isFirst(step), await isFirst(step)]).toEqual([true, true]);
});

it('suggestions are not asked about', async () => {
  const clock = createManualClock();
  const isFirst = createFirstDelivery(async () => false, clock, createRecordingLogger());
  expect(await isFirst(event('k', { type: 'block_suggestion' }))).toBe(true);
});

it('runs it when the store fails, or does not say in time for Slack', async () => {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const broken = createFirstDelivery(() => Promise.reject(new Error('gone')), clock, logger);
  expect(await broken(event('k'))).toBe(true);
  const silent = createFirstDelivery(() => new Promise(() => {}), clock, logger);
  let answer: boolean | undefined;
  void silent(event('k')).then((first) => {
    answer = first;
  });
  await clock.advance(499);
  expect(answer).toBeUndefined();
  await clock.advance(1);
  expect(answer).toBe(true);
});
