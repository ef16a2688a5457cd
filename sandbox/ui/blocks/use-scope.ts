import { useRef, useState } from 'preact/hooks';
import type { ActResult, SandboxMessage, SandboxView, StateValues } from '../../protocol.ts';
import { useWorkspace } from '../context.ts';
import { stateFor } from './input-state.ts';
import { type Container, type Scope, suggestionsFrom } from './scope.ts';
import type { Block, Value } from './types.ts';

interface ScopeOptions {
  surface: Scope['surface'];
  container: Container;
  blocks: readonly Block[];
  /** Changes when it is another message or view: then nothing entered before counts. */
  identity: string;
  stored: StateValues;
  errors?: Readonly<Record<string, string>>;
  /** Told before an input changes. */
  onEdit?: (blockId: string) => void;
  /** Told how each action ended. */
  onResult: (result: ActResult) => void;
}

/** The inputs and actions of one message or view. `current()` gives what the inputs hold at this moment. */
function useScopeOf(options: ScopeOptions): { scope: Scope; current: () => StateValues } {
  const { me, perform } = useWorkspace();
  const held = useRef<{ identity: string; values: StateValues }>({ identity: '', values: {} });
  const [, redraw] = useState(0);
  const [pending, setPending] = useState<string>();
  const before = held.current.identity === options.identity ? held.current.values : {};
  held.current = { identity: options.identity, values: stateFor(options.blocks, before, options.stored) };

  const dispatch = async (blockId: string, actionId: string, value: Value) => {
    setPending(`${blockId}/${actionId}`);
    const { container } = options;
    const state = held.current.values;
    const result = await perform({
      type: 'block_action',
      as: me.id,
      container,
      blockId,
      actionId,
      value,
      state,
    });
    setPending((now) => (now === `${blockId}/${actionId}` ? undefined : now));
    options.onResult(result);
  };
  const scope: Scope = {
    surface: options.surface,
    idPrefix: options.identity,
    values: held.current.values,
    errors: options.errors ?? {},
    pending,
    setValue: (blockId, actionId, value) => {
      options.onEdit?.(blockId);
      const { values } = held.current;
      held.current.values = { ...values, [blockId]: { ...values[blockId], [actionId]: value } };
      redraw((count) => count + 1);
    },
    dispatch: (blockId, actionId, value) => void dispatch(blockId, actionId, value),
    suggest: async (blockId, actionId, query) => {
      const { container } = options;
      const what = { type: 'suggestion', as: me.id, container, blockId, actionId, value: query } as const;
      return suggestionsFrom(await perform(what));
    },
  };
  return { scope, current: () => held.current.values };
}

export function useMessageScope(message: SandboxMessage, onResult: (result: ActResult) => void): Scope {
  const { me } = useWorkspace();
  return useScopeOf({
    surface: 'message',
    container: { type: 'message', channel: message.channel, ts: message.ts },
    blocks: (message.blocks ?? []) as Block[],
    identity: `m-${me.id}-${message.channel}-${message.ts}`,
    stored: {},
    onResult,
  }).scope;
}

export function useViewScope(
  view: SandboxView,
  errors: Readonly<Record<string, string>>,
  onEdit: (blockId: string) => void,
  onResult: (result: ActResult) => void,
): { scope: Scope; current: () => StateValues } {
  return useScopeOf({
    surface: view.type,
    container: { type: 'view', viewId: view.id },
    blocks: view.blocks as unknown as Block[],
    identity: `v-${view.id}`,
    stored: view.state?.values ?? {},
    errors,
    onEdit,
    onResult,
  });
}
