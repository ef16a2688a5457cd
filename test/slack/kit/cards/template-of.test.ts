import { expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { Send } from '../../../../src/sends/send.ts';
import { progressCard } from '../../../../src/slack/results/progress/card.ts';
import { readDoubted } from '../../../../src/slack/templates/windows.ts';
import { ORDER, report, SMS } from './reports.ts';

const failure = (code: string): Failure => ({ code, what: 'It failed.', next: 'Look.', scope: 'send' });

function stopped(code: string): Send {
  return {
    ...report(ORDER, { state: 'rejected' }).send,
    ...{ state: 'stopped', recipientCount: 3, reason: failure(code) },
  };
}

const valuesOf = (send: Send) => {
  const card = progressCard({ send, perSecond: 0 });
  expect(validateMessage(card)).toEqual([]);
  return card.blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((element) =>
      element.type === 'button' && element.action_id === 'template_look' ? [element.value] : [],
    );
};

test.each(['132000', '132001', '132015'])(
  'a bulk send that code %s stopped leads to its template',
  (code) => {
    expect(valuesOf(stopped(code))).toEqual([`chatapp/order_update ${code}`]);
  },
);

test('other codes, and messages without a template, lead nowhere', () => {
  expect(valuesOf(stopped('131051'))).toEqual([]);
  expect(valuesOf({ ...stopped('132000'), kind: 'sms', message: SMS })).toEqual([]);
});

test('a button’s value is read back, and nothing else is', () => {
  const [value] = valuesOf(stopped('132000'));
  const key = { channel: 'chatapp', name: 'order_update' };
  expect(readDoubted(value)).toEqual({ key, code: '132000' });
  expect(readDoubted('chatapp/order_update')).toEqual({ key });
  expect(readDoubted('rcs/Summer sale/2 132001')).toEqual({
    key: { channel: 'rcs', name: 'Summer sale/2' },
    code: '132001',
  });
  for (const other of [undefined, '', 'rcs', 'mail/a', 'chatapp', 'rcs/', '../x 1'])
    expect(readDoubted(other).key).toBeUndefined();
});
