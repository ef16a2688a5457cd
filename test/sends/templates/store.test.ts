import { expect, test } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import { templateAtFault } from '../../../src/sends/templates/store.ts';

const TEMPLATE = { kind: 'rcs', variant: 'plain', templateName: 'store_open', botId: 'acme' } as Message;
const SMS: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };

test.each(['132000', '132001', '132015'])('after %s the template is to be looked at', (code) => {
  expect(templateAtFault(TEMPLATE, { code })).toEqual({
    key: { channel: 'rcs', name: 'store_open' },
    code,
  });
  expect(templateAtFault(SMS, { code })).toBeUndefined();
});

test('after anything else it is not', () => {
  for (const failure of [undefined, {}, { code: '131009' }, { code: 'constructor' }, { code: '__proto__' }])
    expect(templateAtFault(TEMPLATE, failure)).toBeUndefined();
});
