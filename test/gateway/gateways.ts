import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { TIMEOUTS } from '../../src/gateway/client.ts';
import { type ClosableGateway, createGateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { SmsMessage } from '../../src/messages/kinds/sms.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { parsePhoneNumber } from '../../src/messages/numbers/phone-number.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

export const API_KEY = 'key-5f2b91c7';

function msisdn(number: string): Msisdn {
  const parsed = parsePhoneNumber(number, 'IN');
  if (!parsed.ok) throw new Error(`not a number: ${parsed.error}`);
  return parsed.value;
}

export const ASHA = { number: msisdn('+919876543210') };
export const MEI = { number: msisdn('+6591234567') };

export const SMS: SmsMessage = {
  kind: 'sms',
  sender: 'ACMEIN',
  text: 'Your parcel is here.',
  type: 'TRANS',
  unicode: false,
};

/** A gateway to `url`, closed when the test ends. */
export function openGateway(url: string, options: Partial<GatewayOptions> = {}): ClosableGateway {
  const gateway = createGateway({
    baseUrl: url,
    flashUrl: url,
    apiKey: API_KEY,
    wire: wireSchema.parse({}),
    timeouts: TIMEOUTS,
    connections: 100,
    onRequest: () => {},
    clock: systemClock,
    logger: createRecordingLogger(),
    ...options,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}
