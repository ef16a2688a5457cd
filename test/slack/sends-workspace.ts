import type { ActResult, SandboxMessage, SandboxView } from '../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../sandbox/slack/server.ts';
import { Watch } from '../../sandbox/watch.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { PostStore } from '../../src/sends/posts.ts';
import { createRefusedPosts } from '../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { ENTRANCES } from '../../src/slack/features.ts';
import { createSpeeds } from '../../src/slack/kit/cards/speed.ts';
import { createAddFeature } from '../../src/slack/kit/feature/register.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createLinks } from '../../src/slack/kit/posting/links.ts';
import { createOutbox } from '../../src/slack/kit/posting/outbox.ts';
import { createTestNumbers } from '../../src/slack/results/approve/dependencies.ts';
import { resultsFeature } from '../../src/slack/results/feature.ts';
import { oneSend } from '../../src/slack/results/one-send.ts';
import { renderSendsToMany } from '../../src/slack/results/posts-of-many.ts';
import { sendsFeature } from '../../src/slack/sends/feature.ts';
import { UNSHARED } from '../../src/store/alone.ts';
import { NO_ANSWERS } from '../fakes/answers.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { rendering } from '../fakes/renderers.ts';
import { ASKED_AT, AUDIENCE, CARD_SETTINGS, FakeBulkSends, openStores } from './bulk-sends.ts';
import { RecordingSends } from './compose/setting.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** Longer than any pause of Herald’s. */
const FOREVER_MS = 1e9;
const BOT_TOKEN = 'xoxb-sandbox';
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
interface LeapingClock extends Clock {
  set(now: number): void;
}

function createLeapingClock(): LeapingClock {
  let now = ASKED_AT;
  let passed = 0;
  return {
    now: () => now,
    monotonic: () => passed,
    sleep: async (ms) => {
      now += ms;
      passed += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    set: (to) => {
      passed += Math.max(0, to - now);
      now = to;
    },
  };
}

interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly elements?: readonly { readonly action_id?: string; readonly value?: string }[];
  readonly accessory?: { readonly action_id?: string; readonly value?: string };
  readonly element?: { readonly type: string; readonly action_id: string };
}

/** Everything that tells of bulk sends, in a workspace that behaves as Slack does, over a real store and a fake domain. */
export class SendsWorkspace {
  readonly workspace: Workspace;
  readonly clock = createLeapingClock();
  readonly watch: Watch;
  readonly #app: TestApp;
  readonly #stop = new AbortController();
  store: SendStore;
  posts: PostStore;
  bulkSends: FakeBulkSends;
  sends = new RecordingSends();
  approvers = new Set(['U0RAVI', 'U0MEI']);
  edits: string[] = [];
  editProblem: string | undefined;
  /** Who may not see what others send. */
  refused = new Set<string>();
  /** What any number has answered; `userId` asked for the send. */
  customerAnswers: { at: number; text: string; sendId: string; userId: string }[] = [];
  #seen = new Set<string>();

  private constructor(workspace: Workspace) {
    this.workspace = workspace;
    const { sends, posts } = openStores();
    this.store = sends;
    this.posts = posts;
    this.bulkSends = new FakeBulkSends(sends);
    this.watch = new Watch([(listener) => workspace.subscribe(listener)]);
    const logger = createRecordingLogger();
    this.#app = createTestApp({
      mode: { kind: 'socket', appToken: 'xapp-sandbox' },
      botToken: BOT_TOKEN,
      slackApiUrl: workspace.apiUrl,
      logger,
      clock: systemClock,
      random: systemRandom,
      register: (bolt, client) => {
        const shared = this.#current(client, logger, workspace.apiUrl);
        const add = createAddFeature(bolt, ENTRANCES);
        add(resultsFeature, { ...shared, testNumbers: createTestNumbers(shared.clock) });
        add(sendsFeature, {
          ...shared,
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
      },
    });
  }

