import type { CarrierEvent, CarrierState, PhoneMessage } from '../protocol.ts';

/** The carrier after an event; undefined before the first snapshot. */
export function applyCarrierEvent(
  state: CarrierState | undefined,
  event: CarrierEvent,
): CarrierState | undefined {
  if (event.type === 'snapshot') return event.state;
  if (!state) return undefined;
  switch (event.type) {
    case 'request': {
      const others = state.requests.filter((request) => request.id !== event.request.id);
      return { ...state, requests: [...others, event.request] };
    }
    case 'message': {
      const { number } = event.message;
      const inbox = (state.phones[number] ?? []).filter((one) => one.id !== event.message.id);
      return { ...state, phones: { ...state.phones, [number]: [...inbox, event.message] } };
    }
    case 'dismissed': {
      const inbox = (state.phones[event.number] ?? []).map((message) =>
        message.id === event.id ? { ...message, dismissed: true } : message,
      );
      return { ...state, phones: { ...state.phones, [event.number]: inbox } };
    }
    case 'reset':
      return { requests: [], phones: {}, faults: [] };
  }
}

export interface Phone {
  number: string;
  /** Whose phone it is, where that is known. */
  name: string | undefined;
  /** What the phone keeps: everything but flash messages. */
  inbox: PhoneMessage[];
  /** What lies over the screen, oldest first. */
  overlays: PhoneMessage[];
  /** When it got its last message, in milliseconds; 0: nothing yet. */
  lastAt: number;
}

/** All phones: those of the workspace and every number that got something, the latest to ring first. */
export function phonesOf(
  state: CarrierState | undefined,
  named: readonly { number: string; name: string }[],
): Phone[] {
  const numbers = new Set([...named.map((phone) => phone.number), ...Object.keys(state?.phones ?? {})]);
  const phones = [...numbers].map((number): Phone => {
    const messages = state?.phones[number] ?? [];
    return {
      number,
      name: named.find((phone) => phone.number === number)?.name,
      inbox: messages.filter((message) => message.channel !== 'flash'),
      overlays: messages.filter((message) => message.channel === 'flash' && !message.dismissed),
      lastAt: Math.max(0, ...messages.map((message) => message.at)),
    };
  });
  return phones.sort((a, b) => b.lastAt - a.lastAt);
}
