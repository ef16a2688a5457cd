import type { Carrier } from '../../sandbox/carrier/server.ts';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { Person } from '../../sandbox/person.ts';
import type { PhoneMessage, SandboxMessage, SlackFile } from '../../sandbox/protocol.ts';
import type { Workspace } from '../../sandbox/slack/server.ts';
import type { Watch } from '../../sandbox/watch.ts';
import { ASHA, TEAM } from './team.ts';

/** One request as the service received it. */
export interface WholeRequest {
  readonly path: string;
  readonly body: unknown;
}

export interface Conversation {
  /** Text of each message, oldest first. */
  texts(): string[];
  /** Waits for a message, posted or updated, whose text matches. */
  message(pattern: RegExp): Promise<SandboxMessage>;
}

/** A workspace and a carrier: what people do there, and what stands there. */
export class Scene {
  readonly workspace: Workspace;
  readonly carrier: Carrier;
  readonly heraldUrl: string;
  readonly #watch: Watch;

  constructor({
    workspace,
    carrier,
    heraldUrl,
    watch,
  }: Pick<Scene, 'workspace' | 'carrier' | 'heraldUrl'> & { readonly watch: Watch }) {
    this.workspace = workspace;
    this.carrier = carrier;
    this.heraldUrl = heraldUrl;
    this.#watch = watch;
  }

  person(userId: string): Person {
    return new Person(this.workspace, this.#watch, userId);
  }

  /** Looks again at each event of the workspace and the carrier until `probe` gives something. */
  eventually<Value>(
    what: string,
    probe: () => Value | undefined | false | Promise<Value | undefined | false>,
    deadlineMs?: number,
  ): Promise<Value> {
    return this.#watch.until(what, probe, deadlineMs);
  }

  /** Every message that stands anywhere, oldest first. */
  messages(): readonly SandboxMessage[] {
    return this.workspace.snapshot().messages;
  }

  /** What a channel shows to `viewer` from now on: messages that stand there already are left out. */
  from(viewer: Person, channel = TEAM): Conversation {
    const old = new Set(viewer.messages(channel).map((message) => message.ts));
    const fresh = (): SandboxMessage[] => viewer.messages(channel).filter(({ ts }) => !old.has(ts));
    return {
      texts: () => fresh().map(messageText),
      message: (pattern) =>
        this.eventually(`a message like ${pattern} in ${channel}`, () =>
          fresh().find((message) => pattern.test(messageText(message))),
        ),
    };
  }

  /** The latest message of a channel whose text matches. */
  shown(channel: string, pattern: RegExp): SandboxMessage | undefined {
    return this.messages().findLast((one) => one.channel === channel && pattern.test(messageText(one)));
  }

  untilShown(channel: string, pattern: RegExp, deadlineMs?: number): Promise<SandboxMessage> {
    const probe = () => this.shown(channel, pattern);
    return this.eventually(`a message like ${pattern} in ${channel}`, probe, deadlineMs);
  }

  /** Somebody types a line; waits for a message like this. */
  async says(userId: string, line: string, pattern: RegExp, channel = TEAM): Promise<SandboxMessage> {
    const person = this.person(userId);
    const conversation = this.from(person, channel);
    await person.command(channel, line);
    return conversation.message(pattern);
  }

  /** Waits for words that only this person was told, anywhere. */
  told(userId: string, pattern: RegExp): Promise<string> {
    return this.eventually(`${userId} is told ${pattern}`, () =>
      this.messages()
        .filter(({ ephemeralFor }) => ephemeralFor === userId)
        .map(messageText)
        .findLast((text) => pattern.test(text)),
    );
  }

  /** Answers in the thread of a message, oldest first. */
  thread(ts: string | undefined): SandboxMessage[] {
    return this.messages().filter((one) => one.thread_ts === ts && one.ts !== ts);
  }

  /** Everything that a person's open windows hold. */
  words(userId = ASHA): string {
    return JSON.stringify(this.person(userId).views());
  }

  /** Waits for what a person's windows say. */
  shows(pattern: RegExp, userId = ASHA, deadlineMs?: number): Promise<boolean> {
    return this.eventually(`a window like ${pattern}`, () => pattern.test(this.words(userId)), deadlineMs);
  }

  /** Waits for the review of a list that has to be approved. */
  review(deadlineMs?: number): Promise<boolean> {
    return this.shows(/Ask for approval/, ASHA, deadlineMs);
  }

  async closeViews(userId = ASHA): Promise<void> {
    for (const { id } of this.person(userId).views().toReversed())
      await this.workspace.act({ type: 'view_closed', as: userId, viewId: id });
  }

  /** Opens Home, again until it shows what is looked for. */
  async home(userId: string, pattern = /./): Promise<string> {
    const before = this.workspace.snapshot().homes[userId]?.hash;
    await this.workspace.act({ type: 'home_opened', as: userId });
    const view = await this.eventually('Home', () => {
      const shown = this.workspace.snapshot().homes[userId];
      return shown?.hash === before ? undefined : shown;
    });
    const blocks = JSON.stringify(view.blocks);
    return pattern.test(blocks) ? blocks : this.home(userId, pattern);
  }

  /** A file as Herald may download it. */
  async download({ url_private_download }: Pick<SlackFile, 'url_private_download'>): Promise<string> {
    const headers = { authorization: `Bearer ${SANDBOX_CREDENTIALS.botToken}` };
    return (await fetch(url_private_download, { headers })).text();
  }

  /** What a phone shows, oldest first. */
  phone(number: string): readonly PhoneMessage[] {
    return this.carrier.state().phones[number] ?? [];
  }

  /** What the service has received, whole, in order. */
  wholeRequests(): WholeRequest[] {
    return this.carrier.state().requests.map(({ path, body }) => ({ path, body }));
  }

  /** The service tells Herald something; its answer's status. */
  async webhook(body: object): Promise<number> {
    const url = `${this.heraldUrl}/webhooks/messaging/${SANDBOX_CREDENTIALS.webhookToken}`;
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
  }

  /** What an address of Herald's own server answers. */
  async read(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(this.heraldUrl + path);
    return { status: answer.status, text: await answer.text() };
  }
}
