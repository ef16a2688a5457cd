import type { Frame } from '../interactive/message.ts';
import type { Msisdn } from '../numbers/phone-number.ts';
import type { AddressCountry, AddressTable } from './table.ts';

/** Texts by field; only fields of the country, and only those that have one. */
export type AddressValues = Readonly<Record<string, string>>;

/** An address that the customer can pick instead of typing one. */
export interface SavedAddress {
  readonly id: string;
  readonly value: AddressValues;
}

/** A form that asks the customer for an address, without its recipient: docs/wire.md row 12. */
export interface AddressMessage extends Frame {
  readonly kind: 'address';
  readonly from: Msisdn;
  readonly country: AddressCountry;
  /** What the form holds already; only fields of the country. */
  readonly values: AddressValues;
  readonly savedAddresses: readonly SavedAddress[];
  /** A sentence for the customer under each field that has to be corrected. */
  readonly validationErrors: AddressValues;
  readonly campaignName?: string;
  /** The table that its form had, where that was not the interface document's. */
  readonly fields?: AddressTable;
}
