import { messageText } from '../message-text.ts';
import { Person } from '../person.ts';
import type { CarrierRequest, PhoneMessage, SandboxMessage } from '../protocol.ts';
import type { Stack } from '../stack.ts';
import type { Narrator } from './narrator.ts';
import type { Verification } from './verification.ts';

export const TEAM = 'C0TEAM';

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
    this.narrator.herald(this.#withNames(text));
    return text;
  }

  #withNames(text: string): string {
    const { users } = this.#stack.workspace.snapshot();
    return users.reduce((named, { id, name }) => named.replaceAll(`@${id}`, `@${name}`), text);
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
