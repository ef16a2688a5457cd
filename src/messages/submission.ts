import type { Msisdn } from './numbers/phone-number.ts';

/** One person a message goes to. */
export interface Recipient {
  readonly number: Msisdn;
  /** The id of a stored send, and the place in it. */
  readonly sendId?: string;
  readonly row?: number;
}

/** A rule that a submitted value broke: `path` is the form path of the input, e.g. `params.0` or `to`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}
