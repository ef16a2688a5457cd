import type { Element, Value } from './types.ts';

/** What every interactive element is given by the block around it. */
export interface ControlProps {
  element: Element;
  blockId: string;
  /** The id that the block's label points to. */
  id: string;
  value: Value | undefined;
  /** True in an input block: the label stands above it. Elsewhere the placeholder has to name it. */
  labelled: boolean;
  /** The app is told of what is entered, so that Enter in this field is not for the form around it. */
  dispatches: boolean;
  /** In an input block that may be left empty the choice can be taken back. */
  clearable: boolean;
  invalid: boolean;
  /** Ids of the hint and the error. */
  describedBy: string | undefined;
  /** Keeps what the person entered, and tells the app where the block asks for it. */
  onValue: (value: Value, when?: 'on_character_entered' | 'on_enter_pressed' | 'kept') => void;
}

/** The name of an element outside of an input block. */
export function accessibleName(props: ControlProps): string | undefined {
  if (props.labelled) return undefined;
  const { element } = props;
  return element.accessibility_label ?? element.placeholder?.text ?? element.action_id ?? element.type;
}
