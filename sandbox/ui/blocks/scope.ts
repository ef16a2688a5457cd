import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Act, ActResult, StateValues } from '../../protocol.ts';
import type { Option, OptionGroup, Value } from './types.ts';

export type Container = (Act & { type: 'block_action' })['container'];

export type Suggestions =
  | { ok: true; groups: { label?: string; options: Option[] }[] }
  | { ok: false; message: string };

/** What the blocks of one message, modal or Home view share. */
export interface Scope {
  surface: 'message' | 'modal' | 'home';
  /** Makes element ids unique on the page. */
  idPrefix: string;
  values: StateValues;
  setValue: (blockId: string, actionId: string, value: Value) => void;
  /** Sentences under the inputs, by block_id. */
  errors: Readonly<Record<string, string>>;
  /** `block_id/action_id` of the element whose action is under way. */
  pending: string | undefined;
  /** Tells the app of an action. `value` is the element's value object. */
  dispatch: (blockId: string, actionId: string, value: Value) => void;
  suggest: (blockId: string, actionId: string, query: string) => Promise<Suggestions>;
  /** The channel that a modal was opened from, for default_to_current_conversation. */
  currentChannelId?: string | undefined;
}

const ScopeContext = createContext<Scope | undefined>(undefined);
export const ScopeProvider = ScopeContext.Provider;

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error('A block is drawn outside a message or view.');
  return scope;
}

/** The page's id of an element, so that a label can point to it. */
export function elementId(scope: Scope, blockId: string, actionId: string): string {
  return `${scope.idPrefix}-${blockId}-${actionId}`.replace(/[^\w-]/g, '_');
}

/** An answer to a type-ahead request as groups of options. */
export function suggestionsFrom(result: ActResult): Suggestions {
  if (!result.ok) return { ok: false, message: 'Could not load the options. Try again.' };
  if (result.option_groups) {
    const groups = (result.option_groups as OptionGroup[]).map((group) => ({
      label: group.label.text,
      options: group.options,
    }));
    return { ok: true, groups };
  }
  return { ok: true, groups: [{ options: (result.options ?? []) as Option[] }] };
}
