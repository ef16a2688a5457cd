import { webApi } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect } from 'vitest';
import { validateView } from '../../../sandbox/slack/block-kit/index.ts';
import type { MessageKind } from '../../../src/messages/kinds.ts';
import { sendersSchema } from '../../../src/messages/senders.ts';
import { type Template, templateListSchema } from '../../../src/messages/templates/template.ts';
import { createNotes } from '../../../src/sends/notes.ts';
import type { TemplateCatalogue } from '../../../src/sends/ports.ts';
import type { Send } from '../../../src/sends/send.ts';
import type { SubmitRequest, SubmitResult } from '../../../src/sends/service.ts';
import { type Compose, createCompose } from '../../../src/slack/compose/compose.ts';
import { handleSubmission } from '../../../src/slack/compose/form/submission.ts';
import { handleSendCommand } from '../../../src/slack/compose/line/command.ts';
import type {
  ClickArguments,
  EphemeralMessage,
  OpenView,
  SlackClient,
  SubmissionAnswer,
} from '../../../src/slack/kit/clicks/arguments.ts';
import type { Access } from '../../../src/slack/kit/people/access.ts';
import type { SlackServices } from '../../../src/slack/kit/services.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
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

const chatapp = (variant: string, name: string, label: string, text: string, more: object = {}) => ({
  ...{ channel: 'chatapp', variant, name, label, text },
  ...more,
});
const rcs = (variant: string, name: string, label: string, more: object = {}) => ({
  ...{ channel: 'rcs', variant, name, label },
  ...more,
});
const asking = (...names: string[]) => ({ placeholders: names.map((name) => ({ name })) });
const ORDER_VALUES = [
  { name: 'customer', example: 'Asha' },
  { name: 'order', example: 'A-1001' },
];

export const TEMPLATES: readonly Template[] = templateListSchema.parse([
  chatapp('otp', 'login_code', 'Login code', '{{1}} is your code.', { languages: ['en', 'hi'] }),
  chatapp('text', 'order_update', 'Order update', 'Hello {{1}}, your order {{2}} is on its way.', {
    placeholders: ORDER_VALUES,
  }),
  chatapp('text', 'reminder', 'Reminder', 'Remember {{1}}.', asking('what')),
  chatapp('text', 'closed_today', 'Closed today', 'We are closed today.'),
  chatapp('document', 'invoice', 'Invoice', 'Your invoice for {{1}}.', asking('month')),
  chatapp('image', 'festive_photo', 'Festive greeting', 'Happy Diwali!'),
  chatapp('text', '2024', 'Year', 'Happy 2024!'),
  rcs('plain', 'store_open', 'Store opening', { text: 'We are open.' }),
  rcs('rich', 'rate_us', 'Rate us', { text: 'How did we do?' }),
  rcs('variables', 'appointment', 'Appointment', {
    ...asking('day', 'hour'),
    text: 'See you {{1}} at {{2}}.',
  }),
  rcs('carousel-fixed', 'catalogue_fixed', 'Catalogue'),
  rcs('carousel-images', 'weekly_offers', 'Weekly offers', { cards: 2 }),
  {
    ...asking('customer', 'order'),
    channel: 'sms',
    name: 'order_shipped',
    label: 'Order shipped',
    text: 'Dear {{1}}, your order {{2}} is on its way. - Acme',
    dltTemplateId: '1107160000000000001',
  },
]);

export function templateNamed(name: string): Template {
  const template = TEMPLATES.find((one) => one.name === name);
  if (!template) throw new Error(`There is no template ${name} in the setting.`);
  return template;
}

/** A catalogue that a test can change, and make silent. */
export class SettableCatalogue implements TemplateCatalogue {
  templates = TEMPLATES;
  silent = false;

