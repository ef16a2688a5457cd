import type { Faults } from '../protocol.ts';

type Fault = Faults['faults'][number];
export type ApiFault = Extract<Fault, { on: 'api' }>;

/** The faults still to happen. Each is used up `times` times, in the order given. */
export class FaultList {
  #faults: Fault[] = [];

  replace(faults: Faults): void {
    this.#faults = faults.faults.filter((fault) => fault.times > 0).map((fault) => ({ ...fault }));
  }

  /** Takes one use of the first fault for this method; `*` stands for any method. */
  takeApi(method: string): ApiFault | undefined {
    const fault = this.#faults.find(
      (candidate) => candidate.on === 'api' && (candidate.method === method || candidate.method === '*'),
    );
    return fault?.on === 'api' ? this.#use(fault) : undefined;
  }

  /** Whether the next delivery is to go out twice. */
  takeDuplicate(): boolean {
    return this.#takeOn('delivery');
  }

  /** Whether the next live socket is to be told to go. */
  takeDisconnect(): boolean {
    return this.#takeOn('socket');
  }

  #takeOn(place: 'delivery' | 'socket'): boolean {
    const fault = this.#faults.find((candidate) => candidate.on === place);
    if (fault === undefined) return false;
    this.#use(fault);
    return true;
  }

  #use<Kind extends Fault>(fault: Kind): Kind {
    fault.times -= 1;
    if (fault.times <= 0) this.#faults = this.#faults.filter((candidate) => candidate !== fault);
    return fault;
  }
}
