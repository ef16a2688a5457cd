import type { Msisdn } from '../messages/numbers/phone-number.ts';

/** Why a row of a list is not sent to. */
export type ExclusionCause = 'invalid' | 'duplicate' | 'opted_out';

/** How many rows a list had, and what became of them: `read` is the sum of the others. */
export interface AudienceCounts {
  readonly read: number;
  readonly valid: number;
  readonly duplicate: number;
  readonly opted_out: number;
  readonly invalid: number;
}

/**
 * A checked list of recipients. It never changes once it is finished: replacing a saved audience makes a new one
 * under the same name, so that what a manager approved is what is sent.
 */
export interface Audience {
  readonly id: string;
  /** Saved under this name, for everyone; absent for a list that belongs to one send. */
  readonly name?: string;
  readonly source: 'numbers' | 'file';
  /** File name, for people. */
  readonly fileName?: string;
  /** Columns of the file besides the number, in order; values of a row stand in the same order. */
  readonly columns: readonly string[];
  /** The header of the column the numbers were taken from. */
  readonly numberColumn?: string;
  readonly counts: AudienceCounts;
  /** SHA-256, in hexadecimal, over every valid row in order. */
  readonly digest: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

/** A valid row. `row` is its place in the source, counted from 1 and with the header as row 1, as a spreadsheet shows it. */
export interface AudienceRow {
  readonly row: number;
  readonly number: Msisdn;
  readonly values: readonly string[];
}

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

/** A number that a person took off the opt-out list; the record of these is append-only. */
export interface OptOutRemoval {
  readonly at: number;
  /** A Slack user id. */
  readonly actor: string;
  /** Masked. */
  readonly number: string;
}

/** Durable memory of audiences and opt-outs; the same rules as `SendStore`. */
export interface AudienceStore {
  /** Rows and exclusions are added while `finish` has not been called; an unfinished one is swept at start. */
  begin(
    audience: Pick<
      Audience,
      'id' | 'source' | 'fileName' | 'columns' | 'numberColumn' | 'createdBy' | 'createdAt'
    >,
  ): Promise<void>;
  append(audienceId: string, rows: readonly AudienceRow[], exclusions: readonly Exclusion[]): Promise<void>;
  finish(audienceId: string, counts: AudienceCounts, digest: string): Promise<Audience>;
  /** Drops an audience that was begun and not finished, with all of its rows. */
  abandon(audienceId: string): Promise<void>;
  find(audienceId: string): Promise<Audience | undefined>;
  findByName(name: string): Promise<Audience | undefined>;
  /** Saved ones, by name. */
  list(limit: number): Promise<readonly Audience[]>;
  /** Gives a finished audience this name; another that had it loses it. */
  save(audienceId: string, name: string): Promise<void>;
  /** Takes the name away; sends that use the audience keep it. False when there is no such name. */
  forget(name: string): Promise<boolean>;
  /**
   * Drops finished audiences that were made before `before`, have no name, and that no send was ever asked for with;
   * returns how many. Takes its time, and holds nothing else up.
   */
  sweepUnused(before: number): Promise<number>;
  /** Up to `limit` rows after `afterRow` (0 to begin), in row order. */
  rows(audienceId: string, afterRow: number, limit: number): Promise<readonly AudienceRow[]>;
  exclusions(audienceId: string, afterRow: number, limit: number): Promise<readonly Exclusion[]>;

  /** Adds those that are not on the list yet; returns how many were new. */
  optOut(optOuts: readonly OptOut[]): Promise<number>;
  /** Takes a number off the list and keeps that in the record; false when it was not on it. */
  optIn(number: Msisdn, removal: OptOutRemoval): Promise<boolean>;
  /** The record of numbers taken off, oldest first, up to `limit` after removal `afterId` (0 to begin). */
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