  /** What the handlers use, always that of the test that runs. */
  #current(client: TestApp['client'], logger: ReturnType<typeof createRecordingLogger>, slackApiUrl: string) {
    const now = <Part extends object>(part: () => Part): Part =>
      new Proxy({} as Part, {
        get: (_nothing, name) => {
          const current = part();
          const value: unknown = Reflect.get(current, name);
          return typeof value === 'function' ? value.bind(current) : value;
        },
      });
    return {
      store: now(() => this.store),
      bulkSends: now(() => this.bulkSends),
      sends: { submit: (request: Parameters<RecordingSends['submit']>[0]) => this.sends.submit(request) },
      speedOf: () => ({ perSecond: 0 }),
      answers: NO_ANSWERS,
      audiences: { find: async () => AUDIENCE },
      catalogue: { find: async () => undefined, search: async () => [] },
      files: createSlackFiles({ client, botToken: BOT_TOKEN, slackApiUrl, logger }),
      directory: {
        whyNot: async (userId: string) => (this.approvers.has(userId) ? undefined : ('not_listed' as const)),
      },
      onEdit: async ({ id }: { id: string }) => {
        this.edits.push(id);
        return this.editProblem;
      },
      optOuts: { optOutRemovals: async () => [] },
      cardSettings: CARD_SETTINGS,
      defaults: { country: 'IN' as const },
      clock: systemClock,
      logger,
    };
  }

  /** Shows whatever is wanted, and what that wants in turn. */
  async show(rounds = 8): Promise<void> {
    const { client } = this.#app;
    const logger = createRecordingLogger();
    const { workspace, clock } = this;
    const storeTrouble = createStoreTrouble();
    const shared = { client, clock, logger, storeTrouble, stopping: this.#stop.signal };
    const sources = {
      ...shared,
      store: this.store,
      linkTo: createLinks(shared),
      answers: NO_ANSWERS,
      audiences: { find: async () => AUDIENCE },
      catalogue: { find: async () => undefined, search: async () => [] },
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
        identity: () => this.#app.identity(),
        latestUrls: { tell: async () => false },
        refusedPosts: createRefusedPosts(logger, () => {}),
        renderers: rendering(renderSendsToMany(sources)),
      });
      await outbox.drained(FOREVER_MS);
      await clock.sleep(1_000);
    }
  }

  static async start(): Promise<SendsWorkspace> {
    const workspace = await startWorkspace({
      port: 0,
      botToken: BOT_TOKEN,
      appToken: 'xapp-sandbox',
      delivery: { mode: 'socket' },
      carrierUrl: 'http://127.0.0.1:1',
      phones: [],
      // Herald's clock leaps over its pauses; the workspace's does not.
      rateLimits: false,
      manifestPath: new URL('../../manifest.yml', import.meta.url).pathname,
    });
    const sends = new SendsWorkspace(workspace);
    const started = await sends.#app.start();
    if (!started.ok) throw new Error(started.error);
    await sends.watch.until('a connection', () => sends.#app.health().ready, 10_000, 20);
    return sends;
  }

  /** An empty store, and nothing seen so far. */
  async reset(): Promise<void> {
    this.workspace.setFaults({ faults: [] });
    this.clock.set(ASKED_AT);
    const { sends, posts } = openStores();
    this.store = sends;
    this.posts = posts;
    this.bulkSends = new FakeBulkSends(this.store);
    this.sends = new RecordingSends();
    this.approvers = new Set(['U0RAVI', 'U0MEI']);
    this.edits = [];
    this.editProblem = undefined;
    this.refused = new Set();
    this.customerAnswers = [];
    const { messages, viewStacks } = this.workspace.snapshot();
    for (const [as, views] of Object.entries(viewStacks)) {
      for (const { id } of [...views].reverse()) {
        await this.workspace.act({ type: 'view_closed', as, viewId: id });
      }
    }
    this.#seen = new Set(messages.map(({ channel, ts }) => `${channel} ${ts}`));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#app.stop(1_000);
    await this.workspace.close();
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

  until<Value>(what: string, probe: () => Value | undefined | false): Promise<Value> {
    return this.watch.until(what, probe);
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
  async press(message: SandboxMessage, actionId: string, as: string): Promise<ActResult> {
    const blocks = (this.fresh(message).blocks ?? []) as unknown as readonly Block[];
    const elementsOf = ({ elements = [], accessory }: Block) => [
      ...elements,
      ...(accessory ? [accessory] : []),
    ];
    const fits = (one: { action_id?: string }) => one.action_id === actionId;
    const block = blocks.find((one) => elementsOf(one).some(fits));
    if (block === undefined) throw new Error(`The message has no button ${actionId}.`);
    const value = { type: 'button', value: elementsOf(block).find(fits)?.value };
    const container = { type: 'message', channel: message.channel, ts: message.ts } as const;
    return this.workspace.act({
      type: 'block_action',
      as,
      container,
      blockId: block.block_id,
      actionId,
      value,
    });
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

  /** Presses a button of the open window. */
  async pressInView(as: string, actionId: string): Promise<ActResult> {
    const view = this.view(as);
    const blocks = (view?.blocks ?? []) as unknown as readonly Block[];
    const fits = (one: { action_id?: string }) => one.action_id === actionId;
    const block = blocks.find(({ elements = [] }) => elements.some(fits));
    if (view === undefined || block === undefined) throw new Error(`The window has no button ${actionId}.`);
    const container = { type: 'view', viewId: view.id } as const;
    const value = { type: 'button', value: block.elements?.find(fits)?.value };
    const blockId = block.block_id;
    return this.workspace.act({ type: 'block_action', as, container, blockId, actionId, value });
  }

  view(userId: string): SandboxView | undefined {
    return this.workspace.snapshot().viewStacks[userId]?.at(-1);
  }

  untilView(userId: string): Promise<SandboxView> {
    return this.until('a window', () => this.view(userId));
  }

  /** Submits the open window with texts by block_id. */
  submit(userId: string, typed: Readonly<Record<string, string>>): Promise<ActResult> {
    const view = this.view(userId);
    if (view === undefined) throw new Error('No window is open.');
    const inputs = (view.blocks as unknown as readonly Block[]).flatMap(({ block_id, element }) =>
      element ? [[block_id, { [element.action_id]: { type: element.type, value: typed[block_id] } }]] : [],
    );
    return this.workspace.act({
      type: 'view_submission',
      as: userId,
      viewId: view.id,
      state: Object.fromEntries(inputs),
    });
  }

  /** A command's answer to the person alone. */
  async answer(as: string, line: string): Promise<SandboxMessage> {
    const [command = '', ...words] = line.split(' ');
    const before = this.messages('C0TEAM').length;
    const text = words.join(' ');
    const taken = await this.workspace.act({ type: 'command', as, channel: 'C0TEAM', command, text });
    if (!taken.ok) throw new Error(`${line} was not taken: ${JSON.stringify(taken)}`);
    return this.until(`an answer to ${line}`, () => this.messages('C0TEAM')[before]);
  }

  /** The bytes of a file that stands in no message of its own. */
  async bytesOf(fileId: string): Promise<Buffer> {
    const { origin } = new URL(this.workspace.apiUrl);
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    return Buffer.from(await (await fetch(`${origin}/files/${fileId}/`, { headers })).arrayBuffer());
  }

  async download(message: SandboxMessage | undefined): Promise<string> {
    const file = message?.files?.[0];
    if (file === undefined) throw new Error('The message has no file.');
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    return (await fetch(file.url_private_download, { headers })).text();
  }
}
