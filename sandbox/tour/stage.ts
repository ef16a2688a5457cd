import { messageText } from '../message-text.ts';
import { Person } from '../person.ts';
import type { CarrierRequest, CustomerReply, PhoneMessage, SandboxMessage } from '../protocol.ts';
import type { Stack } from '../stack.ts';
import type { Narrator } from './narrator.ts';
import type { Verification } from './verification.ts';

export const TEAM = 'C0TEAM';

interface ButtonBlock {
  readonly block_id: string;
  readonly elements?: readonly { readonly action_id?: string; readonly value?: string }[];
}

/** Where the tour plays: the people, what they see, and the check of each thing that is told. */
export class Stage {
  readonly narrator: Narrator;
  readonly verification: Verification;
  readonly asha: Person;
  readonly ravi: Person;
  readonly mei: Person;
  readonly #stack: Stack;

  constructor(stack: Stack, narrator: Narrator, verification: Verification) {
    this.#stack = stack;
    this.narrator = narrator;
    this.verification = verification;
    this.asha = new Person(stack.workspace, stack.watch, 'U0ASHA');
    this.ravi = new Person(stack.workspace, stack.watch, 'U0RAVI');
    this.mei = new Person(stack.workspace, stack.watch, 'U0MEI');
  }

  /** Runs `act`, then waits until a post that is new in the channel matches, and tells it. */
  async resultOf(viewer: Person, act: () => Promise<unknown>, pattern: RegExp): Promise<string> {
    const old = new Set(viewer.messages(TEAM).map((message) => message.ts));
    const fresh = (): SandboxMessage | undefined =>
      viewer.messages(TEAM).find((one) => !old.has(one.ts) && pattern.test(messageText(one)));
    await act();
    const message = await this.#stack.watch.until(`a post like ${pattern}`, fresh);
    const text = messageText(message);
    this.tell(text);
    return text;
  }

  /** A customer answers the message on this phone; waits for it in the thread of the message that asked, and tells it. */
  async answerOf(
    number: string,
    answer: CustomerReply['answer'],
    told: RegExp,
    counted: RegExp = /(?:)/,
  ): Promise<string> {
    const { carrier, watch } = this.#stack;
    const messageId = carrier.state().phones[number]?.at(-1)?.id ?? '';
    const taken = await carrier.reply({ number, messageId, answer });
    this.verification.same(`Herald took what ${number} answered`, taken, { ok: true });
    const text = await watch.until(`an answer like ${told}`, () => this.#answerAndRoot(told, counted));
    this.tell(text);
    return text;
  }

  #answerAndRoot(told: RegExp, counted: RegExp): string | undefined {
    const messages = this.asha.messages(TEAM);
    const answer = messages.find((one) => one.thread_ts !== undefined && told.test(whole(one)));
    const root = messages.find(({ ts }) => ts === answer?.thread_ts);
    return answer && root && counted.test(messageText(root)) ? answer.text : undefined;
  }

  /** Looks again at each event until `probe` gives something; rejects after a while. */
  readonly until = <Value>(
    what: string,
    probe: () => Value | undefined | false,
    deadlineMs = 60_000,
  ): Promise<Value> => this.#stack.watch.until(what, probe, deadlineMs);

  /** Every message of a channel, whoever may see it. */
  messages(channel: string): SandboxMessage[] {
    return this.#stack.workspace.snapshot().messages.filter((message) => message.channel === channel);
  }

  /** Another app posts, as alerting systems do. */
  async postAs(
    appId: string,
    channel: string,
    content: { text?: string; blocks?: unknown[]; attachments?: unknown[] },
  ): Promise<void> {
    const act = { type: 'app_post', text: '', appId, channel, ...content } as const;
    this.verification.same(`${appId} posted`, await this.#stack.workspace.act(act), { ok: true });
  }

  /** Somebody clicks a button of a message, as it now is, and says yes where they are asked once more. */
  async click(person: Person, { channel, ts }: SandboxMessage, actionId: string): Promise<void> {
    const message = this.messages(channel).find((one) => one.ts === ts);
    const blocks = (message?.blocks ?? []) as unknown as readonly ButtonBlock[];
    const block = blocks.find(({ elements }) => elements?.some(({ action_id }) => action_id === actionId));
    const button = block?.elements?.find(({ action_id }) => action_id === actionId);
    if (block === undefined || button === undefined) throw new Error(`There is no button ${actionId}.`);
    await this.#stack.workspace.act({
      type: 'block_action',
      as: person.userId,
      container: { type: 'message', channel, ts },
      blockId: block.block_id,
      actionId,
      value: { type: 'button', value: button.value },
    });
  }

  /** A post of Herald's, with names for ids; all of it happens today. */
  tell(text: string): void {
    const { users, userGroups, channels } = this.#stack.workspace.snapshot();
    const named = [
      ...users.map(({ id, realName }) => [[`<@${id}>`, `@${id}`], realName] as const),
      ...userGroups.map(({ id, handle }) => [[`@${id}`], `@${handle}`] as const),
      ...channels.map(({ id, name }) => [[`#${id}`], `#${name}`] as const),
    ].reduce((read, [ids, name]) => ids.reduce((text, id) => text.replaceAll(id, name), read), text);
    this.narrator.herald(named.replaceAll(`${new Date().toISOString().slice(0, 10)} `, ''));
  }

  /** Tells what arrived on a phone and claims that it is exactly this one message. */
  tellPhone(number: string, expected: Partial<PhoneMessage>): void {
    const inbox = this.#stack.carrier.state().phones[number] ?? [];
    for (const { channel, text, media = [] } of inbox) {
      const attached = media.map(({ type, link }) => `\n(${type} ${link})`).join('');
      this.narrator.phone(number, channel, text + attached);
    }
    this.verification.claim(`The phone ${number} got one message`, inbox.length === 1, inbox);
    const actual = Object.fromEntries(
      Object.keys(expected).map((key) => [key, inbox[0]?.[key as keyof PhoneMessage]]),
    );
    this.verification.same(`The phone ${number} shows what was sent`, actual, expected);
  }

  requests(): CarrierRequest[] {
    return this.#stack.carrier.state().requests;
  }

  phones(): Record<string, PhoneMessage[]> {
    return this.#stack.carrier.state().phones;
  }
}

/** With what stands in a table, too. */
function whole({ text, blocks }: SandboxMessage): string {
  return text + JSON.stringify(blocks ?? []);
}
