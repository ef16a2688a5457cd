import type { ActResult, SandboxView, SlackFile, StateValues } from './protocol.ts';
import type { Watch } from './watch.ts';

/** What a form asks of the client it is shown in. */
export interface FormClient {
  view(id: string): SandboxView | undefined;
  submit(id: string, state: StateValues): Promise<ActResult>;
  close(id: string): Promise<ActResult>;
  suggest(id: string, blockId: string, actionId: string, value: string): Promise<ActResult>;
  act(
    id: string,
    blockId: string,
    actionId: string,
    value: Record<string, unknown>,
    state: StateValues,
  ): Promise<ActResult>;
}

export type SubmitResult =
  | { readonly ok: true }
  /** Sentences under the inputs, by path. */
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

interface Option {
  readonly text: { readonly text: string };
  readonly value: string;
}

interface InputElement {
  readonly type: string;
  readonly action_id: string;
  readonly options?: readonly Option[];
}

interface InputBlock {
  readonly type: 'input';
  readonly block_id: string;
  readonly label: { readonly text: string };
  readonly hint?: { readonly text: string };
  readonly optional?: boolean;
  readonly dispatch_action?: boolean;
  readonly element: InputElement;
}

/** A button or picker in a row of them. */
interface FormControl {
  readonly type: string;
  readonly action_id: string;
  readonly value?: string;
  readonly text?: { readonly text: string };
  readonly placeholder?: { readonly text: string };
}

/** A modal as the person before it fills it in. Fields are named by path (`params.0`) or by label ("To"). */
export class Form {
  readonly viewId: string;
  readonly #watch: Watch;
  readonly #client: FormClient;
  /** What was typed, by block_id and action_id, as a client holds it. */
  readonly #typed: StateValues = {};

  constructor(viewId: string, watch: Watch, client: FormClient) {
    this.viewId = viewId;
    this.#watch = watch;
    this.#client = client;
  }

  get view(): SandboxView {
    const view = this.#client.view(this.viewId);
    if (!view) throw new Error('The form is closed');
    return view;
  }

  get open(): boolean {
    return this.#client.view(this.viewId) !== undefined;
  }

  /** Paths of the inputs, top to bottom. */
  paths(): string[] {
    return this.#inputs().map((block) => pathOf(block.block_id));
  }

  labels(): string[] {
    return this.#inputs().map((block) => block.label.text);
  }

  /** The value object that an input holds now. */
  value(field: string): Record<string, unknown> | undefined {
    const block = this.#input(field);
    return this.#state()[block.block_id]?.[block.element.action_id];
  }

  /** Types into a text input. */
  fill(field: string, text: string): this {
    const block = this.#input(field);
    this.#set(block, { type: block.element.type, value: text });
    return this;
  }

  fillAll(values: Readonly<Record<string, string>>): this {
    for (const [field, text] of Object.entries(values)) this.fill(field, text);
    return this;
  }

  /** Types into a text input and presses Enter, for inputs that the app listens to. */
  async enter(field: string, text: string): Promise<void> {
    this.fill(field, text);
    await this.#dispatch(this.#input(field), `the answer to Enter in ${field}`);
  }

  /** Picks from a list of fixed options, by their text or value. */
  async choose(field: string, wanted: string): Promise<void> {
    const block = this.#input(field);
    const option = block.element.options?.find((one) => one.value === wanted || one.text.text === wanted);
    if (!option) throw new Error(`${field} offers no "${wanted}"`);
    await this.#pick(block, option);
  }

  /** Gives files to a file input, as a person does who has uploaded them. */
  attach(field: string, files: readonly SlackFile[]): this {
    const block = this.#input(field);
    this.#set(block, { type: block.element.type, files });
    return this;
  }