  async find(channel: string, name: string): Promise<Template | undefined> {
    return (await this.#of(channel)).find((template) => template.name === name);
  }
  async search(channel: string, query: string, limit: number): Promise<Template[]> {
    const fits = ({ name, label, text = '' }: Template) =>
      [name, label, text].some((part) => part.includes(query));
    return (await this.#of(channel)).filter(fits).slice(0, limit);
  }
  async mark(): Promise<undefined> {}
  #of(channel: string): readonly Template[] | Promise<never> {
    return this.silent ? new Promise(() => {}) : this.templates.filter((one) => one.channel === channel);
  }
}

export function sendFrom(request: Pick<SubmitRequest, 'message' | 'origin'>, id = 'S-0000000001'): Send {
  const { message, origin } = request;
  return {
    id,
    kind: message.kind,
    message,
    origin,
    state: 'approved',
    recipientCount: 1,
    createdAt: 0,
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

/** A Web API client that records, and takes no window that Slack would not; a test queues what the next calls of a method do instead of succeeding. */
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

  async #view(method: string, args: { view: ModalView }): Promise<{ view: { id: string; hash: string } }> {
    expect(validateView(args.view)).toEqual([]);
    await this.#call(method, args);
    this.#hashes += 1;
    return { view: { id: 'V1', hash: `drawn-${this.#hashes}` } };
  }
}

export type Setting = ReturnType<typeof createSetting>;

export function createSetting(
  changes: Partial<Pick<Compose, 'senders' | 'defaults'>> & { access?: Access } = {},
) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const catalogue = new SettableCatalogue();
  const sends = new RecordingSends();
  const services = only<SlackServices>({
    ...createNeeds(),
    catalogue,
    sends: only<SlackServices['sends']>(sends),
    senders: SENDERS,
    defaults: { country: 'IN', answerButton: 'OK' },
    clock,
    logger,
    notes: createNotes(clock),
    ...changes,
  });
  const compose = createCompose(services);
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

type Shown = Pick<ModalView, 'blocks'>;

export function inputsOf(view: Shown): ShownInput[] {
  return view.blocks.filter((block) => block.type === 'input') as unknown as ShownInput[];
}

/** The block whose input has the cursor when the view is shown. */
export function focusIn(view: Shown): string | undefined {
  return inputsOf(view).find(({ element }) => element.focus_on_load)?.block_id;
}

/** What the inputs of a view hold when it is shown, by block_id. */
export function heldBy(view: Shown): Record<string, string | undefined> {
  const held = ({ element }: ShownInput) => element.initial_value ?? element.initial_option?.value;
  return Object.fromEntries(inputsOf(view).map((input) => [input.block_id, held(input)]));
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
    ...{ id: 'V1', type: 'modal', root_view_id: 'V1', previous_view_id: null },
    ...{ team_id: 'T0ACME', app_id: 'A0HERALD', bot_id: 'B0HERALD' },
    ...{ clear_on_close: false, notify_on_close: false },
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

/** A click or a change in an open form, or without one in a message, as Slack tells of it. `said` is what it is answered. */
export function clickIn(
  view: OpenView | undefined,
  action: Partial<ClickArguments['action']>,
  client: RecordingClient,
  userId = 'U0ASHA',
) {
  const said: string[] = [];
  const by = { user: { id: userId }, team: { id: 'T0ACME' }, channel: { id: 'C0TEAM' } };
  return {
    body: { ...by, trigger_id: 'trigger', view },
    action: { action_id: '', block_id: '', action_ts: '1', ...action },
    respond: async ({ text }: { readonly text: string }) => said.push(text),
    client,
    said,
  };
}

/** Submits an open form; what Slack is answered. */
export async function submitForm(
  { client, compose }: { readonly client: SlackClient; readonly compose: Compose },
  view: OpenView,
  userId = 'U0ASHA',
): Promise<SubmissionAnswer[]> {
  const answers: SubmissionAnswer[] = [];
  const body = { user: { id: userId }, team: { id: 'T0ACME' }, view };
  const ack = async (answer?: SubmissionAnswer) => {
    if (answer?.response_action === 'update') expect(validateView(answer.view)).toEqual([]);
    if (answer) answers.push(answer);
  };
  await handleSubmission({ body, ack, client }, compose);
  return answers;
}

/** An SMS or flash SMS as the forms of this team make it. */
export function textMessage(kind: 'sms' | 'flash', text: string, more: object = {}): object {
  return { kind, sender: 'ACMEIN', text, type: 'TRANS', unicode: false, ...more };
}

/** The message of a template as the forms of this team make it. */
export function templateMessage(templateName: string, more: object = {}): object {
  const { channel: kind, variant } = templateNamed(templateName);
  const own =
    kind === 'chatapp' ? { from: '+919876543210', params: [] } : { botId: 'acme-bot', type: 'PRETRANS' };
  return { kind, variant, templateName, ...own, ...more };
}

/** Where lines are typed, and by whom. */
export const ORIGIN = { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' };

/** Types a line after the command of a kind. Resolves, when all that follows from it is done, with it in order. */
export async function typeLine(
  { client, compose }: Pick<Setting, 'client' | 'compose'>,
  kind: MessageKind,
  text: string,
  triggerId = 'trigger-1',
) {
  const events: ('ack' | 'open' | 'respond')[] = [];
  const acknowledged: (EphemeralMessage | undefined)[] = [];
  const responses: { readonly text: string }[] = [];
  const open: RecordingClient['views']['open'] = (args) => {
    events.push('open');
    return client.views.open(args);
  };
  const { teamId: team_id, userId: user_id, channelId: channel_id } = ORIGIN;
  const args = {
    command: { text, trigger_id: triggerId, team_id, user_id, channel_id },
    ack: async (message?: EphemeralMessage) => {
      events.push('ack');
      acknowledged.push(message);
    },
    respond: async (message: { readonly text: string }) => {
      events.push('respond');
      responses.push(message);
    },
    client: { views: { ...client.views, open }, chat: client.chat },
    help: '',
  };
  await handleSendCommand(kind, args, compose);
  return { events, acknowledged, responses };
}

/** The sentences on top of a form. */
export function notesOf({ blocks }: ModalView): string | undefined {
  const onTop = blocks.find((one) => one.block_id === 'notes');
  return onTop && 'text' in onTop ? (onTop.text as { text: string }).text : undefined;
}

/** What stands under the fields that are wrong, by block. */
export function issuesIn({ blocks }: ModalView): Record<string, string> {
  const hints = blocks.map((one) => [one.block_id ?? '', ('hint' in one && one.hint?.text) || ''] as const);
  return Object.fromEntries(hints.filter(([, hint]) => hint.startsWith('⚠️')));
}
