import type { CarrierEvent, CarrierRequest, CarrierState, PhoneMessage } from '../protocol.ts';
import type { Report } from './report.ts';
import type { Delivery } from './verdict.ts';

/** Everything the carrier has seen and delivered, told to whoever subscribed. */
export class Journal {
  #requests: CarrierRequest[] = [];
  #phones = new Map<string, PhoneMessage[]>();
  #nextRequest = 1;
  #nextMessage = 1;
  readonly #listeners = new Set<(event: CarrierEvent) => void>();
  readonly #keepRequests: number;

  /** @param keepRequests how many requests the log holds; older ones are dropped, phones are not */
  constructor(keepRequests: number) {
    this.#keepRequests = keepRequests;
  }

  state(plan: Pick<CarrierState, 'faults' | 'reports'>): CarrierState {
    return { requests: [...this.#requests], phones: this.phones(), ...plan };
  }

  phones(): CarrierState['phones'] {
    const phones: CarrierState['phones'] = {};
    for (const [number, messages] of this.#phones) phones[number] = messages.map((one) => ({ ...one }));
    return phones;
  }

  /** Puts back what the phones held before a restart; new messages are numbered after them. */
  restore(phones: CarrierState['phones']): void {
    this.#phones = new Map(Object.entries(phones));
    const numbers = Object.values(phones).flatMap((inbox) =>
      inbox.map(({ id }) => Number(id.replace(/\D/g, ''))),
    );
    this.#nextMessage = 1 + Math.max(0, ...numbers);
  }

  request(request: Omit<CarrierRequest, 'id'>): void {
    const entry: CarrierRequest = { id: this.#nextRequest++, ...request };
    this.#requests.push(entry);
    if (this.#requests.length > this.#keepRequests) this.#requests.shift();
    this.#tell({ type: 'request', request: entry });
  }

  nextMessageId(): string {
    return `msg-${String(this.#nextMessage++).padStart(8, '0')}`;
  }

  nextReplyId(): string {
    return `reply-${String(this.#nextMessage++).padStart(8, '0')}`;
  }

  /** A message on a phone; undefined when there is none, or none is named. */
  find(number: string, id: string | undefined): PhoneMessage | undefined {
    return this.#phones.get(number)?.find((message) => message.id === id);
  }

  deliver(id: string, at: number, delivery: Delivery): void {
    this.put({ id, at, ...delivery });
  }

  /** Adds to a phone what came to it, or what was written on it. */
  put(message: PhoneMessage): void {
    const inbox = this.#phones.get(message.number) ?? [];
    inbox.push(message);
    this.#phones.set(message.number, inbox);
    this.#tell({ type: 'message', message: { ...message } });
  }

  /** A person closes a flash overlay; the phone keeps nothing of it. False when there is no such overlay. */
  dismiss(number: string, id: string): boolean {
    const message = this.#phones.get(number)?.find((one) => one.id === id && one.channel === 'flash');
    if (!message || message.dismissed) return false;
    message.dismissed = true;
    this.#tell({ type: 'dismissed', number, id });
    return true;
  }

  /** Keeps with the messages on phones that they arrived or were read. */
  report(reports: readonly Report[]): void {
    const messages = reports.flatMap(({ id, number, status }) => {
      const message = this.find(number, id);
      // A message that was read has arrived, whatever is told of it after.
      if (message === undefined || status === 'failed' || message.report === 'read') return [];
      message.report = status;
      return [{ id, number, report: status }];
    });
    if (messages.length > 0) this.#tell({ type: 'reported', messages });
  }

  planned(plan: Pick<CarrierState, 'faults' | 'reports'>): void {
    this.#tell({ type: 'plan', ...plan });
  }

  reset(): void {
    this.#requests = [];
    this.#phones = new Map();
    this.#tell({ type: 'reset' });
  }

  subscribe(listener: (event: CarrierEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #tell(event: CarrierEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
