import { webApi } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { createExpiringMap } from '../../../src/core/expiring-map.ts';
import { sendersSchema } from '../../../src/messages/senders.ts';
import { type Template, templateListSchema } from '../../../src/messages/templates/template.ts';
import { createNotes } from '../../../src/sends/notes.ts';
import type { TemplateCatalogue } from '../../../src/sends/ports.ts';
import type { Send } from '../../../src/sends/send.ts';
import type { SubmitRequest, SubmitResult } from '../../../src/sends/service.ts';
import { createSetAside } from '../../../src/slack/compose/changes/set-aside.ts';
import type { Compose } from '../../../src/slack/compose/compose.ts';
import { createCounting } from '../../../src/slack/compose/list/counting.ts';
import type { ClickArguments, OpenView } from '../../../src/slack/kit/clicks/arguments.ts';
import type { Access } from '../../../src/slack/kit/people/access.ts';
import type { SlackServices } from '../../../src/slack/kit/services.ts';
import { createViewUpdates } from '../../../src/slack/kit/views/view-updates.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { NO_RECIPIENTS } from '../../fakes/sends.ts';
import { createNeeds } from './list/bulk-setting.ts';

/** The team these tests compose for. */
export const SENDERS = sendersSchema.parse({
  chatapp: [
    { number: '+919876543210', label: 'Support' },
    { number: '+919876543211', label: 'Sales' },
  ],
  rcs: [{ botId: 'acme-bot', label: 'Acme', type: 'PRETRANS' }],
  sms: [{ id: 'ACMEIN', label: 'Acme', type: 'TRANS' }],
});

export const TEMPLATES: readonly Template[] = templateListSchema.parse([
  {
    name: 'login_code',
    channel: 'chatapp',
    variant: 'otp',
    label: 'Login code',
    languages: ['en', 'hi'],
    text: '{{1}} is your code.',
  },
  {
    name: 'order_update',
    channel: 'chatapp',
    variant: 'text',
    label: 'Order update',
    placeholders: [
      { name: 'customer', example: 'Asha' },
      { name: 'order', example: 'A-1001' },
    ],
    text: 'Hello {{1}}, your order {{2}} is on its way.',
  },
  {
    name: 'reminder',
    channel: 'chatapp',
    variant: 'text',
    label: 'Reminder',
    placeholders: [{ name: 'what' }],
    text: 'Remember {{1}}.',
  },
  {
    name: 'closed_today',
    channel: 'chatapp',
    variant: 'text',
    label: 'Closed today',
    text: 'We are closed today.',
  },
  {
    name: 'invoice',
    channel: 'chatapp',
    variant: 'document',
    label: 'Invoice',
    placeholders: [{ name: 'month' }],
    text: 'Your invoice for {{1}}.',
  },
  {
    name: 'festive_photo',
    channel: 'chatapp',
    variant: 'image',
    label: 'Festive greeting',
    text: 'Happy Diwali!',
  },
  { name: '2024', channel: 'chatapp', variant: 'text', label: 'Year', text: 'Happy 2024!' },
  { name: 'store_open', channel: 'rcs', variant: 'plain', label: 'Store opening', text: 'We are open.' },
  { name: 'rate_us', channel: 'rcs', variant: 'rich', label: 'Rate us', text: 'How did we do?' },
  {
    name: 'appointment',
    channel: 'rcs',
    variant: 'variables',
    label: 'Appointment',
    placeholders: [{ name: 'day' }, { name: 'hour' }],
    text: 'See you {{1}} at {{2}}.',
  },
  { name: 'catalogue_fixed', channel: 'rcs', variant: 'carousel-fixed', label: 'Catalogue' },
  { name: 'weekly_offers', channel: 'rcs', variant: 'carousel-images', label: 'Weekly offers', cards: 2 },
]);

export function templateNamed(name: string): Template {
  const template = TEMPLATES.find((one) => one.name === name);
  if (!template) throw new Error(`There is no template ${name} in the setting.`);
  return template;
}

/** A catalogue that a test can change, and make silent. */
export interface SettableCatalogue extends TemplateCatalogue {
  templates: readonly Template[];
  silent: boolean;
}

export function createCatalogue(): SettableCatalogue {
  const never = <Value>() => new Promise<Value>(() => {});
  return {
    templates: TEMPLATES,
    silent: false,
    async find(channel, name) {
      if (this.silent) return never();
      return this.templates.find((template) => template.channel === channel && template.name === name);
    },
    async search(channel, query, limit) {
      if (this.silent) return never();
      const fits = ({ name, label, text = '' }: Template) =>
        [name, label, text].some((part) => part.includes(query));
      return this.templates
        .filter((template) => template.channel === channel && fits(template))
        .slice(0, limit);
    },
  };
}

export function sendFrom(request: SubmitRequest, id = 'S-0000000001'): Send {
  const { message, origin } = request;
  return {
    id,
    kind: message.kind,
    message,
    origin,
    state: 'approved',
    recipientCount: 1,
    createdAt: 0,
    revision: 0,
    counts: { ...NO_RECIPIENTS, pending: 1 },
  };
}

/** Stores nothing but what was asked, and starts the same key once, as the real one does. */
export class RecordingSends {
  readonly requests: SubmitRequest[] = [];
  readonly started: SubmitRequest[] = [];
  /** What to answer instead of the truth. */
  answer: ((request: SubmitRequest) => Promise<SubmitResult>) | undefined;

  async submit(request: SubmitRequest): Promise<SubmitResult> {
    this.requests.push(request);
    if (this.answer) return this.answer(request);
    const known = this.started.find((one) => one.requestKey === request.requestKey);
    if (known) return { state: 'repeated', send: sendFrom(known) };
    this.started.push(request);
    return { state: 'started', send: sendFrom(request) };
  }
}

