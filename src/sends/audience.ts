import type { Msisdn } from '../messages/numbers/phone-number.ts';

export type ExclusionCause = 'invalid' | 'duplicate' | 'opted_out';

/**
 * A checked list of recipients. It never changes once it is finished, so what was approved is what is sent: replacing a
 * saved audience makes a new one under the same name.
 */
export interface Audience {
  readonly id: string;
  /** The name it is saved under, for everyone; absent for a list of one send. */
  readonly name?: string;
  readonly source: 'numbers' | 'file';
  readonly fileName?: string;
  /** Columns of the file besides the number; the values of a row have the same order. */
  readonly columns: readonly string[];
  /** The header of the column the numbers were taken from. */
  readonly numberColumn?: string;
  /** Rows by result; `read` is the sum of the others. */
  readonly counts: Readonly<Record<'read' | 'valid' | ExclusionCause, number>>;
  /** SHA-256, in hexadecimal, over every valid row in order. */
  readonly digest: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

/** A valid row. `row` is its number in a spreadsheet: the header is row 1. */
export interface AudienceRow {
  readonly row: number;
  readonly number: Msisdn;
  readonly values: readonly string[];
}

/** A valid row as it is hashed, and as it crosses to the store. */
export type ListedRow = readonly [row: number, number: Msisdn, values: readonly string[]];

/** A row left out, for the CSV that people download. */
export interface Exclusion {
  readonly row: number;
  /** The number as it was written. */
  readonly value: string;
  readonly cause: ExclusionCause;
  /** A sentence. */
  readonly reason: string;
}

export interface OptOut {
  readonly number: Msisdn;
  readonly at: number;
  /** A Slack user id, or `herald` for a STOP reply. */
  readonly actor: string;
  readonly source: 'command' | 'import' | 'reply';
}

/** A person removed a number, which is masked, from the opt-out list; this record is append-only. */
export interface OptOutRemoval {
  readonly at: number;
  readonly actor: string;
  readonly number: string;
}

/** Durable memory of audiences and opt-outs; the same rules as `SendStore`. */
export interface AudienceStore {
  /** Begins an audience, which takes rows and exclusions until `finish`; unfinished ones are deleted at start. */
  begin(audience: Omit<Audience, 'name' | 'counts' | 'digest'>): Promise<void>;
  /** @param rows `ListedRow[]` as JSON: a million of them are not made anew at each step of the way */
  append(audienceId: string, rows: string, exclusions: readonly Exclusion[]): Promise<void>;
  finish(audienceId: string, counts: Audience['counts'], digest: string): Promise<Audience>;
  /** Deletes an audience that is not finished, with its rows. */
  abandon(audienceId: string): Promise<void>;
  find(audienceId: string): Promise<Audience | undefined>;
  findByName(name: string): Promise<Audience | undefined>;
  /** Saved audiences, by name. */
  list(limit: number): Promise<readonly Audience[]>;
  /** Gives a finished audience this name and takes it from any other. */
  save(audienceId: string, name: string): Promise<void>;
  /** Removes the name; sends keep their audience. False when there is no such name. */
  forget(name: string): Promise<boolean>;
  /**
   * Deletes finished audiences from before `before` that have no name and belong to no send; returns how many. May take
   * long, but blocks nothing else.
   */
  sweepUnused(before: number): Promise<number>;
  /** The same for lists with a name, too, that belong to no send asked for since or not ended. */
  sweepOld(before: number): Promise<number>;
  /** Up to `limit` rows after `afterRow` (0 to begin), in row order. */
  rows(audienceId: string, afterRow: number, limit: number): Promise<readonly AudienceRow[]>;
  exclusions(audienceId: string, afterRow: number, limit: number): Promise<readonly Exclusion[]>;

  /** Adds numbers that are not on the list yet; returns how many were new. */
  optOut(optOuts: readonly OptOut[]): Promise<number>;
  /** Removes a number and records that; false when it was not on the list. */
  optIn(number: Msisdn, removal: OptOutRemoval): Promise<boolean>;
  /** The record of removals, oldest first, up to `limit` after removal `afterId` (0 to begin). */
  optOutRemovals(
    afterId: number,
    limit: number,
  ): Promise<readonly (OptOutRemoval & { readonly id: number })[]>;
  findOptOut(number: Msisdn): Promise<OptOut | undefined>;
  /** Those of `numbers` that are on the opt-out list. */
  optedOut(numbers: readonly Msisdn[]): Promise<ReadonlySet<Msisdn>>;
  countOptOuts(): Promise<number>;
  /** The whole list in number order, up to `limit` after `afterNumber` ('' to begin). */
  listOptOuts(afterNumber: string, limit: number): Promise<readonly OptOut[]>;
}
