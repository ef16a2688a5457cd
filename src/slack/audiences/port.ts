import type { Result } from '../../core/result.ts';
import type { Msisdn } from '../../messages/phone-number.ts';
import type { Audience, AudienceRow, OptOut } from '../../sends/audience.ts';

/** A larger file is not read to its end. `sends/audiences` has the sentence; this only bounds the transfer. */
export const CSV_MAX_BYTES = 64 * 1024 * 1024;

/** What became of a list that somebody gave. Each refusal is two sentences. */
export type ListResult =
  | { readonly state: 'ready'; readonly audience: Audience }
  /** The number column could not be told for sure: the person names one of these. */
  | { readonly state: 'choose_column'; readonly columns: readonly string[] }
  | { readonly state: 'refused'; readonly what: string; readonly next: string };

/** What Slack's side asks of audiences and opt-outs; `sends/audiences` answers. */
export interface Audiences {
  fromNumbers(text: string, by: string): Promise<ListResult>;
  fromFile(file: {
    readonly name: string;
    readonly bytes: AsyncIterable<Uint8Array>;
    readonly numberColumn?: string;
    readonly by: string;
  }): Promise<ListResult>;
  find(audienceId: string): Promise<Audience | undefined>;
  findByName(name: string): Promise<Audience | undefined>;
  /** Saved ones, by name. */
  list(limit: number): Promise<readonly Audience[]>;
  /** The first `limit` rows. */
  sample(audienceId: string, limit: number): Promise<readonly AudienceRow[]>;
  /** Gives it a name, taking it from the audience that had it. Fails with a sentence about the name. */
  save(audienceId: string, name: string): Promise<Result<Audience, string>>;
  forget(name: string): Promise<boolean>;
  /** The same text at every reading. */
  exclusionsCsv(audienceId: string): AsyncIterable<string>;

  /** False when the number was on the list already. */
  optOut(number: Msisdn, by: string): Promise<boolean>;
  /** False when it was not on the list. */
  optIn(number: Msisdn, by: string): Promise<boolean>;
  lookUp(number: Msisdn): Promise<OptOut | undefined>;
  importOptOuts(file: {
    readonly name: string;
    readonly bytes: AsyncIterable<Uint8Array>;
    readonly numberColumn?: string;
    readonly by: string;
  }): Promise<
    | { readonly state: 'imported'; readonly read: number; readonly added: number; readonly invalid: number }
    | Exclude<ListResult, { state: 'ready' }>
  >;
  exportOptOuts(): AsyncIterable<string>;
  countOptOuts(): Promise<number>;
}