export interface Call {
  readonly method: string;
  readonly args: Record<string, unknown>;
}

/** Slack's error for a Web API call, as its client throws it. */
export function slackError(code: string): Error {
  return new webApi.WebAPIPlatformError({ ok: false, error: code });
}

/** A Web API client that records; a test queues what the next calls of a method do instead of succeeding. */
export class RecordingClient {
  readonly calls: Call[] = [];
  readonly failures: Record<string, Error[]> = {};
  #hashes = 0;

  readonly views = {
    open: (args: { trigger_id: string; view: ModalView }) => this.#view('views.open', args),
    push: (args: { trigger_id: string; view: ModalView }) => this.#view('views.push', args),
    update: (args: { view_id: string; hash?: string; view: ModalView }) => this.#view('views.update', args),
  };
  readonly chat = {
    postEphemeral: (args: { channel: string; user: string; text: string }) =>
      this.#call('chat.postEphemeral', args),
    postMessage: (args: { channel: string; text: string }) => this.#call('chat.postMessage', args),
  };

  of(method: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.args);
  }

  /** The last view that was opened or redrawn. */
  get view(): ModalView {
    const shown = this.calls.filter((call) => call.method.startsWith('views.')).at(-1);
    if (!shown) throw new Error('No view was shown.');
    return shown.args.view as ModalView;
  }

  async #call(method: string, args: object): Promise<{ ok: true; ts?: string }> {
    this.calls.push({ method, args: { ...args } });
    const failure = this.failures[method]?.shift();
    if (failure) throw failure;
    return { ok: true };
  }

  async #view(method: string, args: object): Promise<{ view: { id: string; hash: string } }> {
    await this.#call(method, args);
    this.#hashes += 1;
    return { view: { id: 'V1', hash: `drawn-${this.#hashes}` } };
  }
}

export interface Setting {
  readonly compose: Compose;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly catalogue: SettableCatalogue;
  readonly sends: RecordingSends;
  readonly client: RecordingClient;
}

export function createSetting(
  changes: Partial<Pick<Compose, 'senders' | 'defaults'>> & { access?: Access } = {},
): Setting {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const catalogue = createCatalogue();
  const sends = new RecordingSends();
  const notes = createNotes(clock);
  const needs = createNeeds();
  const compose: Compose = {
    ...needs,
    counting: createCounting(needs.bulkSends, clock, logger),
    catalogue,
    sends: only<SlackServices['sends']>(sends),
    senders: SENDERS,
    defaults: { country: 'IN' },
    clock,
    logger,
    views: createViewUpdates(clock, logger),
    reading: new Set(),
    closedForms: createExpiringMap(3_600_000, 10, clock),
    notes,
    setAside: createSetAside(notes),
    ...changes,
  };
  return { compose, clock, logger, catalogue, sends, client: new RecordingClient() };
}

interface ShownInput {
  readonly block_id: string;
  readonly element: {
    readonly type: string;
    readonly action_id: string;
    readonly initial_value?: string;
    readonly initial_option?: { readonly value: string };
    readonly focus_on_load?: boolean;
  };
}

export function inputsOf(view: { readonly blocks: readonly { readonly type: string }[] }): ShownInput[] {
  return view.blocks.filter((block) => block.type === 'input') as unknown as ShownInput[];
}

/** The block whose input has the cursor when the view is shown. */
export function focusIn(view: { readonly blocks: readonly { readonly type: string }[] }): string | undefined {
  return inputsOf(view).find(({ element }) => element.focus_on_load)?.block_id;
}

/** What the inputs of a view hold when it is shown, by block_id. */
export function heldBy(view: {
  readonly blocks: readonly { readonly type: string }[];
}): Record<string, string | undefined> {
  return Object.fromEntries(
    inputsOf(view).map(({ block_id, element }) => [
      block_id,
      element.initial_value ?? element.initial_option?.value,
    ]),
  );
}

/** The view as Slack sends it back once `typed` was filled in, by path. */
export function openView(view: ModalView, typed: Readonly<Record<string, string | null>> = {}): OpenView {
  const values: Record<string, Record<string, object>> = {};
  for (const { block_id, element } of inputsOf(view)) {
    const path = block_id.split(':', 1)[0] ?? block_id;
    const value =
      path in typed ? typed[path] : (element.initial_value ?? element.initial_option?.value ?? null);
    const held = element.type.endsWith('_select')
      ? element.type === 'conversations_select'
        ? { selected_conversation: value }
        : { selected_option: value === null ? null : { text: { type: 'plain_text', text: value }, value } }
      : { value };
    values[block_id] = { [element.action_id]: { type: element.type, ...held } };
  }
  return {
    id: 'V1',
    team_id: 'T0ACME',
    previous_view_id: null,
    hash: 'opened',
    callback_id: view.callback_id ?? '',
    private_metadata: view.private_metadata ?? '',
    state: { values } as unknown as OpenView['state'],
    blocks: view.blocks,
    title: view.title,
    submit: view.submit ?? null,
    close: view.close ?? null,
  };
}

/** A click or a change in an open form, as Slack tells of it. */
export function clickIn(
  view: OpenView,
  action: Partial<ClickArguments['action']>,
  client: RecordingClient,
): ClickArguments {
  return {
    body: { user: { id: 'U0ASHA' }, team: { id: 'T0ACME' }, trigger_id: 'trigger', view },
    action: { action_id: '', block_id: '', action_ts: '1', ...action },
    respond: async () => {},
    client,
  };
}

/** The sentences on top of a form. */
export function notesOf(view: ModalView): string | undefined {
  const block = view.blocks.find((one) => one.block_id === 'notes');
  return block && 'text' in block ? (block.text as { text: string }).text : undefined;
}
