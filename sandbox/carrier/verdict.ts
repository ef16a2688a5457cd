import type { PhoneMessage } from '../protocol.ts';

/** What reaches one phone once a request has been found good. */
export type Delivery = Omit<PhoneMessage, 'id' | 'at' | 'dismissed'>;

/** Why a request was refused: a code of the interface document, the field at fault, and the carrier's words. */
export interface Refusal {
  readonly code: number;
  readonly field: string;
  readonly details: string;
}

export type Verdict =
  | { readonly ok: true; readonly deliveries: readonly Delivery[] }
  | { readonly ok: false; readonly refusal: Refusal };

export function refuse(code: number, field: string, details: string): Verdict {
  return { ok: false, refusal: { code, field, details } };
}
