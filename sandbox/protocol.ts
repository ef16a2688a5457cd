/**
 * The private protocol of the sandbox: what the page and the end-to-end tests say to the workspace server and
 * to the carrier, besides Slack's own Web API and the service's own endpoints. Types only; the page imports
 * this file too. Longer than a file should be, because it is the one contract over which separate parts meet.
 *
 * Workspace server (one origin, port 8080 by default):
 *   GET  /                     the page; GET /ui/*, /vendor/* its modules (types stripped)
 *   POST /api/<method>         Slack's Web API: SLACK_API_URL is <origin>/api/
 *   GET  /socket?ticket=…      Socket Mode's WebSocket, as handed out by apps.connections.open
 *   POST /response/<token>     response_url; GET /files/…, POST /upload/… file bytes
 *   GET  /page/bootstrap       → Bootstrap
 *   GET  /page/events          server-sent events: one `data:` line of JSON a PageEvent; the first is a snapshot
 *   POST /page/act             Act → ActResult (what Slack's client would do on a person's behalf)
 *   POST /page/upload?as=U…&name=…   raw bytes → {ok, file: SlackFile}; then passed to a file_input
 *   POST /page/faults          Faults: what the workspace shall do wrong next
 * Carrier (port 8081 by default, CORS open):
 *   POST /v1/chatapp /v1/rcs /v1/sms and POST /sms   the service's endpoints
 *   GET  /carrier/events       server-sent events of CarrierEvent; the first is a snapshot
 *   GET  /carrier/state        → CarrierState
 *   GET  /carrier/sentinels    → Sentinel[]: recipients that make the carrier fail in a chosen way
 *   GET  /carrier/faults       → CarrierFault[]: those that are still to come
 *   POST /carrier/faults       CarrierFault[]: replaces the list
 *   POST /carrier/reports      {reports: Reports}: what is told of messages from now on
 *   POST /carrier/weather      {weather: Weather | null}: from now on; null is calm
 *   POST /carrier/reset        forgets everything but the weather
 *   POST /carrier/dismiss      {number, id}: the person dismisses a flash overlay
 *   POST /carrier/reply        CustomerReply: what a customer does with a message; the carrier tells Herald's webhook
 */

export interface Bootstrap {
  team: { id: string; name: string; domain: string };
  carrierUrl: string;
  /** Whom the page acts as when it opens. */
  defaultUserId: string;
  /** Numbers whose phones the page shows from the start. */
  phones: { number: string; name: string }[];
  app: { id: string; name: string; botUserId: string };
}

export interface SandboxUser {
  id: string;
  name: string;
  realName: string;
  isBot: boolean;
  isGuest: boolean;
  /** The workspace that the person is a member of, where that is another one. */
  team?: string;
  /** IANA name. */
  tz: string;
  color: string;
}

export interface SandboxChannel {
  id: string;
  name: string;
  isPrivate: boolean;
  /** `im` is the conversation between one user and the app's bot. */
  kind: 'channel' | 'im';
  /** For `im`: the person on the other side. */
  userId?: string;
  memberIds: string[];
  topic: string;
  /** No composer: only the app speaks here. */
  isReadOnly?: boolean;
  /** Other workspaces that share the channel with this one. */
  sharedWith?: string[];
}

export interface SlackFile {
  id: string;
  name: string;
  mimetype: string;
  size: number;
  url_private_download: string;
}

/** A message as Slack stores it. `ephemeralFor` is set when one user alone sees it. */
export interface SandboxMessage {
  channel: string;
  ts: string;
  thread_ts?: string;
  user?: string;
  bot_id?: string;
  username?: string;
  text: string;
  blocks?: unknown[];
  attachments?: unknown[];
  files?: SlackFile[];
  edited?: { ts: string };
  reactions?: { name: string; users: string[] }[];
  ephemeralFor?: string;
  reply_count?: number;
}

