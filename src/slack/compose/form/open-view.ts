import type { AnyBlock, ModalView, PlainTextElement } from '@slack/types';
import { MESSAGE_KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { StateValues } from '../../kit/forms/read-state.ts';

/** What Herald reads of a view that Slack sends along with what somebody did in it. */
export interface OpenView {
  readonly id: string;
  readonly hash: string;
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly state: { readonly values: StateValues };
  readonly blocks: readonly AnyBlock[];
  readonly title: PlainTextElement;
  readonly submit: PlainTextElement | null;
  readonly close: PlainTextElement | null;
}

/** The kind whose form this is; undefined for views that belong to something else. */
export function kindOf(view: Pick<OpenView, 'callback_id'> | undefined): MessageKind | undefined {
  return MESSAGE_KINDS.find((kind) => kind === view?.callback_id);
}

/** The view as it stands, with other blocks: what Slack adds to a view is not part of a request. */
export function withBlocks(view: OpenView, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: view.callback_id,
    title: view.title,
    ...(view.submit ? { submit: view.submit } : {}),
    ...(view.close ? { close: view.close } : {}),
    private_metadata: view.private_metadata,
    blocks: [...blocks],
  };
}
