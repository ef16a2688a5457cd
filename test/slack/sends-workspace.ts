import type { ActResult, SandboxMessage, SandboxView, SlackFile } from '../../sandbox/protocol.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { PostStore } from '../../src/sends/posts.ts';
import { createRefusedPosts } from '../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createSpeeds } from '../../src/slack/kit/cards/speed.ts';
import type { AddFeature } from '../../src/slack/kit/feature/register.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createLinks } from '../../src/slack/kit/posting/links.ts';
import { createOutbox } from '../../src/slack/kit/posting/outbox.ts';
import { createTestNumbers, type ResultServices } from '../../src/slack/results/approve/actions.ts';
import { resultsFeature } from '../../src/slack/results/feature.ts';
import { oneSend } from '../../src/slack/results/one-send.ts';
import { renderSendsToMany } from '../../src/slack/results/posts.ts';
import { sendsFeature } from '../../src/slack/sends/feature.ts';
import type { SendsServices } from '../../src/slack/sends/sends-command.ts';
import { UNSHARED } from '../../src/store/stores.ts';
import { NO_ANSWERS } from '../fakes/answers.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { following, only } from '../fakes/only.ts';
import { rendering } from '../fakes/renderers.ts';
import { ASKED_AT, CARD_SETTINGS, FakeBulkSends, LISTS, openStores } from './bulk-sends.ts';
import { RecordingSends } from './compose/setting.ts';
import { BOT_TOKEN, type Connected, ConnectedWorkspace, startSandbox } from './slack-workspace.ts';

/** Longer than any pause of Herald’s. */
const FOREVER_MS = 1e9;
const BILL: Template = {
  channel: 'chatapp',
  variant: 'text',
  name: 'bill',
  label: 'Bill',
  languages: ['en'],
  placeholders: [],
  text: 'You owe us.',
  cards: 0,
};

