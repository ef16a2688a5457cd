import type { OpenView } from '../../kit/clicks/arguments.ts';
import type { ViewEvent } from '../../kit/views/view-updates.ts';
import type { FormMetadata } from '../form/form-metadata.ts';

import { revisionIn } from './part-controls.ts';

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

export function eventIn(view: OpenView, { action_ts: at }: { readonly action_ts: string }): ViewEvent {
  return { viewId: view.id, hash: view.hash, at };
}
