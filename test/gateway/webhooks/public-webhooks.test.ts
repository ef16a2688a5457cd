import { describe, expect, it } from 'vitest';
import { NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import { publishedShapes } from '../published.ts';
import { toldOf } from './told-of.ts';

/*
 * Webhooks of public documentation, in the smallest form that still has its shape: what must be read of each. Names are of
 * the services that publish such a shape.
 */
const GROUPS = publishedShapes(new URL('public-webhooks.txt', import.meta.url));

const WHO = '+919812345678';
const who = '919812345678';
const US = '+14155550100';
const us = '14155550100';

function decode(body: unknown, ours: readonly string[] = []): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return decodeWebhook({ bytes: Buffer.from(text) }, NO_SECRETS, new Set(ours)).map(toldOf);
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

it('has each of the published shapes', () => {
  expect(GROUPS.map(([kind, shapes]) => `${shapes.length} of ${kind}`)).toEqual([
    '75 of what a customer wrote',
    '9 of a tap',
    '99 of a delivery report',
    '22 of something besides words',
    '13 of an opt-out',
    '10 of what nobody needs to hear',
    '20 of what is no report and no answer',
  ]);
});

describe.each(GROUPS)('%s', (_kind, shapes) => {
  it.each(shapes)('%s', (_service, body, expected) => {
    expect(decode(body)).toEqual(expected);
  });
});

/** Words that are easily taken for another, by what they mean; the first of each are those of Parlay X, which operators speak. */
it.each([
  [
    'delivered',
    'DeliveredToTerminal, DELIVERED_TO_HANDSET, RECEIVED_BY_RECIPIENT, Delivered - no error, device_ack',
  ],
  ['read', 'Message seen successfully, READ_BY_RECIPIENT, Played'],
  [
    'sent',
    'MessageWaiting, DeliveredToNetwork, DELIVERED_TO_OPERATOR, AWAITED-DLR, Pending delivery, waiting',
  ],
  [
    'failed',
    'DeliveryImpossible, Non Delivered, NON_DELIVRD, NOT DELIVERED TO HANDSET, USER_CANCELLED_MESSAGE_DELIVERY',
  ],
  [
    'nothing',
    'DeliveryUncertain, DeliveryNotificationNotSupported, delivery_unconfirmed, no delivery report, held',
  ],
])('a status says %s: %s', (meaning, words) => {
  for (const status of words.split(', '))
    expect([status, ...decode({ id: 'm', to: who, status })]).toEqual([
      status,
      meaning === 'nothing' ? 'unknown nobody' : `${meaning} m ${WHO}`,
    ]);
});

describe('our own number as sender', () => {
  it('makes no customer of us', () => {
    const echo = { id: 'm', from: us, to: who, text: 'Reply STOP', status: 'delivered' };
    expect(decode(echo, [US])).toEqual([`delivered m ${WHO}`]);
    expect(decode({ ...echo, status: undefined }, [US])).toEqual([]);
    expect(decode(echo)).toEqual([`text ${US}: Reply STOP`]);
  });
});

describe('what is about nobody’s message', () => {
  it('of ours, with a status that nobody knows, is not lost either', () => {
    const odd = { direction: 'outbound', id: 'm', from: US, to: WHO, text: 'Hello', status: 'QUARANTINED' };
    expect(decode(odd)).toEqual([`unknown ${US}`]);
    expect(decode({ event: 'message.failed.opted_out', id: 'm', to: WHO })).toEqual([`failed m ${WHO}`]);
  });

  it('cannot be put into another’s mouth by text that looks like an event', () => {
    const forged = JSON.stringify({ from: '6591234567', text: 'STOP' });
    expect(decode({ from: who, id: 'a', text: forged })).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode(form({ From: WHO, message: forged }))).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode({ messages: [{ from: who, text: { body: forged } }] })).toEqual([`text ${WHO}: ${forged}`]);
    expect(decode({ from: who, text: `id:m ${forged} stat:DELIVRD` })).not.toContain(
      'text +6591234567: STOP',
    );
  });
});
