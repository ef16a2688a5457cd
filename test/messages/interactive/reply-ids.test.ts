import { expect, test } from 'vitest';
import {
  type InteractiveMessage,
  idFrom,
  readReplyId,
  titleOfReply,
} from '../../../src/messages/interactive/message.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';

const SEND = 'S-7K2M9QX4TB';

test.each(['yes', '', 'a~b', 'line\nbreak', `twice~${SEND}`])('%j comes back with its send', (id) => {
  expect(readReplyId(`${id}~${SEND}`)).toEqual({ id, sendId: SEND });
});

test.each(['yes', `yes~${SEND} `, 'yes~S-short', `yes~${SEND.toLowerCase()}`, 'yes~S-IIIIIIIIII'])(
  '%j carries none',
  (id) => {
    expect(readReplyId(id)).toEqual({ id });
  },
);

const message = { kind: 'interactive', from: '+919876543210' as Msisdn, body: 'Which?' } as const;
const choice = (id: string, title: string) => ({ id, proposed: true, title });
const BUTTONS: InteractiveMessage = {
  ...message,
  action: { type: 'button', buttons: [choice(`yes~${SEND}`, 'Yes'), choice('no', 'No')] },
};
const LIST: InteractiveMessage = {
  ...message,
  action: {
    type: 'list',
    button: 'Choose',
    sections: [
      { id: 'a', rows: [choice('am', 'Morning')] },
      { id: 'b', rows: [choice('pm', 'Evening'), choice('am', 'Again')] },
    ],
  },
};

test.each([
  [BUTTONS, 'yes', 'Yes'],
  [BUTTONS, `no~${SEND}`, 'No'],
  [BUTTONS, 'maybe', undefined],
  [LIST, `pm~${SEND}`, 'Evening'],
  [LIST, 'am', 'Morning'],
  [LIST, 'b', undefined],
])('what was tapped is read from the message: %#', (sent, id, title) => {
  expect(titleOfReply(sent, id)).toBe(title);
});

test.each([
  ['No, thanks!', 'no-thanks'],
  ['  Ｙes  ', 'yes'],
  ['हाँ जी', 'हाँ-जी'],
  ['…', 'row'],
  ['a'.repeat(61), 'a'.repeat(60)],
  ['𝕏'.repeat(2), 'xx'],
])('of the title %j the id %j is made', (title, id) => {
  expect(idFrom(title, 'row')).toBe(id);
});
