import type { AnyBlock, ModalView } from '@slack/types';
import { MESSAGE_KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { OpenView } from '../../kit/clicks/arguments.ts';
import { revisionIn } from '../changes/part-controls.ts';
import type { FormMetadata } from './form-metadata.ts';

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

/** What a form carries on when it is drawn anew. */
export function carriedOn(metadata: FormMetadata | undefined) {
  return {
    channelId: metadata?.channelId,
    waiting: metadata?.waiting,
    sourceFile: metadata?.sourceFile,
    parked: metadata?.parked,
    revision: revisionIn(metadata?.shown),
    draft: metadata?.draft,
    again: metadata?.again,
    answering: metadata?.answering,
  };
}