  /** Ticks the only checkbox of an input. */
  tick(field: string): this {
    const block = this.#input(field);
    this.#set(block, {
      type: block.element.type,
      selected_options: block.element.options?.slice(0, 1) ?? [],
    });
    return this;
  }

  /** Picks a date and time, in milliseconds since the epoch; a client lets people pick the past, too. */
  chooseTime(field: string, at: number): this {
    const block = this.#input(field);
    this.#set(block, { type: block.element.type, selected_date_time: Math.floor(at / 1_000) });
    return this;
  }

  /** Picks a channel, by its id. */
  chooseConversation(field: string, channelId: string): this {
    const block = this.#input(field);
    this.#set(block, { type: block.element.type, selected_conversation: channelId });
    return this;
  }

  /** Types into the template picker and picks the first suggestion. */
  chooseTemplate(query: string): Promise<void> {
    return this.chooseSuggested('template', query);
  }

  /** Types into a picker that the app fills, and picks the first suggestion. */
  async chooseSuggested(field: string, query: string): Promise<void> {
    const block = this.#input(field);
    const [option] = await this.suggestions(query, field);
    if (!option) throw new Error(`No ${field} is suggested for "${query}"`);
    await this.#pick(block, option);
  }

  /** "Clear selection" in a menu that may stay empty: Slack then says that nothing is selected. */
  async clear(field: string): Promise<void> {
    const block = this.#input(field);
    if (block.optional !== true) throw new Error(`${field} must be filled, so it cannot be cleared`);
    this.#set(block, { type: block.element.type, selected_option: null });
    if (block.dispatch_action) await this.#dispatch(block, `the form after clearing ${field}`);
  }

  /** What the template picker offers for what was typed. */
  async suggestions(query: string, field = 'template'): Promise<Option[]> {
    const block = this.#input(field);
    const result = await this.#client.suggest(this.viewId, block.block_id, block.element.action_id, query);
    if (!result.ok) throw new Error(`No suggestions for "${query}": ${JSON.stringify(result)}`);
    return (result.options ?? []) as Option[];
  }

  /** Presses a button inside the form, by its text, and waits until the app has redrawn the form. */
  async press(text: string): Promise<void> {
    const found = this.#controls();
    const button = found.find(({ element }) => element.type === 'button' && element.text?.text === text);
    if (!button) {
      const texts = found.flatMap(({ element }) => element.text?.text ?? []);
      throw new Error(`The form has no button "${text}"; it has ${texts.join(', ')}`);
    }
    const { blockId, element } = button;
    await this.#acted(
      blockId,
      element.action_id,
      { type: 'button', value: element.value },
      `pressing ${text}`,
    );
  }

  /** Types into a picker beside the buttons, named by what stands in it while it is empty, and picks the first suggestion. */
  async pick(placeholder: string, query: string): Promise<void> {
    const picker = this.#controls().find(({ element }) => element.placeholder?.text === placeholder);
    if (!picker) throw new Error(`The form has no picker "${placeholder}"`);
    const { blockId, element } = picker;
    const result = await this.#client.suggest(this.viewId, blockId, element.action_id, query);
    const [option] = (result.ok ? (result.options ?? []) : []) as Option[];
    if (!option) throw new Error(`Nothing is suggested for "${query}": ${JSON.stringify(result)}`);
    const value = { type: element.type, selected_option: option };
    await this.#acted(blockId, element.action_id, value, `picking ${query}`);
  }

  #controls(): { blockId: string; element: FormControl }[] {
    return this.view.blocks.flatMap((block) =>
      block.type === 'actions'
        ? (block.elements as FormControl[]).map((element) => ({ blockId: String(block.block_id), element }))
        : [],
    );
  }

  /** Presses the submit button. Errors come back by path; the form is then still open. */
  async submit(): Promise<SubmitResult> {
    const result = await this.#client.submit(this.viewId, this.#state());
    if (result.ok) return { ok: true };
    if ('errors' in result) {
      const errors = Object.entries(result.errors).map(([blockId, text]) => [pathOf(blockId), text]);
      return { ok: false, errors: Object.fromEntries(errors) };
    }
    throw new Error(`The form was not taken: ${JSON.stringify(result)}`);
  }

  /** Presses the close button. */
  async close(): Promise<void> {
    await this.#client.close(this.viewId);
  }

  #inputs(): InputBlock[] {
    return this.view.blocks.filter((block) => block.type === 'input') as unknown as InputBlock[];
  }

  #input(field: string): InputBlock {
    const block = this.#inputs().find((one) => pathOf(one.block_id) === field || one.label.text === field);
    if (block) return block;
    throw new Error(`The form has no field "${field}"; it has ${this.paths().join(', ')}`);
  }

  #set(block: InputBlock, value: Record<string, unknown>): void {
    this.#typed[block.block_id] = { [block.element.action_id]: value };
  }

  async #pick(block: InputBlock, option: Option): Promise<void> {
    this.#set(block, { type: block.element.type, selected_option: option });
    if (block.dispatch_action) await this.#dispatch(block, `the form after choosing ${option.value}`);
  }

  /** Tells the app of an input's change, and waits until it has redrawn the form. */
  async #dispatch(block: InputBlock, what: string): Promise<void> {
    const value = this.#typed[block.block_id]?.[block.element.action_id] ?? {};
    await this.#acted(block.block_id, block.element.action_id, value, what);
  }

  async #acted(
    blockId: string,
    actionId: string,
    value: Record<string, unknown>,
    what: string,
  ): Promise<void> {
    const before = this.view.hash;
    const result = await this.#client.act(this.viewId, blockId, actionId, value, this.#state());
    if (!result.ok) throw new Error(`${what} was not taken: ${JSON.stringify(result)}`);
    await this.#watch.until(what, () => this.open && this.view.hash !== before);
  }

  /** What the inputs hold: what the view came with, under what was typed since into inputs it still has. */
  #state(): StateValues {
    const state: StateValues = {};
    for (const block of this.#inputs()) {
      const { block_id: blockId, element } = block;
      const held = this.view.state.values[blockId]?.[element.action_id];
      const typed = this.#typed[blockId]?.[element.action_id];
      const value = typed ?? held;
      if (value) state[blockId] = { [element.action_id]: value };
    }
    return state;
  }
}

/** An input's block_id is its path, optionally followed by `:` and anything. */
function pathOf(blockId: string): string {
  return blockId.split(':', 1)[0] ?? blockId;
}
