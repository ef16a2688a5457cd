import { given } from '../../../../src/core/given.ts';
import { ok, type Result } from '../../../../src/core/result.ts';
import { type Msisdn, parsePhoneNumber } from '../../../../src/messages/numbers/phone-number.ts';
import type { Audience, AudienceRow, Exclusion, OptOut } from '../../../../src/sends/audience.ts';
import type { Audiences, ListResult } from '../../../../src/sends/audiences/service.ts';
import { reviewOf } from '../../../../src/sends/bulk/recipients.ts';
import type { BulkSends } from '../../../../src/sends/bulk/service.ts';
import type { BulkRequest, BulkResult } from '../../../../src/sends/bulk.ts';
import type { DraftKey, DraftStore, SavedDraft } from '../../../../src/sends/drafts.ts';
import type { TemplateCatalogue } from '../../../../src/sends/ports.ts';
import type { ConversationStore } from '../../../../src/sends/replies/ports.ts';
import type { Send } from '../../../../src/sends/send.ts';
import type { SlackServices } from '../../../../src/slack/kit/services.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { only } from '../../../fakes/only.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';
import { CARD_SETTINGS } from '../../bulk-sends.ts';
import { NOTHING_STORED } from '../../kit/cards/reports.ts';

/** Audiences in memory, read simply: commas, no quotes. What is tested is what Slack's side makes of them. */
export class FakeAudiences implements Audiences {
  readonly audiences = new Map<string, Audience>();
  readonly rows = new Map<string, AudienceRow[]>();
  readonly exclusions = new Map<string, Exclusion[]>();
  readonly optOuts = new Map<Msisdn, OptOut>();
  readonly files: string[] = [];
  /** Set to hold an answer back until it resolves. */
  hold: Promise<unknown> | undefined;

  clear(): void {
    for (const kept of [this.audiences, this.rows, this.exclusions, this.optOuts]) kept.clear();
    this.files.length = 0;
    this.hold = undefined;
  }

  async fromNumbers(text: string, by: string): Promise<ListResult> {
    await this.hold;
    const lines = text.split(/[\n,]/).map((line) => [line.trim()]);
    return this.#add({ source: 'numbers', columns: [], createdBy: by }, lines, 0, 1);
  }

