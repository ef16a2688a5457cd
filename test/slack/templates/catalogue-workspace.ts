import type { Form } from '../../../sandbox/form.ts';
import { Person } from '../../../sandbox/person.ts';
import type { ActResult, SandboxMessage, SandboxView, SlackFile } from '../../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../../sandbox/slack/server.ts';
import { Watch } from '../../../sandbox/watch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { systemRandom } from '../../../src/core/random.ts';
import type { Template } from '../../../src/messages/templates/template.ts';
import { ENTRANCES } from '../../../src/slack/features.ts';
import { createAddFeature } from '../../../src/slack/kit/feature/register.ts';
import { createSlackFiles } from '../../../src/slack/kit/files/files.ts';
import { createAccess } from '../../../src/slack/kit/people/access.ts';
import { createChannelMembers, createMembers } from '../../../src/slack/kit/people/membership.ts';
import { createPeople } from '../../../src/slack/kit/people/people.ts';
import { createViewUpdates } from '../../../src/slack/kit/views/view-updates.ts';
import { templatesFeature } from '../../../src/slack/templates/feature.ts';
import type { Catalogue } from '../../../src/slack/templates/windows.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createTemplatesSetting } from '../../sends/templates/setting.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

const TEAM = 'C0TEAM';
const BOT_TOKEN = 'xoxb-sandbox';

interface Element {
  readonly action_id?: string;
  readonly type?: string;
}

interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly element?: Element;
}

/** The catalogue in a workspace that behaves as Slack does, over real stores. */
export class CatalogueWorkspace {
  readonly workspace: Workspace;
  readonly watch: Watch;
  readonly app: TestApp;
  setting = createTemplatesSetting();
  /** `access.templates`. */
  rights: readonly string[] | undefined;

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
        const shared = { client, logger, clock: systemClock };
        const { names, standings } = createPeople({ ...shared, identity: () => this.app.identity() });
        const members = createMembers(shared);
        const current = () => this.setting.templates;
        const lookups = {
          members,
          names,
          channelMembers: createChannelMembers(shared),
          standings,
          directory: { whyNot: async () => 'not_listed' as const },
          approvers: [],
        };
        const settings = () => ({ send: {}, templates: this.rights, reports: [], audit: [] });
        const access: Catalogue['access'] = {
          whyNot: (...asked) => createAccess(settings(), lookups).whyNot(...asked),
        };
        createAddFeature(bolt, ENTRANCES)(templatesFeature, {
          views: createViewUpdates(systemClock, logger),
          templates: new Proxy({} as Catalogue['templates'], {
            get: (_target, method) => Reflect.get(current(), method),
          }),
          access,
          names,
          files: createSlackFiles({ client, botToken: BOT_TOKEN, slackApiUrl: workspace.apiUrl, logger }),
          clock: systemClock,
          logger,
        });
      },
    });
    this.watch = new Watch([(listener) => workspace.subscribe(listener)]);
  }

  static async start(): Promise<CatalogueWorkspace> {
    const workspace = await startWorkspace({
      port: 0,
      botToken: BOT_TOKEN,
      appToken: 'xapp-sandbox',
      delivery: { mode: 'socket' },
      carrierUrl: 'http://127.0.0.1:1',
      phones: [],
      manifestPath: new URL('../../../manifest.yml', import.meta.url).pathname,
    });
    const catalogue = new CatalogueWorkspace(workspace);
    const started = await catalogue.app.start();
    if (!started.ok) throw new Error(started.error);
    await catalogue.watch.until('a connection', () => catalogue.app.health().ready, 10_000, 20);
    return catalogue;
  }

  /** Empties the catalogue, puts these in, and closes every window. */
  async reset(...templates: readonly Template[]): Promise<void> {
    this.setting = createTemplatesSetting();
    this.rights = undefined;
    await this.setting.put(...templates);
    for (const userId of ['U0ASHA', 'U0RAVI'])
      for (const { id } of [...this.person(userId).views()].reverse())
        await this.workspace.act({ type: 'view_closed', as: userId, viewId: id });
  }

  async stop(): Promise<void> {
    await this.app.stop(1_000);
    await this.workspace.close();
  }

  person(userId = 'U0ASHA'): Person {
    return new Person(this.workspace, this.watch, userId);
  }

  /** The window on top. */
  shown(userId = 'U0ASHA'): SandboxView {
    const view = this.person(userId).views().at(-1);
    if (view === undefined) throw new Error('No window is open.');
    return view;
  }

  words(userId = 'U0ASHA'): string {
    return JSON.stringify(this.shown(userId).blocks);
  }

  open(line = '/templates', userId = 'U0ASHA'): Promise<Form> {
    return this.person(userId).openForm(TEAM, line);
  }

  /** The window on top as a form, to be filled in. */
  form(userId = 'U0ASHA'): Form {
    return this.person(userId).form();
  }

  /** Presses a button of the window on top, and waits until something else is shown. */
  press(actionId: string, value?: string, userId = 'U0ASHA'): Promise<void> {
    return this.person(userId).press(actionId, value === undefined ? {} : { value });
  }

  /** Submits the window on top with these values typed in, by block id without its suffix. */
  async submit(typed: Readonly<Record<string, object>> = {}, userId = 'U0ASHA'): Promise<ActResult> {
    const view = this.shown(userId);
    const state = structuredClone(view.state.values);
    for (const block of view.blocks as unknown as readonly Block[]) {
      const value = typed[block.block_id?.split(':', 1)[0] ?? ''];
      const { element } = block;
      if (element?.action_id !== undefined && value !== undefined)
        state[block.block_id] = { [element.action_id]: { type: element.type ?? '', ...value } };
    }
    return this.workspace.act({ type: 'view_submission', as: userId, viewId: view.id, state });
  }

  async upload(name: string, content: string): Promise<SlackFile> {
    const url = new URL(`/page/upload?as=U0ASHA&name=${encodeURIComponent(name)}`, this.workspace.url);
    const response = await fetch(url, { method: 'POST', body: content });
    return ((await response.json()) as { file: SlackFile }).file;
  }

  async download(file: SlackFile): Promise<string> {
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    return (await fetch(file.url_private_download, { headers })).text();
  }

  /** A command's answer to the person alone. */
  async answer(line: string, userId = 'U0ASHA'): Promise<SandboxMessage> {
    const person = this.person(userId);
    const before = person.messages(TEAM).length;
    const taken = await person.command(TEAM, line);
    if (!taken.ok) throw new Error(`${line} was not taken: ${JSON.stringify(taken)}`);
    return this.watch.until(`an answer to ${line}`, () => person.messages(TEAM)[before]);
  }

  /** What Herald wrote to the person directly. */
  direct(userId = 'U0ASHA'): readonly SandboxMessage[] {
    const { channels, messages } = this.workspace.snapshot();
    const im = channels.find((channel) => channel.kind === 'im' && channel.userId === userId);
    return messages.filter(({ channel }) => channel === im?.id);
  }
}
