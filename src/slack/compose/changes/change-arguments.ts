import type { ViewClient, ViewEvent } from '../../kit/views/view-updates.ts';
import type { FormMetadata } from '../form/form-metadata.ts';
import type { OpenView } from '../form/open-view.ts';
import { revisionIn } from './part-controls.ts';

/** What the handler of something done in an open form uses of what Bolt hands it. */
export interface ChangeArguments {
  readonly body: { readonly view?: OpenView | undefined };
  readonly action: { readonly action_ts: string; readonly block_id?: string };
  readonly ack: () => Promise<void>;
  readonly client: ViewClient;
}

/** What a form carries on when it is drawn anew. */
export function carriedOn(metadata: FormMetadata | undefined) {
  return {
    channelId: metadata?.channelId,
    waiting: metadata?.waiting,
    unclearFile: metadata?.unclearFile,
    parked: metadata?.parked,
    revision: revisionIn(metadata?.shown),
    draft: metadata?.draft,
  };
}

export function eventIn(view: OpenView, action: { readonly action_ts: string }): ViewEvent {
  return { viewId: view.id, hash: view.hash, at: action.action_ts };
}
