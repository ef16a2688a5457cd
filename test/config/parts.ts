import { wireSchema } from '../../src/gateway/wire.ts';
import { addressRangeSchema } from '../../src/http/address-range.ts';
import { countryCodeSchema, msisdnSchema } from '../../src/messages/numbers/phone-number.ts';
import { sendersSchema } from '../../src/messages/senders.ts';
import { templateListSchema } from '../../src/messages/templates/template.ts';
import { patternSchema } from '../../src/sends/alerts/pattern.ts';

/** The parts as `herald.ts` brings them. */
export const parts = {
  senders: sendersSchema,
  templates: templateListSchema,
  wire: wireSchema,
  country: countryCodeSchema,
  number: msisdnSchema(),
  pattern: patternSchema,
  addressRange: addressRangeSchema,
};

/** The least that Herald starts with. */
export const ENVIRONMENT = {
  SLACK_BOT_TOKEN: 'xoxb-1234567890',
  SLACK_APP_TOKEN: 'xapp-1234567890',
  MESSAGING_BASE_URL: 'https://api.example.com',
  MESSAGING_FLASH_URL: 'https://flash.example.com',
  MESSAGING_API_KEY: 'key-1234567890',
  HERALD_CONFIG: 'herald.yml',
};

export const TEAM = 'senders: { sms: [{ id: ACMEIN, label: Acme, type: TRANS }] }';
