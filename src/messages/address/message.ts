import type { Msisdn } from '../numbers/phone-number.ts';
import type { AddressCountry, AddressValues } from './fields.ts';

/** An address that the customer can pick instead of typing one. */
export interface SavedAddress {
  readonly id: string;
  readonly value: AddressValues;
}

/** A form that asks the customer for an address, without its recipient: docs/wire.md row 12. */
export interface AddressMessage {
  readonly kind: 'address';
  readonly from: Msisdn;
  readonly country: AddressCountry;
  readonly body: string;
  /** What the form holds already; only fields of the country. */
  readonly values: AddressValues;
  readonly savedAddresses: readonly SavedAddress[];
  /** A sentence for the customer under each field that has to be corrected. */
  readonly validationErrors: AddressValues;
}
