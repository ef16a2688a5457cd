import { z } from 'zod';
import type { Notes } from '../../../sends/notes.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';

/** As long as a form stays open in practice. */
const KEPT_MS = 2 * 60 * 60_000;

const valuesSchema = z.record(z.string(), z.unknown());

/** What was typed into parts of a form that are not shown now; whichever process answers the next click finds it. */
export interface SetAside {
  get(viewId: string): Promise<FormValues | undefined>;
  set(viewId: string, values: FormValues): Promise<void>;
}

export function createSetAside(notes: Notes): SetAside {
  const keyOf = (viewId: string) => `set-aside:${viewId}`;
  return {
    get: async (viewId) => valuesSchema.safeParse(await notes.find(keyOf(viewId))).data,
    // A one-time password is written nowhere.
    set: (viewId, { otp: _never, ...values }) => notes.put(keyOf(viewId), values, KEPT_MS),
  };
}