/** A modal or Home view as Slack holds it; `state` is what the inputs hold now. */
export interface SandboxView {
  id: string;
  hash: string;
  type: 'modal' | 'home';
  callback_id: string;
  title?: { type: 'plain_text'; text: string };
  submit?: { type: 'plain_text'; text: string };
  close?: { type: 'plain_text'; text: string };
  blocks: Record<string, unknown>[];
  private_metadata: string;
  notify_on_close?: boolean;
  state: { values: StateValues };
  /** The window of the page in which it is open, and dies; absent for who has none. */
  tab?: string;
}

/** Slack's own: block_id → action_id → the element's value object. */
export type StateValues = Record<string, Record<string, Record<string, unknown>>>;

export interface SandboxCommand {
  command: string;
  description: string;
  usageHint: string;
  /** People that are named in its text come as ids. */
  shouldEscape?: boolean;
}

export interface SandboxShortcut {
  callbackId: string;
  name: string;
  description: string;
  type: 'global' | 'message';
}

export interface FunctionParameter {
  name: string;
  /** As the manifest has it, e.g. `string` or `slack#/types/channel_id`. */
  type: string;
  title: string;
  description: string;
  required: boolean;
}

/** A step that the app brings for workflows. */
export interface SandboxFunction {
  callbackId: string;
  title: string;
  description: string;
  inputs: FunctionParameter[];
  outputs: FunctionParameter[];
}

/** One run of a step. */
export interface FunctionExecution {
  id: string;
  callbackId: string;
  /** User id of the person who ran it. */
  by: string;
  startedAt: number;
  inputs: Record<string, unknown>;
  status: 'running' | 'completed' | 'failed';
  /** When completed. */
  outputs?: Record<string, unknown>;
  /** When failed. */
  error?: string;
}

export interface WorkspaceSnapshot {
  users: SandboxUser[];
  channels: SandboxChannel[];
  userGroups: { id: string; handle: string; name: string; userIds: string[] }[];
  commands: SandboxCommand[];
  shortcuts: SandboxShortcut[];
  functions: SandboxFunction[];
  /** Oldest first; forgotten on restart. */
  executions: FunctionExecution[];
  messages: SandboxMessage[];
  /** Open modals, bottom first, by user. */
  viewStacks: Record<string, SandboxView[]>;
  homes: Record<string, SandboxView>;
  /** Whether the app is connected by socket, or reachable by HTTP. */
  appConnected: boolean;
}

export type PageEvent =
  | { type: 'snapshot'; snapshot: WorkspaceSnapshot }
  | { type: 'message'; message: SandboxMessage }
  | { type: 'message_deleted'; channel: string; ts: string }
  | { type: 'views'; userId: string; stack: SandboxView[] }
  | { type: 'home'; userId: string; view: SandboxView }
  | { type: 'channel'; channel: SandboxChannel }
  | { type: 'execution'; execution: FunctionExecution }
  | { type: 'app'; connected: boolean };

/** Words as they were typed; or, `isEncoded`, as the composer hands them on: escaped, mentions and links in angle brackets. */
interface Typed {
  text: string;
  isEncoded?: boolean;
}

/** What a person does, in a window of the page if they have one. `as` is their user id. */
export type Act = Done & { tab?: string };

