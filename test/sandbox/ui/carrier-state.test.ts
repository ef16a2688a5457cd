import { expect, it } from 'vitest';
import type { CarrierRequest, CarrierState, PhoneMessage } from '../../../sandbox/protocol.ts';
import { applyCarrierEvent, phonesOf } from '../../../sandbox/ui/carrier-state.ts';

const message = (id: string, number: string, more: Partial<PhoneMessage> = {}): PhoneMessage => ({
  id,
  at: 1,
  number,
  channel: 'sms',
  from: 'ACMEIN',
  text: id,
  ...more,
});
const state = (...messages: PhoneMessage[]): CarrierState => ({
  requests: [],
  phones: Object.groupBy(messages, (one) => one.number) as Record<string, PhoneMessage[]>,
  faults: [],
});

it('adds a message to its phone once, even when told twice', () => {
  const one = message('m1', '+65');
  const told = applyCarrierEvent(state(), { type: 'message', message: one });
  expect(applyCarrierEvent(told, { type: 'message', message: one })).toEqual(state(one));
});

it('replaces a request that got its answer', () => {
  const asked: CarrierRequest = {
    id: 1,
    at: 1,
    path: '/sms',
    headers: {},
    body: {},
    result: { status: null, note: 'waiting' },
  };
  const answered = { ...asked, result: { status: 200, note: 'accepted' } };
  const before = applyCarrierEvent(state(), { type: 'request', request: asked });
  expect(applyCarrierEvent(before, { type: 'request', request: answered })?.requests).toEqual([answered]);
});

it('keeps flash messages out of the inbox, and dismissed ones out of sight', () => {
  const flash = message('f1', '+65', { channel: 'flash', at: 5 });
  const sms = message('m1', '+65', { at: 3 });
  const before = state(sms, flash);
  const phone = { number: '+65', name: 'Mei', lastAt: 5 };
  const named = [{ number: '+65', name: 'Mei' }];
  expect(phonesOf(before, named)).toEqual([{ ...phone, inbox: [sms], overlays: [flash] }]);
  const after = applyCarrierEvent(before, { type: 'dismissed', number: '+65', id: 'f1' });
  expect(phonesOf(after, named)).toEqual([{ ...phone, inbox: [sms], overlays: [] }]);
});

it('lists every phone once, the latest to ring first', () => {
  const phones = phonesOf(state(message('a', '+1', { at: 2 }), message('b', '+2', { at: 9 })), [
    { number: '+3', name: 'Quiet' },
    { number: '+1', name: 'Known' },
  ]);
  expect(phones.map(({ number, name }) => [number, name])).toEqual([
    ['+2', undefined],
    ['+1', 'Known'],
    ['+3', 'Quiet'],
  ]);
});

it('forgets everything on reset', () => {
  expect(applyCarrierEvent(state(message('a', '+1')), { type: 'reset' })).toEqual(state());
});
