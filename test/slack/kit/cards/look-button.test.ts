import { expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Msisdn } from '../../../../src/messages/numbers/phone-number.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { Send } from '../../../../src/sends/send.ts';
import { writeDoubted } from '../../../../src/slack/kit/cards/look-button.ts';
import { progressCard } from '../../../../src/slack/results/progress/card.ts';
import { readDoubted } from '../../../../src/slack/templates/windows.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';

const failure = (code: string): Failure => ({ code, what: 'It failed.', next: 'Look.', scope: 'send' });

function stopped(code: string): Send {
  return {
    id: 'S-7K2M9QX4TB',
    kind: 'chatapp',
    message: {
      kind: 'chatapp',
      variant: 'text',
      from: '+919876543210' as Msisdn,
      templateName: 'order_update',
      params: [],
    },
    origin: { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' },
    state: 'stopped',
    recipientCount: 3,
    createdAt: 0,
    counts: { ...NO_RECIPIENTS, rejected: 3 },
    reason: failure(code),
  };
}

const valuesOf = (send: Send) => {
  const card = progressCard({ send, perSecond: 0 }, undefined);
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
  const sms = { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false } as const;
  expect(valuesOf({ ...stopped('132000'), kind: 'sms', message: sms })).toEqual([]);
});

test('a button’s value is read back, and nothing else is', () => {
  const key = { channel: 'rcs', name: 'store_open' } as const;
  expect(readDoubted(writeDoubted(key, '132000'))).toEqual({ key, code: '132000' });
  expect(readDoubted('rcs/store_open')).toEqual({ key });
  expect(readDoubted('rcs/Summer sale/2 132001')).toEqual({
    key: { channel: 'rcs', name: 'Summer sale/2' },
    code: '132001',
  });
  for (const value of [undefined, '', 'rcs', 'sms/a', 'chatapp', 'rcs/', '../x 1'])
    expect(readDoubted(value).key).toBeUndefined();
});