type Done =
  | ({ type: 'command'; as: string; channel: string; command: string } & Typed)
  /** `files`: ids of uploaded files, which the message shares. */
  | ({ type: 'post'; as: string; channel: string; thread_ts?: string; files?: string[] } & Typed)
  /** Of a message of one's own. */
  | ({ type: 'edit'; as: string; channel: string; ts: string } & Typed)
  /** Puts an emoji, by its name, on a message, or takes it off again. */
  | { type: 'react'; as: string; channel: string; ts: string; name: string; isTakenBack?: boolean }
  /**
   * Another app's post through an incoming webhook (Grafana and friends), with blocks or attachments. `team`: of another
   * workspace, which shares the channel with this one.
   */
  | {
      type: 'app_post';
      appId: string;
      channel: string;
      text: string;
      team?: string;
      blocks?: unknown[];
      attachments?: unknown[];
    }
  /** Another app edits what it posted, as alerting systems do. What is left out is kept, as by chat.update. */
  | {
      type: 'app_edit';
      appId: string;
      channel: string;
      ts: string;
      text?: string;
      blocks?: unknown[];
      attachments?: unknown[];
    }
  | {
      type: 'block_action';
      as: string;
      container: { type: 'message'; channel: string; ts: string } | { type: 'view'; viewId: string };
      blockId: string;
      actionId: string;
      /** The element's value object as Slack sends it, e.g. {type:'button', value:'…'}. */
      value: Record<string, unknown>;
      /** The inputs as they stand, for a view. */
      state?: StateValues;
    }
  | { type: 'view_submission'; as: string; viewId: string; state: StateValues }
  | { type: 'view_closed'; as: string; viewId: string; clearAll?: boolean }
  | {
      type: 'suggestion';
      as: string;
      container: { type: 'message'; channel: string; ts: string } | { type: 'view'; viewId: string };
      blockId: string;
      actionId: string;
      value: string;
    }
  | { type: 'shortcut'; as: string; callbackId: string }
  | { type: 'message_shortcut'; as: string; callbackId: string; channel: string; ts: string }
  /** Runs a workflow of this one step; who runs it is filled in. */
  | { type: 'workflow_step'; as: string; callbackId: string; inputs: Record<string, unknown> }
  | { type: 'home_opened'; as: string };

export type ActResult =
  | { ok: true /** for `suggestion` */; options?: unknown[]; option_groups?: unknown[] }
  /** A submitted view that the app answered with errors: text under the inputs, by block_id. */
  | { ok: false; error: 'view_errors'; errors: Record<string, string> }
  /** `dispatch_failed`, `operation_timeout` (no ack in 3 s), `app_not_connected`, `unknown_command`, … */
  | { ok: false; error: string; message?: string };

/** What the workspace shall do wrong. Each entry is used `times` times, then forgotten. */
export interface Faults {
  faults: (
    | { on: 'api'; method: string; times: number; do: 'rate_limit'; retryAfterSeconds: number }
    /** The method `response_url` stands for all of them. */
    | { on: 'api'; method: string; times: number; do: 'error'; error: string }
    /** The call is carried out, but its answer is lost. */
    | { on: 'api'; method: string; times: number; do: 'drop_answer' }
    | { on: 'api'; method: string; times: number; do: 'hang' }
    /** Something before Slack answers, e.g. with 503, and the call is not carried out. */
    | { on: 'api'; method: string; times: number; do: 'status'; status: number }
    /** The next envelope is delivered twice with the same envelope_id (or the same signed HTTP body). */
    | { on: 'delivery'; times: number; do: 'duplicate' }
    | { on: 'socket'; times: number; do: 'disconnect' }
  )[];
}

export interface CarrierRequest {
  id: number;
  at: number;
  path: string;
  /** Header names in lower case; `apikey` is replaced by "valid" or "invalid". */
  headers: Record<string, string>;
  body: unknown;
  /** What the carrier did with it. */
  result: { status: number | null; note: string };
}

export interface PhoneMessage {
  id: string;
  at: number;
  /** Recipient, E.164. */
  number: string;
  channel: 'chatapp' | 'rcs' | 'sms' | 'flash';
  from: string;
  /** As the phone shows it: template name and values, or the text. */
  text: string;
  templateName?: string;
  params?: string[];
  media?: { type: string; link: string; filename?: string }[];
  /** Written or tapped on this phone; `from` is then whom it went to. */
  outgoing?: boolean;
  /** What the network has told of it. */
  report?: 'delivered' | 'read';
  /** Flash only: shown over everything until dismissed, then gone. */
  dismissed?: boolean;
  /** Rows 11 and 12, as the service received them. */
  interactive?: PhoneInteractive;
}

type PhoneMedia =
  | { id: string; filename?: string }
  | { link: string; provider?: { name: string } | undefined; filename?: string };

interface PhoneRow {
  id: string;
  title: string;
  description?: string | undefined;
}

/** What stands around whatever a customer can tap or fill in. */
interface PhoneFrame {
  header?:
    | { type: 'text'; text: string }
    | { type: 'image'; image: PhoneMedia }
    | { type: 'video'; video: PhoneMedia }
    | { type: 'document'; document: PhoneMedia }
    | undefined;
  body: { text: string };
  footer?: { text: string } | undefined;
}

