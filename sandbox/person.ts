import { Form } from './form.ts';
import { type PressableBlock, pressed } from './pressed.ts';
import type {
  ActResult,
  FunctionExecution,
  SandboxMessage,
  SandboxView,
  SlackFile,
  StateValues,
} from './protocol.ts';
import type { Workspace } from './slack/server.ts';
import type { Watch } from './watch.ts';

/** Someone at a keyboard in the workspace: what they type, click and see, and nothing else. */
export class Person {
  readonly userId: string;
  readonly #workspace: Workspace;
  readonly #watch: Watch;

  constructor(workspace: Workspace, watch: Watch, userId: string) {
    this.#workspace = workspace;
    this.#watch = watch;
    this.userId = userId;
  }

  /** Uploads a file, to be given to a form. */
  async upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<SlackFile> {
    const url = new URL('/page/upload', this.#workspace.origin);
    url.search = new URLSearchParams({ as: this.userId, name }).toString();
    const response = await fetch(url, { method: 'POST', body: content });
    const answer = (await response.json()) as { ok: boolean; file?: SlackFile };
    if (answer.file === undefined) throw new Error(`${name} was not taken: ${JSON.stringify(answer)}`);
    return answer.file;
  }

  /** Posts files that were uploaded, and returns the message. */
  async post(channel: string, text: string, files: readonly SlackFile[]): Promise<SandboxMessage> {
    const ids = files.map(({ id }) => id);
    const result = await this.#workspace.act({ type: 'post', as: this.userId, channel, text, files: ids });
    const message = this.messages(channel).findLast(({ user }) => user === this.userId);
    if (result.ok && message !== undefined) return message;
    throw new Error(`"${text}" was not posted: ${JSON.stringify(result)}`);
  }

  /**
   * Types a whole line, e.g. `/flash +6591234567 Hello`, into a channel's composer.
   *
   * @param isEncoded the line stands in Slack's notation already, as where a link was pasted: `<https://a.example|there>`
   */
  async command(channel: string, line: string, isEncoded = false): Promise<ActResult> {
    const split = /^(\/\S+)\s?([\s\S]*)$/.exec(line);
    if (!split) throw new Error(`"${line}" is not a command`);
    return this.#workspace.act({
      type: 'command',
      as: this.userId,
      channel,
      command: split[1] ?? '',
      text: split[2] ?? '',
      isEncoded,
    });
  }

  /** Types a command that opens a form, and waits for the form. */
  async openForm(channel: string, line: string, isEncoded = false): Promise<Form> {
    return this.#opened(line, () => this.command(channel, line, isEncoded));
  }

  /** Chooses a shortcut of the app: on a message where one is given, else from the lightning menu. */
  async shortcut(callbackId: string, message?: SandboxMessage): Promise<ActResult> {
    return message === undefined
      ? this.#workspace.act({ type: 'shortcut', as: this.userId, callbackId })
      : this.#workspace.act({
          type: 'message_shortcut',
          as: this.userId,
          callbackId,
          channel: message.channel,
          ts: message.ts,
        });
  }

  /** Chooses a shortcut that opens a form, and waits for the form. */
  async openFormByShortcut(callbackId: string, message?: SandboxMessage): Promise<Form> {
    return this.#opened(callbackId, () => this.shortcut(callbackId, message));
  }

  /** Runs a workflow of one step, and waits until the step has ended. */
  async runStep(callbackId: string, inputs: Record<string, unknown>): Promise<FunctionExecution> {
    const id = await this.startStep(callbackId, inputs);
    return this.#watch.until(`the end of ${callbackId}`, () => {
      const execution = this.#executions().find((one) => one.id === id);
      return execution !== undefined && execution.status !== 'running' && execution;
    });
  }

  /** Runs a workflow of one step; resolves with the id of the run once the app has taken it. */
  async startStep(callbackId: string, inputs: Record<string, unknown>): Promise<string> {
    const before = new Set(this.#executions().map(({ id }) => id));
    const result = await this.#workspace.act({ type: 'workflow_step', as: this.userId, callbackId, inputs });
    const started = this.#executions().find((one) => !before.has(one.id) && one.by === this.userId);
    if (result.ok && started !== undefined) return started.id;
    throw new Error(`The step ${callbackId} was not taken: ${JSON.stringify(result)}`);
  }

  #executions(): FunctionExecution[] {
    return this.#workspace.snapshot().executions;
  }

  /** The modal on top, as a form to be filled in. */
  form(): Form {
    const view = this.views().at(-1);
    if (view === undefined) throw new Error('No modal is open');
    return this.#form(view);
  }

  /**
   * Presses a button of the modal on top, or of `message`, and waits until another modal, or another state of it, is
   * shown.
   *
   * @param value tells buttons of the same action apart
   */
  async press(actionId: string, { value, message }: { value?: string; message?: SandboxMessage } = {}) {
    const before = this.views().at(-1);
    await this.click(actionId, {
      ...(value === undefined ? {} : { value }),
      ...(message ? { message } : {}),
    });
    await this.#watch.until(`a modal after ${actionId}`, () => {
      const now = this.views().at(-1);
      return now !== undefined && (now.id !== before?.id || now.hash !== before?.hash);
    });
  }

  /** Presses a button of the modal on top, or of `message`; whatever follows is for the caller to wait for. */
  async click(actionId: string, { value, message }: { value?: string; message?: SandboxMessage } = {}) {
    const before = this.views().at(-1);
    const blocks = (message?.blocks ?? before?.blocks ?? []) as unknown as readonly PressableBlock[];
    const found = pressed(blocks, actionId, value);
    if (found === undefined) throw new Error(`Nothing shown has a button ${actionId} ${value ?? ''}`);
    const result = await this.#workspace.act({
      type: 'block_action',
      as: this.userId,
      container: message
        ? { type: 'message', channel: message.channel, ts: message.ts }
        : { type: 'view', viewId: before?.id ?? '' },
      ...found,
      ...(message ? {} : { state: before?.state.values ?? {} }),
    });
    if (!result.ok) throw new Error(`${actionId} was not taken: ${JSON.stringify(result)}`);
  }

  /** The modals this person sees, bottom first. */
  views(): SandboxView[] {
    return this.#workspace.snapshot().viewStacks[this.userId] ?? [];
  }

  /** What stands in a channel for this person, oldest first: ephemeral messages of others are not there. */
  messages(channel: string): SandboxMessage[] {
    return this.#workspace
      .snapshot()
      .messages.filter(
        (message) =>
          message.channel === channel &&
          (message.ephemeralFor === undefined || message.ephemeralFor === this.userId),
      );
  }

  async #opened(what: string, ask: () => Promise<ActResult>): Promise<Form> {
    const before = this.views().length;
    const result = await ask();
    if (!result.ok) throw new Error(`"${what}" was not taken: ${JSON.stringify(result)}`);
    const view = await this.#watch.until(`a form after "${what}"`, () => {
      const views = this.views();
      return views.length > before && views.at(-1);
    });
    return this.#form(view);
  }

  #form(view: SandboxView): Form {
    return new Form(view.id, this.#watch, {
      view: (id) => this.views().find((one) => one.id === id),
      submit: (id, state) =>
        this.#workspace.act({ type: 'view_submission', as: this.userId, viewId: id, state }),
      close: (id) => this.#workspace.act({ type: 'view_closed', as: this.userId, viewId: id }),
      suggest: (id, blockId, actionId, value) =>
        this.#workspace.act({
          type: 'suggestion',
          as: this.userId,
          container: { type: 'view', viewId: id },
          blockId,
          actionId,
          value,
        }),
      act: (id, blockId, actionId, value, state: StateValues) =>
        this.#workspace.act({
          type: 'block_action',
          as: this.userId,
          container: { type: 'view', viewId: id },
          blockId,
          actionId,
          value,
          state,
        }),
    });
  }
}
