import { expect, test } from 'vitest';
import { readReplyId } from '../../../src/messages/interactive/reply-ids.ts';

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