  async fromFile(file: Parameters<Audiences['fromFile']>[0]): Promise<ListResult> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.bytes) chunks.push(chunk);
    await this.hold;
    const text = Buffer.concat(chunks).toString();
    this.files.push(text);
    const [header = [], ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    if (lines.length === 0)
      return { state: 'refused', what: 'The file has no rows.', next: 'Choose another.' };
    const wanted = file.numberColumn ?? 'phone';
    const place = header.indexOf(wanted);
    if (place < 0) return { state: 'choose_column', columns: header };
    const columns = header.filter((_name, index) => index !== place);
    const about = { fileName: file.name, columns, numberColumn: wanted, createdBy: file.by };
    return this.#add({ source: 'file', ...about }, lines, place, 2);
  }

  #add(
    about: Pick<Audience, 'source' | 'columns' | 'createdBy'> & { fileName?: string; numberColumn?: string },
    lines: string[][],
    place: number,
    firstRow: number,
  ): ListResult {
    const seen = new Set<string>();
    const rows: AudienceRow[] = [];
    const counts = { read: lines.length, valid: 0, duplicate: 0, opted_out: 0, invalid: 0 };
    const exclusions: Exclusion[] = [];
    for (const [index, cells] of lines.entries()) {
      const parsed = parsePhoneNumber(cells[place] ?? '', 'IN');
      const exclude = (cause: Exclusion['cause'], reason: string) => {
        counts[cause] += 1;
        exclusions.push({ row: firstRow + index, value: cells[place] ?? '', cause, reason });
      };
      if (!parsed.ok) exclude('invalid', parsed.error);
      else if (seen.has(parsed.value)) exclude('duplicate', 'It is there twice.');
      else if (this.optOuts.has(parsed.value)) exclude('opted_out', 'This number has opted out.');
      else {
        counts.valid += 1;
        const values = cells.filter((_cell, cell) => cell !== place);
        rows.push({ row: firstRow + index, number: parsed.value, values });
      }
      if (parsed.ok) seen.add(parsed.value);
    }
    const id = `A-${this.audiences.size + 1}`;
    const audience: Audience = { id, ...about, counts, digest: 'd', createdAt: 0 };
    this.audiences.set(id, audience);
    this.rows.set(id, rows);
    this.exclusions.set(id, exclusions);
    return { state: 'ready', audience };
  }

  async find(id: string): Promise<Audience | undefined> {
    return this.audiences.get(id);
  }
  async findByName(name: string): Promise<Audience | undefined> {
    return [...this.audiences.values()].find((one) => one.name?.toLowerCase() === name.toLowerCase());
  }
  async list(limit: number): Promise<readonly Audience[]> {
    return [...this.audiences.values()].filter(({ name }) => name !== undefined).slice(0, limit);
  }
  async sample(id: string, limit: number): Promise<readonly AudienceRow[]> {
    return (this.rows.get(id) ?? []).slice(0, limit);
  }
  async leftOut(id: string, limit: number): Promise<readonly Exclusion[]> {
    return (this.exclusions.get(id) ?? []).slice(0, limit);
  }
  async save(id: string, name: string): Promise<Result<Audience, string>> {
    const before = await this.findByName(name);
    if (before) {
      const { name: _lost, ...rest } = before;
      this.audiences.set(before.id, rest);
    }
    const audience = this.audiences.get(id);
    if (audience === undefined) throw new Error(`There is no audience ${id}.`);
    const saved = { ...audience, name };
    this.audiences.set(id, saved);
    return ok(saved);
  }
  async forget(name: string): Promise<boolean> {
    const audience = await this.findByName(name);
    return audience !== undefined && this.audiences.delete(audience.id);
  }
  async *exclusionsCsv(id: string): AsyncIterable<string> {
    yield 'row,number,cause\r\n';
    yield `2,${id} ☎,invalid\r\n`;
  }
  async optOut(number: Msisdn, by: string): Promise<boolean> {
    if (this.optOuts.has(number)) return false;
    this.optOuts.set(number, { number, at: Date.UTC(2026, 0, 5), actor: by, source: 'command' });
    return true;
  }
  async optIn(number: Msisdn): Promise<boolean> {
    return this.optOuts.delete(number);
  }
  async lookUp(number: Msisdn): Promise<OptOut | undefined> {
    return this.optOuts.get(number);
  }
  async importOptOuts(file: Parameters<Audiences['importOptOuts']>[0]) {
    const result = await this.fromFile(file);
    if (result.state !== 'ready') return result;
    const { id, counts } = result.audience;
    let added = 0;
    for (const { number } of this.rows.get(id) ?? []) if (await this.optOut(number, file.by)) added += 1;
    return { state: 'imported', read: counts.read, added, invalid: counts.invalid } as const;
  }
  async *exportOptOuts(): AsyncIterable<string> {
    yield 'number\r\n';
    for (const number of this.optOuts.keys()) yield `${number}\r\n`;
  }
  async countOptOuts(): Promise<number> {
    return this.optOuts.size;
  }
}

/** Drafts in memory. */
function createDrafts(): DraftStore {
  const drafts: SavedDraft[] = [];
  const placeOf = ({ owner, kind, name }: DraftKey) =>
    drafts.findIndex((one) => one.owner === owner && one.kind === kind && one.name === name);
  const take = (key: DraftKey) => placeOf(key) >= 0 && drafts.splice(placeOf(key), 1).length > 0;
  return {
    save: async (draft) => {
      const replaced = take(draft);
      drafts.unshift(draft);
      return replaced ? 'replaced' : 'added';
    },
    find: async (key) => drafts[placeOf(key)],
    names: async (owner, kind) =>
      drafts.filter((one) => one.owner === owner && one.kind === kind).map(({ name }) => name),
    remove: async (key) => take(key),
  };
}

