interface Element {
  readonly action_id?: string;
  readonly value?: string;
  readonly options?: readonly { readonly value: string }[];
}

/** What of a block can be pressed. */
export interface PressableBlock {
  readonly block_id: string;
  readonly elements?: readonly Element[];
  readonly accessory?: Element;
}

/**
 * The first button with this action, or the choice behind three dots whose value begins with it, as it is pressed.
 *
 * @param value of the button; absent: any
 */
export function pressed(blocks: readonly PressableBlock[], actionId: string, value?: string) {
  for (const { block_id: blockId, elements = [], accessory } of blocks)
    for (const element of accessory ? [...elements, accessory] : elements) {
      if (element.action_id === actionId && (value === undefined || element.value === value))
        return { blockId, actionId, value: { type: 'button', value: element.value } } as const;
      const option = element.options?.find((one) => one.value.startsWith(`${actionId} `));
      if (option !== undefined && element.action_id !== undefined)
        return {
          blockId,
          actionId: element.action_id,
          value: { type: 'overflow', selected_option: option },
        } as const;
    }
  return undefined;
}
