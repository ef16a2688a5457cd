import type { Send } from '../../../sends/send.ts';
import { textAt } from '../../connection/payload.ts';
import { readSendValue } from '../clicks/answering.ts';
import type { Right } from '../people/access.ts';
import type { SlackServices } from '../services.ts';

/* The rights that entrances ask for. Each row of a feature has one; `ask-at-entrance.ts` asks for it. */

/** The right that an entrance takes, for people to read. */
export type Need =
  /** It changes nothing but the person's own, sends nothing, and shows no number. */
  | 'nothing'
  /** Only who asked for the send. */
  | 'requester'
  | 'approve'
  | 'requester or approve'
  | 'send'
  | 'send or approve'
  | 'templates'
  | 'lists'
  | 'lists and templates'
  /** One's own sends take no right. */
  | 'sends'
  | 'reports'
  /** The words after the command decide. */
  | 'sends or audit'
  | 'lists or templates';

export interface Entrance {
  readonly needs: Need;
  /** The right to ask for, undefined for none. Absent: none is needed, or the handler asks, because the answer belongs into its form. */
  readonly right?: (act: Act, sources: EntranceSources) => Promise<Right | undefined> | Right | undefined;
}

/** An act of somebody, as far as rights depend on it. */
export interface Act {
  readonly userId: string;
  /** The words after a command. `help` alone never takes a right. */
  readonly text: string;
  /** The value of the button. */
  readonly value: string;
  /** The metadata of the form, as JSON. */
  readonly metadata: string;
}

export type EntranceSources = Pick<SlackServices, 'store' | 'audiences'>;

type SendRight = (send: Send, act: Act) => Right | undefined;

/** The right to do something with the send that the act names. */
export function withSend(idOf: (act: Act) => string | undefined, right: SendRight) {
  return async (act: Act, { store }: EntranceSources) => {
    const id = idOf(act);
    const send = id === undefined ? undefined : await store.find(id);
    // The handler says that a send is not there.
    return send && right(send, act);
  };
}

export const ofButton = ({ value }: Act) => readSendValue(value).sendId;

/** True for what asks only how a command is used. */
export function isHelp(text: string): boolean {
  return text.trim().toLowerCase() === 'help';
}

/** Reads what a form carries under `key`; undefined where it carries no object. */
export function inForm({ metadata }: Act, key: string): string | undefined {
  try {
    return textAt(JSON.parse(metadata), key);
  } catch {
    return undefined;
  }
}

export const unlessOwn =
  (to: 'sends' | 'reports'): SendRight =>
  ({ origin }, { userId }) =>
    origin.userId === userId ? undefined : { to };
export const toSend: SendRight = ({ kind }) => ({ to: 'send', kind });
export const toSendOrApprove: SendRight = ({ kind }) => ({ to: 'send', kind, orApprover: true });

export const OPEN: Entrance = { needs: 'nothing' };
export const handlerAsks = (needs: Need): Entrance => ({ needs });
export const LISTS: Entrance = { needs: 'lists', right: () => ({ to: 'lists' }) };
export const WHOLE_NUMBERS: Entrance = { needs: 'reports', right: withSend(ofButton, unlessOwn('reports')) };
export const LOOK_AT_SEND: Entrance = { needs: 'sends', right: withSend(ofButton, unlessOwn('sends')) };
