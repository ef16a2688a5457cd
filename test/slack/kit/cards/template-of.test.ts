import { expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { Send } from '../../../../src/sends/send.ts';
import { progressCard } from '../../../../src/slack/results/progress/card.ts';
import { readDoubted } from '../../../../src/slack/templates/windows.ts';
import { ORDER, report } from './reports.ts';

function stopped(code: string): Send {
  const reason: Failure = { code, what: 'It failed.', next: 'Look.', scope: 'send' };
  return { ...report(ORDER, { state: 'rejected' }).send, state: 'stopped', recipientCount: 3, reason };
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

// Which codes those are, and of which messages, is in test/sends/templates/life.test.ts.
test('a bulk send that was stopped leads to its template by a code of templates, and by no other', () => {
  expect(valuesOf(stopped('132000'))).toEqual(['chatapp/order_update 132000']);
  expect(valuesOf(stopped('131051'))).toEqual([]);
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
