import type { Form } from '../../sandbox/form.ts';
import { Person } from '../../sandbox/person.ts';
import type { SandboxMessage, SandboxView, SlackFile } from '../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../sandbox/slack/server.ts';
import { Watch } from '../../sandbox/watch.ts';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { ENTRANCES } from '../../src/slack/features.ts';
import { type AddFeature, createAddFeature } from '../../src/slack/kit/feature/register.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createPeople } from '../../src/slack/kit/people/people.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { textsOf } from './texts-of.ts';

export const TEAM = 'C0TEAM';
export const BOT_TOKEN = 'xoxb-sandbox';

export function startSandbox(how: { readonly rateLimits?: false } = {}): Promise<Workspace> {
  return startWorkspace({
    ...how,
    port: 0,
    botToken: BOT_TOKEN,
    appToken: 'xapp-sandbox',
    delivery: { mode: 'socket' },
    carrierUrl: 'http://127.0.0.1:1',
    phones: [],
    manifestPath: new URL('../../manifest.yml', import.meta.url).pathname,
  });
}

/** What any feature may work with, over the workspace itself. */
function connected(client: TestApp['client'], slackApiUrl: string, identity: TestApp['identity']) {
  const base = { client, identity, clock: systemClock, logger: createRecordingLogger() };
  const files = createSlackFiles({ ...base, botToken: BOT_TOKEN, slackApiUrl });
  return { ...base, ...createPeople(base), files, defaults: { country: 'IN' } as const };
}

export type Connected = ReturnType<typeof connected>;
type Register = (add: AddFeature, base: Connected) => void;

/** Features of Herald, through the real Bolt app, in a workspace that holds windows, files and messages as Slack does. */
export class ConnectedWorkspace {
  readonly workspace: Workspace;
  readonly watch: Watch;
  #app: TestApp | undefined;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
    this.watch = new Watch([(listener) => workspace.subscribe(listener)]);
  }

  /** @param register adds the features, and what is behind them */
  async connect(register: Register): Promise<this> {
    const { workspace } = this;
    const app = createTestApp({
      mode: { kind: 'socket', appToken: 'xapp-sandbox' },
      botToken: BOT_TOKEN,
      slackApiUrl: workspace.apiUrl,
      logger: createRecordingLogger(),
      clock: systemClock,
      random: systemRandom,
      register: (bolt, client, newBlocks) =>
        register(
          createAddFeature(bolt, ENTRANCES, newBlocks),
          connected(client, workspace.apiUrl, () => this.#app?.identity()),
        ),
    });
    this.#app = app;
    const started = await app.start();
    if (!started.ok) throw new Error(started.error);
    await this.watch.until('a connection', () => app.health().ready, 10_000, 20);
    return this;
  }

  get app(): TestApp {
    if (this.#app === undefined) throw new Error('No app is connected.');
    return this.#app;
  }

  async stop(): Promise<void> {
    await this.app.stop(1_000);
    await this.workspace.close();
  }

  /** Closes every window, and lets everything succeed again. */
  async reset(): Promise<void> {
    this.workspace.setFaults({ faults: [] });
    for (const [as, views] of Object.entries(this.workspace.snapshot().viewStacks))
      for (const { id } of [...views].reverse())
        await this.workspace.act({ type: 'view_closed', as, viewId: id });
  }

  /** Slack refuses the next call of a method. */
  refuse(method: string, error: string): void {
    this.workspace.setFaults({ faults: [{ on: 'api', method, times: 1, do: 'error', error }] });
  }

  person(userId = 'U0ASHA'): Person {
    return new Person(this.workspace, this.watch, userId);
  }

  until<Value>(what: string, probe: () => Value | undefined | false): Promise<Value> {
    return this.watch.until(what, probe);
  }

  async download(file: SlackFile | undefined): Promise<string> {
    if (file === undefined) throw new Error('There is no file.');
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    return (await fetch(file.url_private_download, { headers })).text();
  }
}

/** The same as a person uses it. */
export class SlackWorkspace extends ConnectedWorkspace {
  readonly asha = this.person();

  /** @param register adds the features, and what is behind them */
  static async start(register: Register): Promise<SlackWorkspace> {
    return new SlackWorkspace(await startSandbox()).connect(register);
  }

  /** The window on top. */
  shown(userId = 'U0ASHA'): SandboxView {
    const view = this.person(userId).views().at(-1);
    if (view === undefined) throw new Error('No window is open.');
    return view;
  }

  /** What the window on top says, in whatever blocks. */
  words(userId = 'U0ASHA'): string {
    return textsOf(this.shown(userId).blocks);
  }

  /** What one block of the window on top says; undefined where there is no such block. */
  text(blockId: string): string | undefined {
    const block = this.shown().blocks.find((one) => one.block_id === blockId);
    return block && textsOf(block);
  }

  /** The window on top as a form, to be filled in. */
  form(userId = 'U0ASHA'): Form {
    return this.person(userId).form();
  }

  async openForm(line: string, template?: string, userId = 'U0ASHA'): Promise<Form> {
    const form = await this.person(userId).openForm(TEAM, line);
    if (template) await form.chooseTemplate(template);
    return form;
  }

  /** Gives a file to the window on top, and submits it. */
  async giveFile(name: string, content: string): ReturnType<Form['submit']> {
    const file = await this.upload(name, content);
    return this.form().attach('file', [file]).submit();
  }

  close(viewId = this.shown().id, as = 'U0ASHA') {
    return this.workspace.act({ type: 'view_closed', as, viewId });
  }

  /** A command's answer to the person alone. */
  async answer(line: string, userId = 'U0ASHA'): Promise<SandboxMessage> {
    const person = this.person(userId);
    const before = person.messages(TEAM).length;
    const taken = await person.command(TEAM, line);
    if (!taken.ok) throw new Error(`${line} was not taken: ${JSON.stringify(taken)}`);
    return this.until(`an answer to ${line}`, () => person.messages(TEAM)[before]);
  }

  /** What Herald wrote to the person directly. */
  direct(person = 'U0ASHA'): readonly SandboxMessage[] {
    const { channels, messages } = this.workspace.snapshot();
    const im = channels.find(({ kind, userId }) => kind === 'im' && userId === person);
    return messages.filter(({ channel }) => channel === im?.id);
  }

  upload(name: string, content: string): Promise<SlackFile> {
    return this.asha.upload(name, content);
  }
}
