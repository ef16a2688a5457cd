import { given } from '../../../../src/core/given.ts';
import type { Msisdn } from '../../../../src/messages/numbers/phone-number.ts';
import { type Audiences, createAudiences } from '../../../../src/sends/audiences/service.ts';
import { leftOutOf, reviewOf } from '../../../../src/sends/bulk/recipients.ts';
import type { BulkSends } from '../../../../src/sends/bulk/service.ts';
import type { BulkRequest, BulkResult } from '../../../../src/sends/bulk.ts';
import type { TemplateCatalogue } from '../../../../src/sends/ports.ts';
import type { ConversationStore } from '../../../../src/sends/replies/ports.ts';
import type { Send } from '../../../../src/sends/send.ts';
import type { SlackServices } from '../../../../src/slack/kit/services.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { following, only } from '../../../fakes/only.ts';
import { createCountingRandom } from '../../../fakes/random.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';
import { openMemoryStores } from '../../../fakes/stores.ts';
import { CARD_SETTINGS } from '../../bulk-sends.ts';
import { NOTHING_STORED } from '../../kit/cards/reports.ts';

/** The first and the second list that are read here. */
export const [FIRST_LIST, SECOND_LIST] = ['A-1000000000', 'A-2000000000'];

/** The real lists and drafts, on a database in memory. */
export function createLists() {
  const { audiences: store, sends, drafts } = openMemoryStores();
  const clock = createManualClock();
  const services = { clock, random: createCountingRandom(), logger: createRecordingLogger() };
  const audiences = createAudiences({ ...services, store, defaultCountry: 'IN' });
  const lists = {
    ...audiences,
    drafts,
    counted: { audiences: store, store: sends, clock },
    /** Set to hold an answer back until it resolves. */
    hold: undefined as Promise<unknown> | undefined,
    fromNumbers: async (...asked: Parameters<Audiences['fromNumbers']>) => {
      await lists.hold;
      return audiences.fromNumbers(...asked);
    },
    fromFile: async (...asked: Parameters<Audiences['fromFile']>) => {
      await lists.hold;
      return audiences.fromFile(...asked);
    },
  };
  return lists;
}

export type Lists = ReturnType<typeof createLists>;

/** A list of numbers, or of the rows of a file, that can be sent to. */
export async function listOf(
  lists: Pick<Lists, 'fromFile' | 'fromNumbers' | 'save'>,
  rows: string,
  name?: string,
) {
  const by = 'U0RAVI';
  const file = { name: 'list.csv', by, bytes: new Blob([rows]).stream() };
  const read = await (/^\p{L}/u.test(rows) ? lists.fromFile(file) : lists.fromNumbers(rows, by));
  if (read.state !== 'ready') throw new Error(read.state);
  if (name !== undefined) await lists.save(read.audience.id, name);
  return read.audience;
}

const noFile = () => Promise.reject(new Error('No test of this asks for a file.'));

/** What forms need besides senders and templates, with nothing in it: everybody may send, and no group is on call. */
export function createNeeds() {
  let opened: Lists | undefined;
  const lists = following(() => (opened ??= createLists()));
  return {
    audiences: lists as Audiences,
    bulkSends: only<BulkSends>(new RecordingBulkSends(lists)),
    files: { download: noFile, sendTo: noFile, upload: noFile, isShowable: noFile },
    approvals: { over: 1 },
    access: { whyNot: async () => undefined },
    groups: { names: [], numbersOf: async () => [], approvalOver: 10 },
    checkMedia: async () => ({ issues: [], open: [] }),
    drafts: following(() => lists.drafts),
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
  /** Set to hold the count of a list back until it resolves. */
  counting: Promise<unknown> | undefined;
  answer: BulkResult | undefined;
  state: 'awaiting_approval' | 'started' = 'awaiting_approval';
  readonly #lists: Pick<Lists, 'counted'>;
  readonly #catalogue: TemplateCatalogue;

  constructor(
    lists: Pick<Lists, 'counted'>,
    catalogue: TemplateCatalogue = only({ find: async () => undefined }),
  ) {
    this.#lists = lists;
    this.#catalogue = catalogue;
  }

  leftOut: BulkSends['leftOut'] = (asked) =>
    leftOutOf(asked, { ...this.#lists.counted, catalogue: this.#catalogue });
  review: BulkSends['review'] = async (asked, signal) => {
    await this.counting;
    const policy = { approvers: ['S0MANAGERS'], over: 2, tiers: [], expireHours: 24, lateAfterMinutes: 60 };
    return reviewOf(asked, { ...this.#lists.counted, catalogue: this.#catalogue, policy }, signal);
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
