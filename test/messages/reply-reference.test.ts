import { expect, test } from 'vitest';
import { REFERENCE_LENGTH, readReference, withReference } from '../../src/messages/reply-reference.ts';

const SEND = 'S-7K2M9QX4TB';

test.each(['yes', '', 'a~b', 'line\nbreak', `twice~${SEND}`])('%j comes back with its send', (id) => {
  const carried = withReference(id, SEND);
  expect(readReference(carried)).toEqual({ id, sendReference: SEND });
  expect(carried.length - id.length).toBe(REFERENCE_LENGTH);
});

test.each(['yes', `yes~${SEND} `, 'yes~S-short', `yes~${SEND.toLowerCase()}`, 'yes~S-IIIIIIIIII'])(
  '%j carries none',
  (id) => {
    expect(readReference(id)).toBeUndefined();
  },
);