const noFile = () => Promise.reject(new Error('No test of this asks for a file.'));

/** What forms need besides senders and templates, with nothing in it: everybody may send, and no group is on call. */
export function createNeeds() {
  return {
    audiences: new FakeAudiences(),
    bulkSends: only<BulkSends>(new RecordingBulkSends()),
    files: { download: noFile, sendTo: noFile, upload: noFile, isShowable: noFile },
    approvals: { over: 1 },
    access: { whyNot: async () => undefined },
    groups: { names: [], numbersOf: async () => [], approvalOver: 10 },
    checkMedia: async () => ({ issues: [], open: [] }),
    drafts: createDrafts(),
    names: { nameOf: async (id: string) => id },
    cardSettings: CARD_SETTINGS,
    store: only<SlackServices['store']>({ ...NOTHING_STORED }),
    answers: only<SlackServices['answers']>({ answersOf: async () => [] }),
    optOuts: only<SlackServices['optOuts']>({ optedOut: async () => new Set<Msisdn>() }),
    conversations: only<ConversationStore>({
      findEvent: async () => undefined,
      newestAnswer: async () => undefined,
    }),
  };
}

/** Takes every request once, as the real one does. */
export class RecordingBulkSends {
  readonly requests: BulkRequest[] = [];
  readonly audiences: FakeAudiences;
  /** Set to hold the count of a list back until it resolves. */
  counting: Promise<unknown> | undefined;
  answer: BulkResult | undefined;
  state: 'awaiting_approval' | 'started' = 'awaiting_approval';

  readonly #catalogue: Pick<TemplateCatalogue, 'find'>;

  constructor(
    audiences = new FakeAudiences(),
    catalogue: Pick<TemplateCatalogue, 'find'> = { find: async () => undefined },
  ) {
    this.audiences = audiences;
    this.#catalogue = catalogue;
  }

  /** As the real one counts, over what the fakes hold. */
  review: BulkSends['review'] = async ({ audienceId, ...asked }, signal) => {
    await this.counting;
    const { audiences } = this;
    const review = reviewOf(
      { audienceId, ...asked },
      {
        audiences: only({
          find: (id: string) => audiences.find(id),
          rows: async (id: string, after: number, limit: number) =>
            (audiences.rows.get(id) ?? []).filter(({ row }) => row > after).slice(0, limit),
          optedOut: async (numbers: readonly Msisdn[]) =>
            new Set(numbers.filter((number) => audiences.optOuts.has(number))),
        }),
        store: only({ hadEnough: async () => new Set(), gotSince: async () => [] }),
        catalogue: this.#catalogue as TemplateCatalogue,
        clock: createManualClock(),
        policy: { approvers: ['S0MANAGERS'], over: 2, tiers: [], expireHours: 24, lateAfterMinutes: 60 },
      },
      signal,
    );
    return review;
  };

  async request(request: BulkRequest): Promise<BulkResult> {
    const known = this.requests.some(({ requestKey }) => requestKey === request.requestKey);
    this.requests.push(request);
    if (this.answer) return this.answer;
    return { state: known ? 'repeated' : this.state, send: sendOf(request) };
  }
}

function sendOf({ message, origin, startAt, audienceId }: BulkRequest): Send {
  return {
    ...{ id: 'S-0000000001', kind: message.kind, message, origin, state: 'awaiting_approval' },
    ...{ recipientCount: 2, createdAt: 0, counts: { ...NO_RECIPIENTS, pending: 2 } },
    audience: { id: audienceId, columns: [] },
    ...given({ startAt }),
  };
}