/** Nobody waits: whoever sleeps is awake at once, and that much later. */
function createLeapingClock() {
  let now = ASKED_AT;
  let passed = 0;
  return {
    now: () => now,
    monotonic: () => passed,
    sleep: async (ms: number) => {
      now += ms;
      passed += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    set: (to: number) => {
      passed += Math.max(0, to - now);
      now = to;
    },
  };
}

/** Nobody answered, and no template is in the catalogue. */
const NOTHING_MORE = {
  answers: NO_ANSWERS,
  audiences: LISTS,
  catalogue: { find: async () => undefined, search: async () => [], mark: async () => undefined },
};

interface Block {
  readonly block_id: string;
  readonly elements?: readonly { readonly action_id?: string }[];
}

/** Everything that shows bulk sends, in a workspace that behaves as Slack does, over a real store and a fake domain. */
export class SendsWorkspace extends ConnectedWorkspace {
  readonly clock = createLeapingClock();
  readonly #stop = new AbortController();
  store!: SendStore;
  posts!: PostStore;
  bulkSends!: FakeBulkSends;
  sends!: RecordingSends;
  approvers!: Set<string>;
  edits: string[] = [];
  editProblem: string | undefined;
  /** People who may not see what others send. */
  refused!: Set<string>;
  /** The answers of any number; `userId` asked for the send. */
  customerAnswers: { at: number; text: string; sendId: string; userId: string }[] = [];
  #seen = new Set<string>();

  static async start(): Promise<SendsWorkspace> {
    // Herald's clock leaps over its pauses; the workspace's does not.
    const sends = new SendsWorkspace(await startSandbox({ rateLimits: false }));
    sends.#begin();
    return sends.connect((add, base) => sends.#register(add, base));
  }

  /** An empty store, and nobody who did anything yet. */
  #begin(): void {
    const { sends, posts } = openStores();
    this.store = sends;
    this.posts = posts;
    this.bulkSends = new FakeBulkSends(sends);
    this.sends = new RecordingSends();
    this.approvers = new Set(['U0RAVI', 'U0MEI']);
    this.edits = [];
    this.editProblem = undefined;
    this.refused = new Set();
    this.customerAnswers = [];
  }

  #register(add: AddFeature, base: Connected): void {
    const shared = this.#current(base);
    const testNumbers = createTestNumbers(shared.clock);
    add(resultsFeature, only<ResultServices>({ ...(shared as object), testNumbers }));
    const services = only<SendsServices>({
      ...(shared as object),
      timeZoneOf: async () => 'Asia/Kolkata',
      access: {
        whyNot: async ({ to }, { userId }) =>
          to === 'reports' && !this.approvers.has(userId)
            ? 'Only approvers may.'
            : this.refused.has(userId)
              ? 'Only members may.'
              : undefined,
      },
      catalogue: {
        find: async (_channel, name) => (name === BILL.name ? BILL : undefined),
        search: async (channel) => (channel === 'chatapp' ? [BILL] : []),
        mark: async () => undefined,
      },
      answers: {
        ...NO_ANSWERS,
        answersOf: async (_number, { userId }) =>
          this.customerAnswers
            .filter((one) => userId === undefined || one.userId === userId)
            .map(({ at, text, sendId }, id) => ({
              ...{ id, key: text, sendId, receivedAt: at, optedOut: false, first: false },
              event: { kind: 'text', text },
            })),
      },
      oneSend: (sendId, userId) => oneSend(sendId, userId, shared),
    });
    add(sendsFeature, services);
  }

  /** What the handlers use, always that of the test that runs. */
  #current(base: Connected) {
    return {
      ...base,
      store: following(() => this.store),
      bulkSends: following(() => this.bulkSends),
      sends: following(() => this.sends),
      speedOf: () => ({ perSecond: 0 }),
      ...NOTHING_MORE,
      directory: {
        whyNot: async (userId: string) => (this.approvers.has(userId) ? undefined : ('not_listed' as const)),
      },
      onEdit: async ({ id }: { id: string }) => {
        this.edits.push(id);
        return this.editProblem;
      },
      optOuts: { optOutRemovals: async () => [], optedOut: async () => new Set<never>() },
      cardSettings: CARD_SETTINGS,
    };
  }

  /** Shows whatever is wanted, and what that wants in turn. */
  async show(rounds = 8): Promise<void> {
    const { client, identity } = this.app;
    const logger = createRecordingLogger();
    const { workspace, clock } = this;
    const storeTrouble = createStoreTrouble();
    const shared = { client, clock, logger, storeTrouble, stopping: this.#stop.signal };
    const sources = {
      ...shared,
      store: this.store,
      linkTo: createLinks(shared),
      ...NOTHING_MORE,
      files: createSlackFiles({ client, botToken: BOT_TOKEN, slackApiUrl: workspace.apiUrl, logger }),
      approvalChannel: 'C0APPROVALS',
      cardSettings: { ...CARD_SETTINGS, approvers: ['S0MANAGERS', 'U0RAVI'] },
      speedOf: createSpeeds(shared),
      lease: { replicas: () => 1 },
    };
    for (let round = 0; round < rounds; round += 1) {
      const outbox = createOutbox({
        ...shared,
        clock: { ...clock, sleep: (ms) => (ms === FOREVER_MS ? new Promise(() => {}) : clock.sleep(ms)) },
        posts: this.posts,
        sharing: UNSHARED,
        identity,
        latestUrls: { say: async () => false },
        refusedPosts: createRefusedPosts(logger, () => {}),
        renderers: rendering(renderSendsToMany(sources)),
      });
      await outbox.drained(FOREVER_MS);
      await clock.sleep(1_000);
    }
  }

  /** An empty store, and nothing seen so far. */
  override async reset(): Promise<void> {
    this.clock.set(ASKED_AT);
    this.#begin();
    await super.reset();
    const { messages } = this.workspace.snapshot();
    this.#seen = new Set(messages.map(({ channel, ts }) => `${channel} ${ts}`));
  }

  override async stop(): Promise<void> {
    this.#stop.abort();
    await super.stop();
  }

  clockAt(now: number): void {
    this.clock.set(now);
  }

  /** What was posted in this test, oldest first. */
  messages(channel: string): readonly SandboxMessage[] {
    return this.workspace
      .snapshot()
      .messages.filter((one) => one.channel === channel && !this.#seen.has(`${channel} ${one.ts}`));
  }

  last(channel: string, fits: (message: SandboxMessage) => boolean = () => true): SandboxMessage {
    const message = this.messages(channel).findLast(fits);
    if (message === undefined) throw new Error(`Nothing was posted in ${channel}.`);
    return message;
  }

  direct(userId: string): readonly SandboxMessage[] {
    return this.messages(userId.replace(/^U/, 'D'));
  }

  /** The message as it now is. */
  fresh({ channel, ts }: SandboxMessage): SandboxMessage {
    const all = this.workspace.snapshot().messages;
    const message = all.find((one) => one.channel === channel && one.ts === ts);
    if (message === undefined) throw new Error('The message is gone.');
    return message;
  }

  words(message: SandboxMessage): string {
    return JSON.stringify(this.fresh(message).blocks ?? []);
  }

  /** As `until`, for what stands in messages that Herald keeps up to date. */
  async untilShown<Value>(what: string, probe: () => Value | undefined | false): Promise<Value> {
    for (let tries = 0; tries < 20; tries += 1) {
      await this.show(1);
      const found = probe();
      if (found) return found;
    }
    return this.until(what, probe);
  }

  /** The next thing said in a channel to one person alone; it is then taken for seen. */
  async untilEphemeral(userId: string, channel: string): Promise<SandboxMessage> {
    const message = await this.until(`an answer to ${userId}`, () =>
      this.messages(channel).find(({ ephemeralFor }) => ephemeralFor === userId),
    );
    this.#seen.add(`${channel} ${message.ts}`);
    return message;
  }

  /** Presses a button of a message as it now is: an update gives its blocks new ids. */
  press(message: SandboxMessage, actionId: string, as: string): Promise<void> {
    return this.person(as).click(actionId, { message: this.fresh(message) });
  }

  /** Chooses in a menu of a message: `chosen` is what Slack says of it. */
  choose(message: SandboxMessage, actionId: string, as: string, chosen: object): Promise<ActResult> {
    const value = { ...chosen };
    return this.workspace.act({ type: 'block_action', ...this.#menu(message, actionId), as, value });
  }

  /** What a menu that is searched offers. */
  suggest(message: SandboxMessage, actionId: string, as: string, value: string): Promise<ActResult> {
    return this.workspace.act({ type: 'suggestion', ...this.#menu(message, actionId), as, value });
  }

  #menu(message: SandboxMessage, actionId: string) {
    const blocks = (this.fresh(message).blocks ?? []) as unknown as readonly Block[];
    const block = blocks.find(({ elements = [] }) => elements.some((one) => one.action_id === actionId));
    if (block === undefined) throw new Error(`The message has no menu ${actionId}.`);
    const container = { type: 'message', channel: message.channel, ts: message.ts } as const;
    return { container, blockId: block.block_id, actionId };
  }

  view(userId: string): SandboxView | undefined {
    return this.person(userId).views().at(-1);
  }

  untilView(userId: string): Promise<SandboxView> {
    return this.until('a window', () => this.view(userId));
  }

  /** A command's answer to the person alone. */
  async answer(as: string, line: string): Promise<SandboxMessage> {
    const before = this.messages('C0TEAM').length;
    const taken = await this.person(as).command('C0TEAM', line);
    if (!taken.ok) throw new Error(`${line} was not taken: ${JSON.stringify(taken)}`);
    return this.until(`an answer to ${line}`, () => this.messages('C0TEAM')[before]);
  }

  /** Of a message, its file. */
  override download(one: SandboxMessage | SlackFile | undefined): Promise<string> {
    return super.download(one && 'ts' in one ? one.files?.[0] : one);
  }
}
