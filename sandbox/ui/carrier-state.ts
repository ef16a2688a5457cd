import type { CarrierEvent, CarrierRequest, CarrierState, PhoneMessage } from '../protocol.ts';

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

/** The carrier as the page holds it. */
export interface CarrierView {
  /** Oldest first. */
  requests: CarrierRequest[];
  /** By number: those of the workspace and every number that got something, the latest to ring last. */
  phones: Map<string, Phone>;
  faults: CarrierState['faults'];
  reports: CarrierState['reports'];
}

type Named = readonly { number: string; name: string }[];

/**
 * The carrier after some events; undefined before the first snapshot. A new view holds the same list and map, changed in
 * place: 10,000 phones copied for each message would stop the page.
 */
export function applyCarrierEvents(
  view: CarrierView | undefined,
  events: readonly CarrierEvent[],
  named: Named,
): CarrierView | undefined {
  let now = view && { ...view };
  for (const event of events) {
    if (event.type === 'snapshot') now = viewOf(event.state, named);
    else if (!now) continue;
    else if (event.type === 'reset') now = viewOf({ ...now, requests: [], phones: {} }, named);
    else if (event.type === 'plan') now = { ...now, faults: event.faults, reports: event.reports };
    else applyChange(now, event);
  }
  return now;
}

type Change = Exclude<CarrierEvent, { type: 'snapshot' | 'reset' | 'plan' }>;

function applyChange({ requests, phones }: CarrierView, event: Change): void {
  switch (event.type) {
    case 'request': {
      const last = requests.at(-1)?.id ?? 0;
      const at = event.request.id > last ? -1 : requests.findIndex(({ id }) => id === event.request.id);
      requests[at === -1 ? requests.length : at] = event.request;
      return;
    }
    case 'message': {
      const { number } = event.message;
      const phone = received(phones.get(number) ?? silent(number), event.message);
      phones.delete(number);
      phones.set(number, phone);
      return;
    }
    case 'reported':
      for (const { number, id, report } of event.messages) {
        const phone = phones.get(number);
        const inbox = phone?.inbox.map((one) => (one.id === id ? { ...one, report } : one)) ?? [];
        if (phone) phones.set(number, { ...phone, inbox });
      }
      return;
    case 'dismissed': {
      const phone = phones.get(event.number);
      const overlays = phone?.overlays.filter(({ id }) => id !== event.id) ?? [];
      if (phone) phones.set(event.number, { ...phone, overlays });
    }
  }
}

function viewOf(state: CarrierState, named: Named): CarrierView {
  const quiet = named.toReversed().map(({ number, name }) => silent(number, name));
  const phones = new Map(quiet.map((phone) => [phone.number, phone]));
  for (const [number, messages] of Object.entries(state.phones))
    phones.set(number, messages.reduce(received, phones.get(number) ?? silent(number)));
  const byTime = [...phones].sort(([, one], [, other]) => one.lastAt - other.lastAt);
  return { ...state, phones: new Map(byTime) };
}

function silent(number: string, name?: string): Phone {
  return { number, name, inbox: [], overlays: [], lastAt: 0 };
}

function received(phone: Phone, message: PhoneMessage): Phone {
  const lastAt = Math.max(phone.lastAt, message.at);
  const added = (before: PhoneMessage[]) => [...before.filter(({ id }) => id !== message.id), message];
  if (message.channel !== 'flash') return { ...phone, lastAt, inbox: added(phone.inbox) };
  return { ...phone, lastAt, overlays: message.dismissed ? phone.overlays : added(phone.overlays) };
}
