import type { AnyBlock, ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { ClickArguments, ClickHandler, OpenView } from '../../kit/clicks/arguments.ts';
import { type FormValues, readState } from '../../kit/forms/read-state.ts';
import { eventIn, type ViewEvent } from '../../kit/views/view-updates.ts';
import { revisionIn } from '../changes/part-controls.ts';
import type { Compose } from '../compose.ts';
import { listInTime } from '../list/list.ts';
import { type FormMetadata, readMetadata } from './form-metadata.ts';
import type { ComposeForm } from './form-view.ts';

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
    ...given({ submit: view.submit ?? undefined, close: view.close ?? undefined }),
    private_metadata: view.private_metadata,
    blocks: [...blocks],
  };
}

/** The form of a message, open, in which somebody did something. */
export interface OpenForm {
  readonly kind: MessageKind;
  readonly view: OpenView;
  /** Empty where another version of Herald wrote it. */
  readonly metadata: FormMetadata;
  /** What its inputs hold. */
  readonly values: FormValues;
  readonly event: ViewEvent;
}

type Handle = (form: OpenForm, click: ClickArguments, compose: Compose) => Promise<void>;

/** Answers to a click in the form of a message; in any other window nothing happens. */
export function inForm(handle: Handle): ClickHandler<Compose> {
  return async (click, compose) => {
    const { view } = click.body;
    const kind = kindOf(view);
    if (view === undefined || kind === undefined) return;
    const metadata = readMetadata(view.private_metadata) ?? {};
    const values = readState(view.state.values, metadata.shown);
    await handle({ kind, view, metadata, values, event: eventIn(view, click.action) }, click, compose);
  };
}

/** An open form, to be drawn anew. */
export async function drawnAnew(
  { kind, metadata, values }: OpenForm,
  compose: Compose,
): Promise<ComposeForm> {
  return { kind, ...carriedOn(metadata), values, list: await listInTime(metadata, compose) };
}

/** What a form carries on when it is drawn anew. */
export function carriedOn(metadata: FormMetadata) {
  const { channelId, waiting, sourceFile, parked, draft, again, answering, shown } = metadata;
  const revision = revisionIn(shown);
  return { channelId, waiting, sourceFile, parked, revision, draft, again, answering };
}
