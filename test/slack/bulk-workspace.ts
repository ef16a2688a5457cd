import type { Form } from '../../sandbox/form.ts';
import { Person } from '../../sandbox/person.ts';
import type {
  ActResult,
  SandboxMessage,
  SandboxView,
  SlackFile,
  StateValues,
} from '../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../sandbox/slack/server.ts';
import { Watch } from '../../sandbox/watch.ts';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { createNotes } from '../../src/sends/notes.ts';
import { audiencesFeature } from '../../src/slack/audiences/feature.ts';
import { createCompose } from '../../src/slack/compose/compose.ts';
import { composeFeature } from '../../src/slack/compose/feature.ts';
import { ENTRANCES } from '../../src/slack/features.ts';
import { createAddFeature } from '../../src/slack/kit/feature/register.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createPeople } from '../../src/slack/kit/people/people.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { only } from '../fakes/only.ts';
import { createNeeds, FakeAudiences, RecordingBulkSends } from './compose/list/bulk-setting.ts';
import { createCatalogue, RecordingSends, SENDERS } from './compose/setting.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export const TEAM = 'C0TEAM';
const BOT_TOKEN = 'xoxb-sandbox';

interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly {
    readonly type: string;
    readonly action_id?: string;
    readonly value?: string;
  }[];
  readonly element?: { readonly type: string; readonly action_id: string };
}

/** Forms, lists and commands in a workspace that holds them as Slack does; behind them nothing but fakes. */
export class BulkWorkspace {
  readonly workspace: Workspace;
  readonly app: TestApp;
  readonly watch: Watch;
  readonly asha: Person;
  sends = new RecordingSends();
  readonly audiences = new FakeAudiences();
  bulkSends = new RecordingBulkSends(this.audiences, createCatalogue());

  private constructor(workspace: Workspace) {
    this.workspace = workspace;
    const logger = createRecordingLogger();
    this.app = createTestApp({
      mode: { kind: 'socket', appToken: 'xapp-sandbox' },
      botToken: BOT_TOKEN,
      slackApiUrl: workspace.apiUrl,
      logger,
      clock: systemClock,
      random: systemRandom,
      register: (bolt, client) => {
        const files = createSlackFiles({
          client,
          botToken: BOT_TOKEN,
          slackApiUrl: workspace.apiUrl,
          logger,
        });
        const { audiences } = this;
        const base = { defaults: { country: 'IN' }, audiences, files, clock: systemClock, logger } as const;
        const add = createAddFeature(bolt, ENTRANCES);
        const compose = createCompose({
          ...createNeeds(),
          ...base,
          catalogue: createCatalogue(),
          sends: only({ submit: (request) => this.sends.submit(request) }),
          senders: SENDERS,
          names: createPeople({ client, identity: () => undefined, clock: systemClock, logger }).names,
          notes: createNotes(systemClock),
          bulkSends: only({
            request: (request) => this.bulkSends.request(request),
            review: (asked, signal) => this.bulkSends.review(asked, signal),
          }),
          approvals: { over: 2, channel: 'C0APPROVALS' },
        });
        add(composeFeature, compose);
        add(audiencesFeature, base);
      },
    });
    this.watch = new Watch([(listener) => workspace.subscribe(listener)]);
    this.asha = new Person(workspace, this.watch, 'U0ASHA');
  }

  static async start(): Promise<BulkWorkspace> {
    const workspace = await startWorkspace({
      port: 0,
      botToken: BOT_TOKEN,
      appToken: 'xapp-sandbox',
      delivery: { mode: 'socket' },
      carrierUrl: 'http://127.0.0.1:1',
      phones: [],
      manifestPath: new URL('../../manifest.yml', import.meta.url).pathname,
    });
    const bulk = new BulkWorkspace(workspace);
    const started = await bulk.app.start();
    if (!started.ok) throw new Error(started.error);
    await bulk.watch.until('a connection', () => bulk.app.health().ready, 10_000, 20);
    return bulk;
  }

  /** Forgets what was asked, and closes every form. */
  async reset(): Promise<void> {
    this.sends = new RecordingSends();
    this.audiences.clear();
    this.bulkSends = new RecordingBulkSends(this.audiences, createCatalogue());
    for (const { id } of [...this.asha.views()].reverse()) await this.close(id);
  }

  async stop(): Promise<void> {
    await this.app.stop(1_000);
    await this.workspace.close();
  }