/** What a phone shows besides a text: buttons, a list, or the form for an address. */
export type PhoneInteractive = PhoneFrame &
  (
    | {
        type: 'button' | 'list';
        action: {
          buttons?: { reply: { id: string; title: string } }[];
          button?: string;
          sections?: { id: string; title?: string | undefined; rows: PhoneRow[] }[];
        };
      }
    | {
        type: 'address_message';
        action: {
          parameters: {
            country: 'IN' | 'SG';
            values: Record<string, string>;
            saved_addresses?: { id: string; value: Record<string, string> }[] | undefined;
            validation_errors?: Record<string, string> | undefined;
          };
        };
      }
  );

/** What a customer does, or (`report`) what the network tells of a message. */
export interface CustomerReply {
  /** Whose phone; E.164. */
  number: string;
  /** The message on that phone that is answered or told of. */
  messageId?: string;
  answer:
    | { type: 'text'; text: string }
    /** `tells`: the button's id is all that the service tells, as `{"reply": {"id"}}` or `{"reply.id"}`, without sender or title. */
    | { type: 'button'; id: string; title: string; tells?: 'id' | 'flat_id' }
    | { type: 'list'; id: string; title: string; description?: string }
    | { type: 'address'; values: Record<string, string> }
    | { type: 'report'; status: 'sent' | 'delivered' | 'read' | 'failed'; code?: number };
}

export interface CarrierState {
  requests: CarrierRequest[];
  phones: Record<string, PhoneMessage[]>;
  faults: CarrierFault[];
  reports: Reports;
}

/**
 * What the service and the network are like: answers take their time, one in a hundred long; reports come shuffled, some
 * twice, late, or before the answer. The same seed and recipients make the same weather.
 */
export interface Weather {
  seed: number;
  /**
   * Answers to requests for several recipients have an entry for each, and of a hundred recipients so many are refused in
   * theirs. Absent: no entries.
   */
  refusedPercent?: number;
}

/** When the network tells what became of a message. `failed`: no phone gets it, and that is told. */
export type Reports = 'soon' | 'late' | 'failed' | 'never';

export type CarrierEvent =
  | { type: 'snapshot'; state: CarrierState }
  | { type: 'request'; request: CarrierRequest }
  | { type: 'message'; message: PhoneMessage }
  | { type: 'dismissed'; number: string; id: string }
  | { type: 'reported'; messages: { number: string; id: string; report: 'delivered' | 'read' }[] }
  /** What it shall do wrong, and tell of messages, is now another. */
  | { type: 'plan'; faults: CarrierFault[]; reports: Reports }
  | { type: 'reset' };

/** What the carrier does instead of answering well. `times` absent: until replaced. */
export interface CarrierFault {
  /** Only for this recipient (E.164); absent: for every request. */
  number?: string;
  times?: number;
  /** Only each nth of the requests that it is for. */
  every?: number;
  /** Only before this time, in milliseconds since 1970. */
  until?: number;
  do:
    | {
        type: 'code';
        code: number;
        httpStatus?: number;
        shape?: 'code' | 'error.code' | 'errors[0].code' | 'errorCode' | 'status.code';
        asString?: boolean;
      }
    | { type: 'status'; status: number; retryAfterSeconds?: number; body?: string }
    | { type: 'reset_before_answer' }
    | { type: 'reset_mid_answer' }
    | { type: 'hang' }
    | { type: 'delay'; ms: number }
    | { type: 'html' }
    | { type: 'empty' }
    | { type: 'huge' }
    | { type: 'garbage' }
    | { type: 'redirect'; location: string };
}

/** A recipient whose number makes the carrier do something other than succeed. */
export interface Sentinel {
  /** E.164, a valid number. */
  number: string;
  does: CarrierFault['do'];
  /** True when every second request succeeds, so that one automatic retry is enough. */
  alternates?: boolean;
  /** One sentence for the page. */
  description: string;
}
