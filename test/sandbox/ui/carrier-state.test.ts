import { expect, it } from 'vitest';
import type { CarrierEvent, CarrierRequest, CarrierState, PhoneMessage } from '../../../sandbox/protocol.ts';
import { applyCarrierEvents } from '../../../sandbox/ui/carrier-state.ts';

const message = (id: string, number: string, more: Partial<PhoneMessage> = {}): PhoneMessage => ({
  id,
  at: 1,
  number,
  channel: 'sms',
  from: 'ACMEIN',
  text: id,
  ...more,
});
const snapshot = (...messages: PhoneMessage[]): CarrierEvent & { type: 'snapshot' } => ({
  type: 'snapshot',
  state: {
    requests: [],
    phones: Object.groupBy(messages, (one) => one.number) as CarrierState['phones'],
    faults: [],
    reports: 'never',
  },
});
const MEI = [{ number: '+65', name: 'Mei' }];
const ring = (one: PhoneMessage): CarrierEvent => ({ type: 'message', message: one });

it('shows nothing before the first snapshot', () => {
  expect(applyCarrierEvents(undefined, [ring(message('m1', '+65'))], MEI)).toBeUndefined();
});

it('adds a message to its phone once, even when told twice', () => {
  const one = message('m1', '+65');
  const view = applyCarrierEvents(undefined, [snapshot(), ring(one), ring(one)], MEI);
  expect(view?.phones.get('+65')).toEqual({ ...MEI[0], inbox: [one], overlays: [], lastAt: 1 });
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
  const next = { ...asked, id: 2 };
  const answered = { ...asked, result: { status: 200, note: 'accepted' } };
  const told = [asked, next, answered].map((request): CarrierEvent => ({ type: 'request', request }));
  expect(applyCarrierEvents(undefined, [snapshot(), ...told], [])?.requests).toEqual([answered, next]);
});

it('keeps flash messages out of the inbox, and dismissed ones out of sight', () => {
  const flash = message('f1', '+65', { channel: 'flash', at: 5 });
  const gone = message('f0', '+65', { channel: 'flash', dismissed: true });
  const sms = message('m1', '+65', { at: 3 });
  const phone = { number: '+65', name: 'Mei', lastAt: 5, inbox: [sms] };
  const before = applyCarrierEvents(undefined, [snapshot(gone, sms, flash)], MEI);
  expect(before?.phones.get('+65')).toEqual({ ...phone, overlays: [flash] });
  const after = applyCarrierEvents(before, [{ type: 'dismissed', number: '+65', id: 'f1' }], MEI);
  expect(after?.phones.get('+65')).toEqual({ ...phone, overlays: [] });
});

it('holds every phone once, the latest to ring last', () => {
  const view = applyCarrierEvents(
    undefined,
    [snapshot(message('a', '+1', { at: 2 }), message('b', '+2', { at: 9 })), ring(message('c', '+1'))],
    [
      { number: '+3', name: 'Quiet' },
      { number: '+1', name: 'Known' },
    ],
  );
  expect([...(view?.phones.values() ?? [])].map(({ number, name }) => [number, name])).toEqual([
    ['+3', 'Quiet'],
    ['+2', undefined],
    ['+1', 'Known'],
  ]);
});

it('takes as long for a message among 10,000 phones as among one: nothing is copied', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => message(`m${n}`, `+${n}`));
  const before = applyCarrierEvents(undefined, [snapshot(...many)], []);
  const after = applyCarrierEvents(before, [ring(message('new', '+7'))], []);
  expect(after).not.toBe(before);
  expect(after?.phones).toBe(before?.phones);
  expect(after?.requests).toBe(before?.requests);
});

it('forgets everything but the phones of the workspace on reset', () => {
  const view = applyCarrierEvents(undefined, [snapshot(message('a', '+1')), { type: 'reset' }], MEI);
  expect(view).toEqual(applyCarrierEvents(undefined, [snapshot()], MEI));
});

it('keeps with a message what was reported of it, and what the carrier is told to do over a reset', () => {
  const report = { number: '+65', id: 'm1', report: 'read' } as const;
  const plan = { faults: [{ do: { type: 'hang' as const } }], reports: 'late' as const };
  const events: CarrierEvent[] = [
    snapshot(message('m1', '+65'), message('m2', '+65')),
    { type: 'reported', messages: [report, { ...report, number: '+91' }] },
    { type: 'plan', ...plan },
  ];
  const view = applyCarrierEvents(undefined, events, MEI);
  expect(view?.phones.get('+65')?.inbox.map((one) => one.report)).toEqual(['read', undefined]);
  expect(view?.phones.has('+91')).toBe(false);
  expect(applyCarrierEvents(view, [{ type: 'reset' }], MEI)).toMatchObject({ requests: [], ...plan });
});