  async upload(name: string, content: string): Promise<SlackFile> {
    const url = new URL(`/page/upload?as=U0ASHA&name=${encodeURIComponent(name)}`, this.workspace.url);
    const response = await fetch(url, { method: 'POST', body: content });
    return ((await response.json()) as { file: SlackFile }).file;
  }

  get shown(): SandboxView {
    const view = this.asha.views().at(-1);
    if (view === undefined) throw new Error('No form is open.');
    return view;
  }

  block(id: string): Block | undefined {
    return (this.shown.blocks as unknown as readonly Block[]).find((block) => block.block_id === id);
  }

  text(id: string): string | undefined {
    return this.block(id)?.text?.text;
  }

  /** What the window says, in whatever blocks. */
  get words(): string {
    return JSON.stringify(this.shown.blocks);
  }

  /** What the inputs hold, with some of them filled in. */
  #state(typed: Readonly<Record<string, object>>): StateValues {
    const state: StateValues = structuredClone(this.shown.state.values);
    for (const block of this.shown.blocks as unknown as readonly Block[]) {
      const value = typed[block.block_id.split(':', 1)[0] ?? ''];
      if (block.element && value) {
        state[block.block_id] = { [block.element.action_id]: { type: block.element.type, ...value } };
      }
    }
    return state;
  }

  submit(typed: Readonly<Record<string, object>> = {}, viewId = this.shown.id): Promise<ActResult> {
    return this.workspace.act({ type: 'view_submission', as: 'U0ASHA', viewId, state: this.#state(typed) });
  }

  close(viewId = this.shown.id): Promise<ActResult> {
    return this.workspace.act({ type: 'view_closed', as: 'U0ASHA', viewId });
  }

  /** Presses a button of the form. */
  press(actionId: string): Promise<ActResult> {
    const blocks = this.shown.blocks as unknown as readonly Block[];
    const block = blocks.find(({ elements }) => elements?.some((one) => one.action_id === actionId));
    if (block === undefined) throw new Error(`The form has no button ${actionId}.`);
    const value = { type: 'button', value: block.elements?.find((one) => one.action_id === actionId)?.value };
    const container = { type: 'view', viewId: this.shown.id } as const;
    const act = { type: 'block_action', as: 'U0ASHA', container, blockId: block.block_id, actionId } as const;
    return this.workspace.act({ ...act, value, state: this.#state({}) });
  }

  /** Presses a button of a message. */
  pressIn(message: SandboxMessage, actionId: string, value?: string): Promise<ActResult> {
    const blocks = (message.blocks ?? []) as unknown as readonly Block[];
    const fits = (one: { action_id?: string; value?: string }) =>
      one.action_id === actionId && (value === undefined || one.value === value);
    const block = blocks.find(({ elements }) => elements?.some(fits));
    if (block === undefined) throw new Error(`The message has no button ${actionId}.`);
    const pressed = { type: 'button', value: block.elements?.find(fits)?.value };
    const container = { type: 'message', channel: message.channel, ts: message.ts } as const;
    const act = { type: 'block_action', as: 'U0ASHA', container, blockId: block.block_id, actionId } as const;
    return this.workspace.act({ ...act, value: pressed });
  }

  until<Value>(what: string, probe: () => Value | undefined | false): Promise<Value> {
    return this.watch.until(what, probe);
  }

  /** Until the open form shows what was found in a list. */
  untilReview(): Promise<SandboxView> {
    return this.until('the list to be shown', () => {
      return this.asha.views().length > 0 && this.block('list:counts') !== undefined && this.shown;
    });
  }

  async openForm(line: string, template?: string): Promise<Form> {
    const form = await this.asha.openForm(TEAM, line);
    if (template) await form.chooseTemplate(template);
    return form;
  }

  /** A command's answer to the person alone. */
  async answer(line: string): Promise<SandboxMessage> {
    const before = this.asha.messages(TEAM).length;
    const taken = await this.asha.command(TEAM, line);
    if (!taken.ok) throw new Error(`${line} was not taken: ${JSON.stringify(taken)}`);
    return this.until(`an answer to ${line}`, () => this.asha.messages(TEAM)[before]);
  }

  /** What Herald wrote to the person directly. */
  direct(): readonly SandboxMessage[] {
    const { channels, messages } = this.workspace.snapshot();
    const im = channels.find(({ kind, userId }) => kind === 'im' && userId === 'U0ASHA');
    return messages.filter(({ channel }) => channel === im?.id);
  }

  async download(file: SlackFile): Promise<string> {
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    return (await fetch(file.url_private_download, { headers })).text();
  }
}
